// Random games of all rules on all sizes, of which everything is compared with the naive rules of
// oracle.h after every move.

#include <gtest/gtest.h>

#include <cstdio>

#include "comparison.h"
#include "rules/ko_shape.h"
#include "rules/playout.h"
#include "rules/presets.h"
#include "rules/prove.h"

namespace tengen {
namespace {

// Stones anywhere, with a liberty each chain.
Board random_board(BoardSize size, Rng& rng) {
  while (true) {
    std::array<PointSet, 2> stones;
    for (int i = 0; i < size.area(); ++i) {
      const auto drawn = rng.below(5);
      if (drawn < 2) stones[drawn].insert(i);
    }
    if (auto board = Board::from_stones(size, stones[0], stones[1])) return *board;
  }
}

// Up to four kos beside one another, each open to the one or the other.
Board board_with_kos(Rng& rng) {
  std::array<std::string, 4> rows;
  for (auto kos = 1 + rng.below(4); kos > 0; --kos) {
    std::array<std::string, 4> tile = {". X O .", "X . X O", ". X O .", ". . . ."};
    const bool swaps = rng.below(2) == 0;
    for (int row = 0; row < 4; ++row) {
      for (char& c : tile[row]) {
        if (swaps && c != '.' && c != ' ') c = c == 'X' ? 'O' : 'X';
      }
      rows[row] += tile[row] + " ";
    }
  }
  return board_from_text(rows[0] + "\n" + rows[1] + "\n" + rows[2] + "\n" + rows[3]);
}

// A start for these rules: where a handicap is placed freely, and else now and then, a set-up.
Position start_of(const Rules& rules, Rng& rng) {
  const bool needs_set_up =
      rules.handicap > 0 && rules.handicap_placement == HandicapPlacement::kFree;
  if (!needs_set_up && rng.below(4) > 0) return Position(rules);
  return {rules, random_board(rules.size, rng), rng.below(2) == 0 ? Color::kBlack : Color::kWhite};
}

// How moves are drawn: eyes filled and passes made now and then; kos fought and phases passed; or
// kos fought as long as there are any.
enum class Style { kGame, kKoFight, kNothingButKos };

// Plays one random game and compares everything after every move, or on large boards after every
// few.
class DrawnGame {
 public:
  DrawnGame(const Position& start, Style style, std::uint64_t seed, int stride, Seen& seen)
      : style_(style), stride_(stride), rng_(seed), game_(start, Rng(seed, 1), seen) {}

  void play(int max_moves) {
    const Position& position = game_.position();
    game_.compare();
    for (int i = 0; i < max_moves && !position.is_over() && !testing::Test::HasFailure(); ++i) {
      if (rng_.below(60) == 0) {  // two moves in a row by one side
        game_.set_to_move(opponent(position.to_move()));
        game_.compare_legality();
        moves_ += "switch ";
      }
      const Move move = draw();
      moves_ += to_text(move, size()) + " ";
      game_.play(move);
      if (i % stride_ == 0 || position.is_over()) game_.compare();
    }
    if (position.is_over() && !testing::Test::HasFailure()) game_.compare_outcome();
    if (testing::Test::HasFailure()) std::printf("%s\n", moves_.c_str());
  }

 private:
  BoardSize size() const { return game_.position().size(); }

  Move draw() {
    const PointSet legal = game_.position().legal_points();
    if (style_ != Style::kGame) {
      const PointSet kos = ko_captures(game_.position().board(), game_.position().to_move());
      const PointSet fight = legal & (kos | game_.position().ko_blocked());
      const bool fights = style_ == Style::kNothingButKos || rng_.below(10) < 7;
      if (!fight.is_empty() && fights) return any_of(fight);
      if (rng_.below(3) > 0) return Move::pass();
    }
    if (rng_.below(8 + static_cast<std::uint32_t>(size().area())) == 0) return Move::pass();
    if (rng_.below(8) == 0 && !legal.is_empty()) return any_of(legal);
    return random_move(game_.position(), rng_);
  }

  Move any_of(const PointSet& legal) {
    auto k = rng_.below(static_cast<std::uint32_t>(legal.count()));
    Move move = Move::pass();
    legal.for_each([&](int i) {
      if (k-- == 0) move = size().point(i);
    });
    return move;
  }

