// What holds for any rules and any game, tried on many that RapidCheck draws, and shrinks when one
// fails. The same ones with every run; RC_PARAMS="seed=1 max_success=10000" draws others.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <ostream>

#include "rules/playout.h"
#include "rules/position.h"
#include "rules/rules_text.h"
#include "rules/sgf_game.h"
#include "rules/symmetry.h"

namespace tengen {
namespace {

const int kSeedIsSet =
    setenv("RC_PARAMS", "seed=2026 max_success=1000", 0);  // read at the first property

// Rules with numbers that pick moves: of the legal ones, or now and then a pass.
struct Course {
  Rules rules;
  std::vector<int> picks;
};

Move picked(const Position& position, int pick) {
  constexpr int kPassEvery = 12;
  std::vector<int> legal;
  position.legal_points().for_each([&](int i) { legal.push_back(i); });
  if (legal.empty() || pick % kPassEvery == kPassEvery - 1) return Move::pass();
  return position.size().point(legal[pick / kPassEvery % static_cast<int>(legal.size())]);
}

void showValue(const Course& course, std::ostream& out) {
  out << to_text(course.rules) << "\n";
  Position position(course.rules, Board(course.rules.size), Color::kBlack);
  for (const int pick : course.picks) {
    if (position.is_over()) break;
    const Move move = picked(position, pick);
    out << to_text(move, position.size()) << " ";
    position.play(move);
  }
  out << "\n" << position.board().to_text();
}

rc::Gen<BoardSize> any_size(int largest) {
  return rc::gen::map(
      rc::gen::pair(rc::gen::inRange(2, largest + 1), rc::gen::inRange(2, largest + 1)),
      [](std::pair<int, int> sides) {
        return BoardSize{static_cast<std::int8_t>(sides.first),
                         static_cast<std::int8_t>(sides.second)};
      });
}

// Any fields, and where they do not go together the later ones changed until they do.
Rules made_valid(Rules rules) {
  const bool is_area = rules.scoring == Scoring::kArea;
  if (is_area && rules.dead_stones == DeadStones::kPlayedOut) {
    rules.dead_stones = DeadStones::kPassDead;
  }
  if (!is_area && rules.dead_stones < DeadStones::kMarked) {
    rules.dead_stones = DeadStones::kPlayedOut;
  }
  rules.button = rules.button && is_area;
  rules.three_ko_draw = rules.three_ko_draw && rules.ko != Ko::kSimple;
  rules.handicap = std::min(rules.handicap, max_handicap(rules));
  validate(rules);
  return rules;
}

rc::Gen<Rules> any_rules(int largest) {
  return rc::gen::exec([largest] {
    Rules rules;
    rules.size = *any_size(largest);
    for (const RuleField& field : rule_fields()) {
      if (field.values.empty()) continue;
      const auto value = *rc::gen::inRange<std::size_t>(0, field.values.size());
      field.set(rules, field.values[value].name);
    }
    rules.komi = Komi::from_half_points(*rc::gen::inRange(-800, 801));
    rules.handicap = *rc::gen::inRange(0, 10);
    rules.move_cap = *rc::gen::element(0, 0, 0, 1, 30, 100'000);
    return made_valid(rules);
  });
}

rc::Gen<Course> any_course(int largest) {
  constexpr int kMostPicks = 300;
  return rc::gen::exec([largest] {
    Course course{*any_rules(largest), {}};
    course.rules.handicap = 0;  // all courses start from the empty board
    course.picks = *rc::gen::resize(
        kMostPicks, rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 10'000)));
    return course;
  });
}

// Plays a course and calls visit(position) before each move and at the end.
template <class Visit>
Position played(const Course& course, Visit visit) {
  Position position(course.rules, Board(course.rules.size), Color::kBlack);
  for (const int pick : course.picks) {
    visit(position);
    if (position.is_over()) return position;
    position.play(picked(position, pick));
  }
  visit(position);
  return position;
}

bool is_judged(const Rules& rules) {
  return rules.dead_stones == DeadStones::kMarked || rules.dead_stones == DeadStones::kAutomatic;
}

// Without asking a judge: where one decides, as if all stones were alive.
ScoreSheet sheet_of(const Position& position) {
  return is_judged(position.rules()) ? position.score_sheet({}) : position.score_sheet();
}

}  // namespace

// Found by name where RapidCheck shows a value.
void showValue(const Rules& rules, std::ostream& out) {
  out << to_text(rules);
}

namespace {

RC_GTEST_PROP(Properties, RulesGoRoundThroughText, ()) {
  const Rules rules = *any_rules(19);
  RC_ASSERT(parse_rules(to_text(rules)) == rules);
}

RC_GTEST_PROP(Properties, RulesCommuteWithSymmetriesAndColours, ()) {
  Course course = *any_course(9);
  course.rules.komi = Komi::from_half_points(0);
  if (*rc::gen::arbitrary<bool>()) course.rules.size.height = course.rules.size.width;
  const BoardSize size = course.rules.size;
  const Symmetry symmetry(*rc::gen::inRange(0, Symmetry::count(size)));
  const bool swaps = *rc::gen::arbitrary<bool>();
  const auto to_image = [&](const PointSet& s) { return symmetry.apply(s, size); };
  Position position(course.rules, Board(size), Color::kBlack);
  Position image(course.rules, Board(size), swaps ? Color::kWhite : Color::kBlack);
  for (const int pick : course.picks) {
    RC_ASSERT(to_image(position.legal_points()) == image.legal_points());
    RC_ASSERT(to_image(position.ko_banned()) == image.ko_banned());
    RC_ASSERT(to_image(position.ko_blocked()) == image.ko_blocked());
    RC_ASSERT(position.phase() == image.phase());
    RC_ASSERT(position.ending() == image.ending());
    const ScoreSheet sheet = sheet_of(position), image_sheet = sheet_of(image);
    for (int c = 0; c < 2; ++c) {
      const int other = swaps ? 1 - c : c;
      RC_ASSERT(to_image(sheet.owned[c]) == image_sheet.owned[other]);
      RC_ASSERT(sheet.sides[c].half_points() == image_sheet.sides[other].half_points());
    }
    if (position.is_over()) break;
    const Move move = picked(position, pick);
    position.play(move);
    image.play(symmetry.apply(move, size));
  }
}

RC_GTEST_PROP(Properties, TheSidesOfAScoreSheetAddUpToItsMargin, ()) {
  const Position position = played(*any_course(7), [](const Position&) {});
  const ScoreSheet sheet = sheet_of(position);
  const Score score = sheet.score();
  RC_ASSERT(sheet.sides[0].half_points() - sheet.sides[1].half_points() ==
            score.black_margin_half_points());
  RC_ASSERT((sheet.owned[0] & sheet.owned[1]).is_empty());
  if (!is_judged(position.rules())) RC_ASSERT(position.score() == score);
  for (int c = 0; c < 2; ++c) {
    int stones = 0, territory = 0;
    sheet.owned[c].for_each([&](int i) {
      stones += sheet.reasons[i] == PointReason::kStone ? 1 : 0;
      territory +=
          sheet.reasons[i] == PointReason::kTerritory || sheet.reasons[i] == PointReason::kDeadStone
              ? 1
              : 0;
    });
    RC_ASSERT(stones + territory == sheet.owned[c].count());
    RC_ASSERT(territory == sheet.sides[c].territory);
    if (position.rules().scoring == Scoring::kArea) RC_ASSERT(stones == sheet.sides[c].stones);
  }
}

// By random moves, with passes only where there is nothing else. (Play itself may go on for ever
// under rules with simple ko that let repetitions be.)
RC_GTEST_PROP(Properties, CleanUpEnds, ()) {
  constexpr int kMostMoves = 5'000;
  Course course = *any_course(7);
  course.rules.scoring = Scoring::kTerritory;
  course.rules.dead_stones = DeadStones::kPlayedOut;
  course.rules.button = false;
  course.rules.move_cap = 0;
  Position position = played(course, [](const Position&) {});
  while (position.phase() == 0 && !position.is_over()) position.play(Move::pass());
  Rng rng(*rc::gen::arbitrary<std::uint64_t>());
  play_random_game(position, rng, kMostMoves);
  RC_ASSERT(position.is_over());
}

RC_GTEST_PROP(Properties, WhatAPositionSaysIsTheSameFromScratchAndInCopies, ()) {
  const Course course = *any_course(9);
  std::vector<Position> earlier;
  played(course, [&](const Position& position) {
    const Board& board = position.board();
    const auto again = Board::from_stones(position.size(), board.stones(Color::kBlack),
                                          board.stones(Color::kWhite));
    RC_ASSERT(again && again->hash() == position.hash());
    RC_ASSERT(again->stones_by_liberties() == board.stones_by_liberties());
    if (position.phase() == 0 && !board.ko_point()) {
      const bool multi = position.rules().multi_stone_suicide;
      const bool single = position.rules().single_stone_suicide;
      RC_ASSERT(again->legal(position.to_move(), multi, single) ==
                (position.legal_points() | (position.ko_banned() & board.empty())));
    }
    earlier.push_back(position);
  });
  // Playing on did not touch the copies.
  std::size_t ply = 0;
  played(course, [&](const Position& position) {
    const Position& copy = earlier[ply++];
    RC_ASSERT(copy.hash() == position.hash());
    RC_ASSERT(copy.legal_points() == position.legal_points());
    RC_ASSERT(copy.ko_banned() == position.ko_banned());
    RC_ASSERT(copy.ending() == position.ending());
  });
}

RC_GTEST_PROP(Properties, GamesGoRoundThroughSgf, ()) {
  Course course = *any_course(19);
  if (course.rules.dead_stones == DeadStones::kPlayedOut) {
    course.rules.dead_stones = DeadStones::kAutomatic;  // SGF has no plays that lift blocks
  }
  const auto text = rc::gen::container<std::string>(rc::gen::oneOf(
      rc::gen::inRange(' ', '~'), rc::gen::element(']', '\\', ':', ';', '(', ' ', '\xC3', '\xA9')));
  SgfGame game;
  const auto setup_moves = static_cast<std::size_t>(*rc::gen::inRange(0, 20));
  std::optional<Position> before;
  Position position = played(course, [&](const Position& p) {
    if (p.ply() <= static_cast<int>(setup_moves)) {
      game.setup = p.board();
      game.to_move = p.to_move();
    }
    if (before && p.ply() > static_cast<int>(setup_moves)) game.moves.push_back(p.recent(0));
    before = p;
  });
  if (*rc::gen::arbitrary<bool>()) game.komi = course.rules.komi;
  game.handicap = *rc::gen::inRange(0, 362);
  game.rules = *text;
  game.result = *text;
  game.black_name = *text;
  game.white_rank = *text;
  game.event = *text;
  game.application = *text;
  const SgfTree tree = tree_of(game);
  RC_ASSERT(game_of(tree) == game);
  const std::vector<SgfTree> again = parse_sgf(to_text(tree));
  RC_ASSERT(again.size() == 1U);
  RC_ASSERT(game_of(again[0]) == game);
}

}  // namespace
}  // namespace tengen
