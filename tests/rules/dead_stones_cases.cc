#include "dead_stones_cases.h"

#include <gtest/gtest.h>

#include <cctype>

namespace tengen {

Case Case::of(std::string_view diagram) {
  std::string upper;
  Case found{Board(BoardSize::square(2)), {}};
  int i = 0;
  for (const char ch : diagram) {
    const bool is_blank = std::isspace(static_cast<unsigned char>(ch)) != 0;
    if (ch == 'x' || ch == 'o') found.expected.dead.insert(i);
    if (ch == 'b' || ch == 'w') found.expected.unsettled.insert(i);
    if (!is_blank) ++i;
    upper += ch == 'x' || ch == 'b' ? 'X' : ch == 'o' || ch == 'w' ? 'O' : ch;
  }
  found.board = board_from_text(upper);
  return found;
}

std::string Case::draw(const DeadStonesVerdict& verdict) const {
  std::string text = board.to_text();
  for (int i = 0; i < board.size().area(); ++i) {
    char& ch = text[2 * static_cast<std::size_t>(i)];
    if (verdict.dead.contains(i)) ch = ch == 'X' ? 'x' : 'o';
    if (verdict.unsettled.contains(i)) ch = ch == 'X' ? 'b' : 'w';
  }
  return text;
}

Board image_of(const Board& board, Symmetry s, bool swaps) {
  const auto black = s.apply(board.stones(Color::kBlack), board.size());
  const auto white = s.apply(board.stones(Color::kWhite), board.size());
  return *Board::from_stones(board.size(), swaps ? white : black, swaps ? black : white);
}

Rules rules_for(const Board& board) {
  Rules rules;
  rules.size = board.size();
  rules.dead_stones = DeadStones::kAutomatic;
  return rules;
}

JudgeLevel expect_verdict(std::string_view diagram, const JudgeOptions& options) {
  const Case c = Case::of(diagram);
  const BoardSize size = c.board.size();
  JudgeLevel level = JudgeLevel::kPassAlive;
  for (int s = 0; s < Symmetry::count(size); ++s) {
    const Symmetry symmetry(s);
    for (const bool swaps : {false, true}) {
      const Board board = image_of(c.board, symmetry, swaps);
      const DeadStonesVerdict verdict = judge_dead_stones(board, rules_for(board), options);
      DeadStonesVerdict back = verdict;
      back.dead = symmetry.inverse().apply(verdict.dead, size);
      back.unsettled = symmetry.inverse().apply(verdict.unsettled, size);
      level = verdict.level;
      if (c.draw(back) == c.draw(c.expected)) continue;
      ADD_FAILURE() << "symmetry " << s << ", swaps " << swaps << ", expected\n"
                    << c.draw(c.expected) << "found\n"
                    << c.draw(back);
      return level;
    }
  }
  return level;
}

}  // namespace tengen
