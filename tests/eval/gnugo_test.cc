// Whole games against GNU Go 3.8 (Debian package gnugo), an independent judge of moves, boards and
// scores. Skipped where it is not installed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <set>
#include <sstream>

#include "eval/arena.h"
#include "eval/gtp.h"
#include "eval/gtp_client.h"
#include "rules/handicap.h"
#include "tests/eval/players.h"

namespace tengen {
namespace {

constexpr const char* kGnuGo = "/usr/games/gnugo";

std::string gnugo_command(int seed) {
  return std::string(kGnuGo) +
         " --mode gtp --level 1 --capture-all-dead --never-resign --chinese-rules "
         "--positional-superko --seed " +
         std::to_string(seed);
}

// Random moves, of which some live and some are dead, for `plies` plies; then passes only, while
// GNU Go takes the dead off the board.
std::shared_ptr<Player> random_player_until(int plies) {
  std::shared_ptr<Player> random = make_random_player();
  return std::make_shared<FunctionPlayer>("random", [random, plies](const MoveRequest& request) {
    MoveChoice choice;
    const Position& position = *request.position;
    if (position.ply() < plies && position.passes_in_a_row() == 0) {
      random->choose({&request, 1}, {&choice, 1});
    }
    return choice;
  });
}

// Our engine and GNU Go with one game between them.
class Duel {
 public:
  Duel(int n, int seed, std::shared_ptr<Player> player)
      : size_(BoardSize::square(n)),
        ours_(std::move(player),
              {.version = "", .rules = rules_on(n, 7.5), .seed = static_cast<std::uint64_t>(seed)}),
        theirs_(gnugo_command(seed), 60) {
    for (const std::string& command :
         {"boardsize " + std::to_string(n), std::string("clear_board"), std::string("komi 7.5")}) {
      tell_us(command);
      theirs_.tell(command);
    }
  }

  // Black's stones on the star points for a start; White moves next. Played one by one, because GNU
  // Go gives White points for a handicap that is called so.
  void place_black_stones(int count) {
    for (const Point p : fixed_handicap_points(size_, count)) {
      const std::string command = "play black " + to_text(p, size_);
      tell_us(command);
      theirs_.tell(command);
    }
    first_color_ = 1;
  }

  // Plays until two passes, our engine as Black if so asked. Every move must be accepted by the
  // other side; false if one is not or the game does not end.
  bool play_out(bool we_are_black) {
    bool our_turn = we_are_black == (first_color_ == 0);
    for (int ply = 0; ply < 4 * size_.area(); ++ply, our_turn = !our_turn) {
      const std::string color = (ply + first_color_) % 2 == 0 ? "black" : "white";
      const std::string move =
          our_turn ? tell_us("genmove " + color) : theirs_.tell("genmove " + color);
      if (our_turn) {
        theirs_.tell("play " + color + " " + move);
      } else {
        tell_us("play " + color + " " + move);
      }
      if (::testing::Test::HasFailure()) return false;
      if (ours_.position().is_over()) return true;
    }
    return false;
  }

  // GNU Go's board: X, O and . by BoardSize::index.
  std::string their_board() {
    std::string board(static_cast<std::size_t>(size_.area()), '.');
    for (const auto& [color, mark] : {std::pair{"black", 'X'}, std::pair{"white", 'O'}}) {
      std::istringstream stones(theirs_.tell(std::string("list_stones ") + color));
      for (std::string name; stones >> name;) board[size_.index(*parse_point(name, size_))] = mark;
    }
    return board;
  }

  std::string our_board() const {
    std::string board;
    for (int i = 0; i < size_.area(); ++i) {
      const Stone stone = ours_.position().board().stone_at(size_.point(i));
      board += stone == Stone::kEmpty ? '.' : stone == Stone::kBlack ? 'X' : 'O';
    }
    return board;
  }