  Style style_;
  int stride_;
  Rng rng_;
  Comparison game_;
  std::string moves_;
};

// Sanitizers slow the oracle down more than tenfold.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kShare = 8;
#else
constexpr int kShare = 1;
#endif

BoardSize drawn_size(int smallest, int largest, Rng& rng) {
  const auto span = static_cast<std::uint32_t>(largest - smallest + 1);
  return {static_cast<std::int8_t>(smallest + static_cast<int>(rng.below(span))),
          static_cast<std::int8_t>(smallest + static_cast<int>(rng.below(span)))};
}

// The same games with every run, but new ones with each of `--gtest_shuffle --gtest_repeat=100`.
Rng rng_of(std::uint64_t stream) {
  const int run = GTEST_FLAG_GET(shuffle) ? testing::UnitTest::GetInstance()->random_seed() : 0;
  return Rng(2026 + static_cast<std::uint64_t>(run), stream);
}

// What is drawn is clean-up in one of ten.
Rules with_clean_up(Rules rules) {
  rules.scoring = Scoring::kTerritory;
  rules.dead_stones = DeadStones::kPlayedOut;
  rules.button = false;
  return rules;
}

Seen compare_games(int games, int smallest, int largest, int max_moves, int stride = 1) {
  Seen seen;
  games = (games + kShare - 1) / kShare;
  for (int game = 0; game < games && !testing::Test::HasFailure(); ++game) {
    Rng rng = rng_of(static_cast<std::uint64_t>(largest * 100000 + game));
    Rules rules = any_rules(drawn_size(smallest, largest, rng), rng);
    if (game % 3 == 0) rules = with_clean_up(rules);
    if (largest > 9) rules.move_cap = 0;  // too few games to end some of them early
    DrawnGame(start_of(rules, rng), Style::kGame, rng.next(), stride, seen).play(max_moves);
  }
  seen.print();
  return seen;
}

TEST(Differential, TinyBoardsAndRectanglesEqualTheNaiveRules) {
  const Seen seen = compare_games(3000, 2, 4, 150);
  if (kShare > 1) return;
  EXPECT_GT(seen.banned, 1000);
  EXPECT_GT(seen.phase_two, 1000);
  EXPECT_GT(seen.settled, 1000);
}
TEST(Differential, SmallBoardsAndRectanglesEqualTheNaiveRules) {
  compare_games(200, 3, 7, 250);
}
TEST(Differential, BoardsUpTo9EqualTheNaiveRules) {
  compare_games(16, 8, 9, 300);
}
TEST(Differential, BoardsUpTo13EqualTheNaiveRules) {
  compare_games(8, 10, 13, 400, 3);
}
TEST(Differential, LongBoardsEqualTheNaiveRules) {
  compare_games(8, 2, 19, 300, 2);
}
TEST(Differential, BoardsUpTo19EqualTheNaiveRules) {
  compare_games(2, 18, 19, 600, 12 * kShare);
}

TEST(Differential, KoFightsThroughAllPhasesEqualTheNaiveRules) {
  Seen seen;
  for (int game = 0; game < 600 / kShare && !testing::Test::HasFailure(); ++game) {
    Rng rng = rng_of(static_cast<std::uint64_t>(game));
    const Board board = board_with_kos(rng);
    Rules rules = any_rules(board.size(), rng);
    if (game % 2 == 0) rules = with_clean_up(rules);
    rules.move_cap = 0;
    const Position start(rules, board, rng.below(2) == 0 ? Color::kBlack : Color::kWhite);
    const Style style = game % 4 < 2 ? Style::kKoFight : Style::kNothingButKos;
    DrawnGame(start, style, rng.next(), 1, seen).play(60);
  }
  seen.print();
  if (kShare > 1) return;
  EXPECT_GT(seen.endings["repetition"], 10);
  EXPECT_GT(seen.endings["three-kos"], 10);
  EXPECT_GT(seen.banned_in_clean_up, 100);
  EXPECT_GT(seen.lifted, 100);
}

// Presets name their boards; what they say holds on others as well.
TEST(Differential, PresetsEqualTheNaiveRules) {
  Seen seen;
  for (const Preset& preset : presets()) {
    for (int game = 0; game < 40 / kShare && !testing::Test::HasFailure(); ++game) {
      Rng rng = rng_of(static_cast<std::uint64_t>(game));
      Rules rules = game % 2 == 0 ? preset.rules : played_out(preset.rules, true);
      rules.size = drawn_size(2, game % 10 == 0 ? 9 : 5, rng);
      DrawnGame(start_of(rules, rng), Style::kGame, rng.next(), 1, seen).play(200);
    }
  }
  seen.print();
}

}  // namespace
}  // namespace tengen
