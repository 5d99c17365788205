// Legal moves in random games against GNU Go 3.8 (Debian package gnugo). Superko is compared
// without suicide only: with it GNU Go lets the empty board come back. Skipped where it is not
// installed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <sstream>

#include "eval/gtp_client.h"
#include "rules/playout.h"
#include "rules/rules_text.h"

namespace tengen {
namespace {

constexpr const char* kGnuGo = "/usr/games/gnugo";

struct Variant {
  const char* options;  // GNU Go's
  Ko ko;
  bool multi_stone_suicide, single_stone_suicide;
};
constexpr Variant kVariants[] = {
    {"--simple-ko --forbid-suicide", Ko::kSimple, false, false},
    {"--simple-ko --allow-suicide", Ko::kSimple, true, false},
    {"--simple-ko --allow-all-suicide", Ko::kSimple, true, true},
    {"--positional-superko --forbid-suicide", Ko::kPositional, false, false},
    {"--situational-superko --forbid-suicide", Ko::kSituational, false, false},
};

PointSet legal_points_of(GtpClient& gnugo, const Position& position) {
  PointSet points;
  const std::string color = name_of(position.to_move());
  std::istringstream names(gnugo.tell("all_legal " + color));
  for (std::string name; names >> name;) {
    points.insert(position.size().index(*parse_point(name, position.size())));
  }
  return points;
}

struct Compared {
  int positions = 0, banned = 0;
};

// One random game; `gnugo` was started for its rules.
void compare_game(GtpClient& gnugo, const Rules& rules, Rng rng, Compared& compared) {
  Position position(rules);
  gnugo.tell("boardsize " + std::to_string(rules.size.width));
  gnugo.tell("clear_board");
  for (int i = 0; i < 2 * rules.size.area() && !position.is_over(); ++i) {
    ASSERT_EQ(legal_points_of(gnugo, position), position.legal_points())
        << to_text(rules) << "\n"
        << position.board().to_text();
    ++compared.positions;
    compared.banned += position.ko_banned().count();
    const Move move = random_move(position, rng);
    gnugo.tell(std::string("play ") + name_of(position.to_move()) + " " +
               to_text(move, rules.size));
    position.play(move);
  }
}

TEST(GnuGoLegality, LegalMovesInRandomGamesAreTheSame) {
  if (::access(kGnuGo, X_OK) != 0) GTEST_SKIP() << kGnuGo << " is not installed";
  constexpr int kGames = 150;
  Compared compared;
  for (const auto& [options, ko, multi, single] : kVariants) {
    Rules rules;
    rules.ko = ko;
    rules.multi_stone_suicide = multi;
    rules.single_stone_suicide = single;
    GtpClient gnugo(std::string(kGnuGo) + " --mode gtp " + options);
    for (int game = 0; game < kGames && !HasFailure(); ++game) {
      rules.size = BoardSize::square(2 + game % 8);
      compare_game(gnugo, rules, Rng(2026, static_cast<std::uint64_t>(game)), compared);
    }
  }
  EXPECT_GT(compared.banned, 200);
  std::printf("%d positions, %d bans\n", compared.positions, compared.banned);
}

}  // namespace
}  // namespace tengen
