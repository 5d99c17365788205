#include <gtest/gtest.h>

#include <map>

#include "oracle.h"
#include "rules/playout.h"
#include "rules/position.h"

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

// Plays one random game, eyes filled now and then, and compares everything after every move, or on
// large boards after every few.
class Comparison {
 public:
  Comparison(const Rules& rules, std::uint64_t seed, int stride)
      : stride_(stride), size_(rules.size), position_(rules), oracle_(rules), rng_(seed) {}

  void play(int max_moves) {
    compare();
    for (int i = 0; i < max_moves && !position_.is_over() && !testing::Test::HasFailure(); ++i) {
      const PointSet legal = position_.legal_points();
      Move move = random_move(position_, rng_);
      if (rng_.below(8) == 0 && !legal.is_empty()) move = any_of(legal);
      const auto point = move.is_pass() ? std::nullopt : std::optional(size_.index(move.point()));
      if (point) {
        Board board = position_.board();
        const std::uint64_t expected = board.hash_after(move.point(), position_.to_move());
        oracle_.play(point);
        EXPECT_EQ(board.play(move.point(), position_.to_move()), oracle_.captured());
        EXPECT_EQ(board.hash(), expected);
      } else {
        oracle_.play(point);
      }
      position_.play(move);
      if (i % stride_ == 0) compare();
    }
  }
  int positions() const { return positions_; }

 private:
  Move any_of(const PointSet& legal) {
    auto k = rng_.below(static_cast<std::uint32_t>(legal.count()));
    Move move = Move::pass();
    legal.for_each([&](int i) {
      if (k-- == 0) move = size_.point(i);
    });
    return move;
  }

  void compare() {
    ++positions_;
    const Board& board = position_.board();
    const std::string& grid = oracle_.grid();
    const bool black = oracle_.to_move() == 'X';
    ASSERT_EQ(position_.to_move(), black ? Color::kBlack : Color::kWhite);
    ASSERT_EQ(text_of(board.stones(Color::kBlack), size_),
              text_where(size_, [&](int i) { return grid[i] == 'X'; }));
    ASSERT_EQ(text_of(board.stones(Color::kWhite), size_),
              text_where(size_, [&](int i) { return grid[i] == 'O'; }));
    ASSERT_EQ(text_of(board.empty(), size_),
              text_where(size_, [&](int i) { return grid[i] == '.'; }));
    const std::string legal = text_where(size_, [&](int i) { return oracle_.is_legal(i); });
    ASSERT_EQ(text_of(position_.legal_points(), size_), legal) << to_text(position_.rules()) << "\n"
                                                               << board.to_text();
    ASSERT_EQ(text_where(size_, [&](int i) { return position_.is_legal(size_.point(i)); }), legal);
    // What is legal is not banned: the oracle need not be asked.
    ASSERT_EQ(text_of(position_.ko_banned(), size_),
              text_where(size_, [&](int i) { return legal[i] == '0' && oracle_.is_ko_banned(i); }))
        << to_text(position_.rules()) << "\n"
        << board.to_text();
    const auto ko = board.ko_point();
    ASSERT_EQ(ko ? std::optional(size_.index(*ko)) : std::nullopt, oracle_.ko());
    ASSERT_EQ(text_of(board.single_point_eyes(position_.to_move()), size_),
              text_where(size_,
                         [&](int i) { return oracle_.is_single_point_eye(i, oracle_.to_move()); }));
    compare_chains(board);
    if (size_.area() < 100 || positions_ % 4 == 1) compare_hashes(board);
    ASSERT_EQ(owners(area(board), size_), oracle_.area());
    if (positions_ % 4 == 0) compare_life(board);
  }

  void compare_chains(const Board& board) {
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
  void compare_hashes(const Board& board) {
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

  void compare_life(const Board& board) {
    const bool suicide = position_.rules().multi_stone_suicide;
    bool all_settled = true;
    for (const Color c : {Color::kBlack, Color::kWhite}) {
      const PassAlive alive = pass_alive(board, c, suicide);
      std::string text(size_.area(), '.');
      alive.territory.for_each([&](int i) { text[i] = 'T'; });
      alive.stones.for_each([&](int i) { text[i] = 'S'; });
      ASSERT_EQ(text, oracle_.pass_alive(c == Color::kBlack ? 'X' : 'O')) << board.to_text();
    }
    const std::string black = oracle_.pass_alive('X');
    const std::string white = oracle_.pass_alive('O');
    for (int i = 0; i < size_.area(); ++i) {
      all_settled = all_settled && (black[i] != '.' || white[i] != '.');
    }
    const std::optional<Score> settled = position_.settled_score();
    ASSERT_EQ(settled.has_value(), all_settled);
    if (settled) {
      ASSERT_EQ(owners({settled->black_area, settled->white_area}, size_),
                oracle_.area_pass_dead_removed())
          << board.to_text();
    }
    ASSERT_EQ(owners(area_pass_dead_removed(board, suicide), size_),
              oracle_.area_pass_dead_removed())
        << board.to_text();
  }

  int stride_;
  BoardSize size_;
  Position position_;
  Oracle oracle_;
  Rng rng_;
  std::map<std::uint64_t, std::string> boards_;
  std::map<std::string, std::uint64_t> hashes_;
  int positions_ = 0;
};

Rules random_rules(Rng& rng) {
  Rules rules;
  rules.ko = std::array{Ko::kSimple, Ko::kPositional, Ko::kSituational}[rng.below(3)];
  rules.multi_stone_suicide = rng.below(2) == 0;
  rules.single_stone_suicide = rng.below(3) == 0;
  return rules;
}

// Sanitizers slow the oracle down more than tenfold.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kShare = 8;
#else
constexpr int kShare = 1;
#endif

void compare_games(int games, int smallest, int largest, int max_moves, int stride = 1) {
  int positions = 0;
  games = (games + kShare - 1) / kShare;
  for (int game = 0; game < games && !testing::Test::HasFailure(); ++game) {
    Rng rng(2026, static_cast<std::uint64_t>(largest * 100000 + game));
    Rules rules = random_rules(rng);
    const auto span = static_cast<std::uint32_t>(largest - smallest + 1);
    rules.size = {static_cast<std::int8_t>(smallest + static_cast<int>(rng.below(span))),
                  static_cast<std::int8_t>(smallest + static_cast<int>(rng.below(span)))};
    Comparison comparison(rules, rng.next(), stride);
    comparison.play(max_moves);
    positions += comparison.positions();
  }
  testing::Test::RecordProperty("positions", positions);
}

TEST(Differential, TinyBoardsAndRectanglesEqualTheNaiveRules) {
  compare_games(1500, 2, 4, 60);
}
TEST(Differential, SmallBoardsAndRectanglesEqualTheNaiveRules) {
  compare_games(120, 3, 7, 120);
}
TEST(Differential, BoardsUpTo9EqualTheNaiveRules) {
  compare_games(16, 8, 9, 200);
}
TEST(Differential, BoardsUpTo13EqualTheNaiveRules) {
  compare_games(8, 10, 13, 400, 3);
}
TEST(Differential, LongBoardsEqualTheNaiveRules) {
  compare_games(8, 2, 19, 300, 2);
}
TEST(Differential, BoardsUpTo19EqualTheNaiveRules) {
  compare_games(1, 18, 19, 600, 12 * kShare);
}

}  // namespace
}  // namespace tengen