  std::string our_score() { return tell_us("final_score"); }
  std::string their_score() { return theirs_.tell("final_score"); }
  BoardSize size() const { return size_; }
  int ply() const { return ours_.position().ply(); }

 private:
  std::string tell_us(const std::string& command) {
    const std::string answer = ours_.answer(command);
    EXPECT_EQ(answer[0], '=') << command << ": " << answer;
    const auto first = answer.find_first_not_of("= \n");
    return first == std::string::npos ? "" : answer.substr(first, answer.size() - first - 2);
  }

  BoardSize size_;
  GtpEngine ours_;
  GtpClient theirs_;
  int first_color_ = 0;
};

// Area of the board by a flood fill of its own, with komi 7.5: "B+3.5".
std::string flood_score(const std::string& board, int n) {
  double margin = -7.5;
  std::set<int> done;
  for (int start = 0; start < n * n; ++start) {
    if (board[start] != '.') {
      margin += board[start] == 'X' ? 1 : -1;
      continue;
    }
    if (done.contains(start)) continue;
    std::set<int> region, touched;
    std::vector<int> open = {start};
    while (!open.empty()) {
      const int p = open.back();
      open.pop_back();
      if (board[p] != '.') {
        touched.insert(board[p]);
        continue;
      }
      if (!region.insert(p).second) continue;
      if (p % n > 0) open.push_back(p - 1);
      if (p % n < n - 1) open.push_back(p + 1);
      if (p >= n) open.push_back(p - n);
      if (p < n * (n - 1)) open.push_back(p + n);
    }
    done.insert(region.begin(), region.end());
    if (touched.size() == 1) {
      margin += (*touched.begin() == 'X' ? 1 : -1) * static_cast<int>(region.size());
    }
  }
  std::ostringstream text;
  text << (margin > 0 ? "B+" : "W+") << std::abs(margin);
  return text.str();
}

class GnuGo : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::access(kGnuGo, X_OK) != 0) GTEST_SKIP() << kGnuGo << " is not installed";
  }
};

void expect_agreement(Duel& duel, bool we_are_black) {
  ASSERT_TRUE(duel.play_out(we_are_black)) << "after " << duel.ply() << " moves";
  const std::string board = duel.their_board();
  EXPECT_EQ(duel.our_board(), board);
  EXPECT_EQ(duel.our_score(), flood_score(board, duel.size().width));
}

TEST_F(GnuGo, PlaysAWhole9x9GameWithUs) {
  Duel duel(9, 7, make_rollout_player(30));
  expect_agreement(duel, true);
}

TEST_F(GnuGo, PlaysAWhole19x19GameWithUs) {
  Duel duel(19, 7, random_player_until(40));
  expect_agreement(duel, false);
}

TEST_F(GnuGo, CountsAsWeDoInNineOfTenShortGames) {
  int agreed = 0;
  for (int game = 0; game < 10; ++game) {
    // Stones for us: without them GNU Go takes the whole board, which is easily counted.
    Duel duel(7, game, make_rollout_player(300));
    duel.place_black_stones(2 + game % 3);
    expect_agreement(duel, true);
    const std::string theirs = duel.their_score(), ours = duel.our_score();
    agreed += ours == theirs ? 1 : 0;
    std::printf("game %d: %d moves, ours %s, GNU Go's %s\n", game, duel.ply(), ours.c_str(),
                theirs.c_str());
  }
  EXPECT_GE(agreed, 9);
}

TEST_F(GnuGo, IsAPlayerInAMatch) {
  const auto gnugo = make_gtp_player(gnugo_command(1), 60);
  const auto random = make_random_player();
  const ArenaOptions options{.rules = rules_on(7, 7.5), .pairs = 2, .opening_moves = 2};
  const MatchResult match = play_match(*gnugo, *random, options);
  EXPECT_EQ(match.a, "GNU Go");
  EXPECT_GE(match.score.wins, 3) << to_text(match.score);
}

}  // namespace
}  // namespace tengen
