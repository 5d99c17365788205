#include "comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "rules/dead_stones.h"
#include "rules/rules_text.h"

namespace tengen {
namespace {

std::string text_of(const PointSet& set, BoardSize size) {
  std::string text;
  for (int i = 0; i < size.area(); ++i) text += set.contains(i) ? '1' : '0';
  return text;
}

template <class Predicate>
std::string text_where(BoardSize size, Predicate predicate) {
  std::string text;
  for (int i = 0; i < size.area(); ++i) text += predicate(i) ? '1' : '0';
  return text;
}

std::string owners(const std::array<PointSet, 2>& owned, BoardSize size) {
  std::string text(size.area(), '.');
  owned[0].for_each([&](int i) { text[i] = 'X'; });
  owned[1].for_each([&](int i) { text[i] = text[i] == '.' ? 'O' : '?'; });
  return text;
}

std::string grid_of(const Board& board) {
  return owners({board.stones(Color::kBlack), board.stones(Color::kWhite)}, board.size());
}

std::string text_of(const Oracle::Side& side) {
  std::string text;
  for (const int n : {side.stones, side.territory, side.prisoners, side.tax, side.bonus,
                      side.button, side.komi}) {
    text += std::to_string(n) + " ";
  }
  return text;
}

std::string text_of(const SideCount& side) {
  return text_of(Oracle::Side{side.stones, side.territory, side.prisoners, side.tax, side.bonus,
                              side.button ? 1 : 0, side.komi_half_points});
}

}  // namespace

void Seen::print() const {
  std::printf(
      "%d positions, %d scores, %d settled; %d bans; clean-up: %d positions, %d of phase 2, "
      "%d bans, %d with blocks, %d lifted; %d buttons; endings:",
      positions, scores, settled, banned, clean_up, phase_two, banned_in_clean_up, blocked, lifted,
      buttons);
  for (const auto& [ending, count] : endings) std::printf(" %s %d", ending.c_str(), count);
  std::printf("\n");
}

Comparison::Comparison(const Position& start, Rng rng, Seen& seen)
    : size_(start.size()),
      rng_(rng),
      position_(start),
      oracle_(start.rules(), grid_of(start.board()), start.to_move() == Color::kBlack ? 'X' : 'O'),
      seen_(seen) {}

void Comparison::play(Move move) {
  if (move.is_pass()) {
    oracle_.play(std::nullopt);
  } else {
    const int point = size_.index(move.point());
    const bool is_stone = oracle_.grid()[point] == '.';
    Board board = position_.board();
    const std::uint64_t expected =
        is_stone ? board.hash_after(move.point(), position_.to_move()) : 0;
    const auto blocked = oracle_.blocked().size();
    oracle_.play(point);
    if (oracle_.blocked().size() < blocked && oracle_.captured() == 0) {
      ++seen_.lifted;
    } else if (is_stone) {
      EXPECT_EQ(board.play(move.point(), position_.to_move()), oracle_.captured());
      EXPECT_EQ(board.hash(), expected);
    }
  }
  position_.play(move);
}

void Comparison::set_to_move(Color c) {
  position_.set_to_move(c);
  oracle_.set_to_move(c == Color::kBlack ? 'X' : 'O');
}

std::string Comparison::where() const {
  return to_text(position_.rules()) + "\n" + position_.board().to_text();
}

void Comparison::compare() {
  ++seen_.positions;
  const Board& board = position_.board();
  const bool black = oracle_.to_move() == 'X';
  ASSERT_EQ(position_.to_move(), black ? Color::kBlack : Color::kWhite);
  ASSERT_EQ(grid_of(board), oracle_.grid());
  ASSERT_EQ(text_of(board.empty(), size_),
            text_where(size_, [&](int i) { return oracle_.grid()[i] == '.'; }));
  compare_course();
  compare_legality();
  ASSERT_EQ(
      text_of(board.single_point_eyes(position_.to_move()), size_),
      text_where(size_, [&](int i) { return oracle_.is_single_point_eye(i, oracle_.to_move()); }));
  compare_chains(board);
  if (size_.area() < 100 || seen_.positions % 4 == 1) compare_hashes(board);
  ASSERT_EQ(owners(area(board), size_), oracle_.area());
  if (size_.area() > 36 && seen_.positions % 4 != 0 && !position_.is_over()) return;
  compare_life(board);
  compare_scores();
}

void Comparison::compare_course() {
  ASSERT_EQ(position_.phase(), oracle_.phase()) << where();
  const std::string ending(position_.ending() ? name_of(*position_.ending()) : "");
  ASSERT_EQ(ending, oracle_.ending()) << where();
  ASSERT_EQ(position_.has_button(), oracle_.has_button());
  PointSet blocked;
  for (const int p : oracle_.blocked()) blocked.insert(p);
  ASSERT_EQ(text_of(position_.ko_blocked(), size_), text_of(blocked, size_)) << where();
  if (!position_.is_over()) {
    ASSERT_EQ(position_.pass_would_end_phase(), oracle_.would_pass_end_phase()) << where();
  }
  seen_.clean_up += oracle_.phase() > 0 ? 1 : 0;
  seen_.phase_two += oracle_.phase() > 1 ? 1 : 0;
  seen_.blocked += blocked.is_empty() ? 0 : 1;
  seen_.buttons += position_.rules().button && !oracle_.has_button() ? 1 : 0;
}

void Comparison::compare_legality() {
  const std::string legal = text_where(size_, [&](int i) { return oracle_.is_legal(i); });
  ASSERT_EQ(text_of(position_.legal_points(), size_), legal) << where();
  ASSERT_EQ(text_where(size_, [&](int i) { return position_.is_legal(size_.point(i)); }), legal)
      << where();
  // In play what is legal is not banned: the oracle need not be asked. In clean-up a capture that
  // was done may be closed while a play there lifts a block.
  const std::string banned = text_where(size_, [&](int i) {
    return (legal[i] == '0' || oracle_.phase() > 0) && oracle_.is_ko_banned(i);
  });
  ASSERT_EQ(text_of(position_.ko_banned(), size_), banned) << where();
  seen_.banned += static_cast<int>(std::ranges::count(banned, '1'));
  if (oracle_.phase() > 0) {
    seen_.banned_in_clean_up += static_cast<int>(std::ranges::count(banned, '1'));
    return;
  }
  const auto ko = position_.board().ko_point();
  ASSERT_EQ(ko ? std::optional(size_.index(*ko)) : std::nullopt, oracle_.ko());
}

void Comparison::compare_chains(const Board& board) {
  const auto counted = board.stones_by_liberties();
  for (int i = 0; i < size_.area(); ++i) {
    const Point p = size_.point(i);
    if (board.stone_at(p) == Stone::kEmpty) continue;
    const int n = oracle_.liberties(i);
    ASSERT_EQ(board.liberties(p), n);
    for (int k = 1; k <= 3; ++k) ASSERT_EQ(counted[k - 1].contains(i), n == k);
    PointSet chain;
    for (const int q : oracle_.chain(i)) chain.insert(q);
    ASSERT_EQ(board.chain(p), chain);
  }
}

// Hashes as a dictionary of whole boards: equal if and only if the boards are.
void Comparison::compare_hashes(const Board& board) {
  ASSERT_EQ(boards_.try_emplace(board.hash(), oracle_.grid()).first->second, oracle_.grid());
  ASSERT_EQ(hashes_.try_emplace(oracle_.grid(), board.hash()).first->second, board.hash());
  board.empty().for_each([&](int i) {
    const std::string next = oracle_.grid_after(i);
    const std::uint64_t hash = board.hash_after(size_.point(i), position_.to_move());
    ASSERT_EQ(boards_.try_emplace(hash, next).first->second, next);
    ASSERT_EQ(hashes_.try_emplace(next, hash).first->second, hash);
  });
  const auto again =
      Board::from_stones(size_, board.stones(Color::kBlack), board.stones(Color::kWhite));
  ASSERT_TRUE(again.has_value());
  ASSERT_EQ(again->hash(), board.hash());
  ASSERT_TRUE(*again == board);
  for (const Color c : {Color::kBlack, Color::kWhite}) {
    PointSet from_scratch = again->legal(c, false, false);
    const auto ko = board.ko_point();
    if (ko && c == position_.to_move()) from_scratch.erase(size_.index(*ko));
    ASSERT_EQ(from_scratch, board.legal(c, false, false));
  }
}

void Comparison::compare_life(const Board& board) {
  const bool suicide = position_.rules().multi_stone_suicide;
  for (const Color c : {Color::kBlack, Color::kWhite}) {
    const PassAlive alive = pass_alive(board, c, suicide);
    std::string text(size_.area(), '.');
    alive.territory.for_each([&](int i) { text[i] = 'T'; });
    alive.stones.for_each([&](int i) { text[i] = 'S'; });
    ASSERT_EQ(text, oracle_.pass_alive(c == Color::kBlack ? 'X' : 'O')) << where();
  }
  ASSERT_EQ(owners(area_pass_dead_removed(board, suicide), size_), oracle_.area_pass_dead_removed())
      << board.to_text();
}

void Comparison::compare_sheet(const ScoreSheet& sheet, const Oracle::Count& count) {
  ++seen_.scores;
  const Score score = sheet.score();
  ASSERT_EQ(owners({score.black_area, score.white_area}, size_), count.owners) << where();
  ASSERT_EQ(score.black_margin_half_points(), count.margin) << where();
  ASSERT_EQ(sheet.sides[0].half_points() - sheet.sides[1].half_points(), count.margin) << where();
  const bool is_played_out = position_.rules().dead_stones == DeadStones::kPlayedOut;
  for (const auto& [side, expected] :
       {std::pair{&sheet.sides[0], &count.black}, std::pair{&sheet.sides[1], &count.white}}) {
    SideCount told = *side;
    if (is_played_out) told.stones = told.territory = told.prisoners = 0;
    ASSERT_EQ(text_of(told), text_of(*expected)) << where();
  }
}

// Chains drawn at random: what players might agree upon.
std::set<int> Comparison::drawn_dead() {
  std::set<int> dead;
  for (int i = 0; i < size_.area(); ++i) {
    const bool is_first = oracle_.grid()[i] != '.' && oracle_.chain(i)[0] == i;
    if (!is_first || rng_.below(3) > 0) continue;
    for (const int p : oracle_.chain(i)) dead.insert(p);
  }
  return dead;
}

void Comparison::compare_scores() {
  const DeadStones kind = position_.rules().dead_stones;
  if (kind == DeadStones::kPassDead || kind == DeadStones::kPlayedOut) {
    compare_sheet(position_.score_sheet(), oracle_.count({}));
  } else {
    const std::set<int> dead = drawn_dead();
    PointSet points;
    for (const int p : dead) points.insert(p);
    compare_sheet(position_.score_sheet(points), oracle_.count(dead));
    if (kind == DeadStones::kAsTheyStand) {
      compare_sheet(position_.score_sheet(), oracle_.count({}));
    }
  }
  const std::optional<Score> settled = position_.settled_score();
  const auto expected = oracle_.settled();
  ASSERT_EQ(settled.has_value(), expected.has_value());
  if (!settled) return;
  ++seen_.settled;
  ASSERT_EQ(owners({settled->black_area, settled->white_area}, size_), expected->owners) << where();
  ASSERT_EQ(settled->black_margin_half_points(), expected->margin) << where();
}

void Comparison::compare_outcome() {
  ++seen_.endings[oracle_.ending()];
  const Outcome outcome = position_.outcome();
  char expected = oracle_.result_without_score();
  if (oracle_.ending() == "passes" || oracle_.ending() == "move-cap") {
    std::set<int> dead;
    if (const DeadStones kind = position_.rules().dead_stones;
        kind == DeadStones::kMarked || kind == DeadStones::kAutomatic) {
      judge_dead_stones(position_.board(), position_.rules()).dead.for_each([&](int i) {
        dead.insert(i);
      });
    }
    const int margin = oracle_.count(dead).margin;
    expected = margin > 0 ? 'X' : margin < 0 ? 'O' : '=';
  }
  const char found = outcome.is_no_result ? '?'
                     : !outcome.winner    ? '='
                                          : "XO"[index_of(*outcome.winner)];
  ASSERT_EQ(found, expected) << where();
}

}  // namespace tengen
