#include "rules/sgf_game.h"

#include <gtest/gtest.h>

#include "rules/playout.h"

namespace tengen {
namespace {

constexpr Color kBlack = Color::kBlack;
constexpr Color kWhite = Color::kWhite;

SgfGame game_in(std::string_view text) {
  return game_of(parse_sgf(text).front());
}

std::vector<SgfTree> sample(const std::string& name) {
  return read_sgf(std::string(TENGEN_SOURCE_DIR "/tests/rules/sgf/") + name);
}

std::string error_of(std::string_view text) {
  try {
    game_in(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// "B D4 W pass"
std::string moves_of(const SgfGame& game) {
  std::string text;
  for (const auto& [color, move] : game.moves) {
    text += text.empty() ? "" : " ";
    text += (color == kBlack ? "B " : "W ") + to_text(move, game.size());
  }
  return text;
}

TEST(SgfGame, ReadsAHandicapGameOfGnuGo) {
  const SgfGame game = game_of(sample("gnugo.sgf").front());
  EXPECT_EQ(game.setup, board_from_text(R"(
      . . . . . . . . .
      . . . . . . . . .
      . . . . . . X . .
      . . . . . . . . .
      . . . . . . . . .
      . . . . . . . . .
      . . X . . . . . .
      . . . . . . . . .
      . . . . . . . . .)"));
  EXPECT_EQ(game.to_move, kWhite);
  EXPECT_EQ(moves_of(game), "W E5 B G5 W G3 B F3 W pass B pass");
  EXPECT_EQ(game.handicap, 2);
  EXPECT_EQ(game.komi, Komi::from_half_points(1));
  EXPECT_EQ(game.rules, "Japanese");
  EXPECT_EQ(game.black_name, "GNU Go 3.8");
  EXPECT_EQ(game.application, "GNU Go:3.8");
  EXPECT_EQ(game.result, "");
}

TEST(SgfGame, ReadsAnyLineOfATreeOfSabaki) {
  const SgfTree tree = sample("sabaki.sgf").front();
  EXPECT_EQ(moves_of(game_of(tree)), "B Q16 W D4 B Q4 W D16 B F3");
  EXPECT_EQ(moves_of(game_of(tree, 6)), "B Q16 W D4 B Q4 W D16 B C17");
  EXPECT_EQ(moves_of(game_of(tree, tree.size() - 1)), "B Q16 W D4 B D17 W Q3");
  EXPECT_EQ(moves_of(game_of(tree, SgfTree::kRoot)), "");
  EXPECT_EQ(game_of(tree, SgfTree::kRoot).white_name, "Bülow");
  EXPECT_EQ(tree.node(4).find("N")->values.front().text(), "main: line");
  EXPECT_EQ(tree.node(6).find("C")->values.front().text(), "an invasion]\nof the corner");
}

TEST(SgfGame, ReadsTheCollectionsOfKataGo) {
  const std::vector<SgfTree> games = sample("katago.sgfs");
  ASSERT_EQ(games.size(), 2u);
  const SgfGame game = game_of(games[0]);
  EXPECT_EQ(game.size(), (BoardSize{7, 9}));
  EXPECT_EQ(moves_of(game), "B D4 W D5 B pass W pass");
  EXPECT_EQ(game.to_move, kBlack);
  EXPECT_EQ(game.setup.stones(kWhite).count(), 2);
  EXPECT_EQ(game.setup.stone_at(*parse_point("E6", game.size())), Stone::kWhite);
  EXPECT_EQ(game.komi, Komi::from_half_points(17));
  EXPECT_EQ(game.rules, "koPOSITIONALscoreAREAtaxNONEsui1");
  EXPECT_EQ(game.handicap, 0);
  EXPECT_EQ(game_of(games[1]).result, "B+R");
}

TEST(SgfGame, ReadsTheNestedLineOfOgs) {
  const SgfGame game = game_of(sample("ogs.sgf").front());
  EXPECT_EQ(game.size(), BoardSize::square(13));
  EXPECT_EQ(moves_of(game), "B K10 W D4 B K4 W D10 B pass W pass");
  EXPECT_EQ(game.white_name, "büttner");
  EXPECT_EQ(game.black_rank, "5k");
  EXPECT_EQ(game.time, "600");
  EXPECT_EQ(game.overtime, "5x30 byo-yomi");
  EXPECT_EQ(game.place, "OGS: https://online-go.com/game/12345678");
  EXPECT_EQ(game.date, "2024-05-31");
  EXPECT_EQ(game.charset, "UTF-8");
}

TEST(SgfGame, ReadsAnOldFileInAMail) {
  const SgfGame game = game_of(sample("mail.sgf").front());
  EXPECT_EQ(moves_of(game), "B C7 W G3 B G7 W pass B pass");
  EXPECT_EQ(game.black_name, "Ada 2d");
  EXPECT_EQ(game.komi, Komi::from_half_points(11));
}

TEST(SgfGame, AnEmptyNodeIsAnEmpty19x19BoardOfWhichNothingIsSaid) {
  EXPECT_EQ(game_in("(;)"), SgfGame());
  EXPECT_EQ(game_in("(;)").setup, Board(BoardSize::square(19)));
  EXPECT_EQ(game_in("(;KM[]HA[])").komi, std::nullopt);
}

TEST(SgfGame, SizesAreColumnsThenRows) {
  EXPECT_EQ(game_in("(;SZ[2])").size(), BoardSize::square(2));
  EXPECT_EQ(game_in("(;SZ[9:13])").size(), (BoardSize{9, 13}));
  EXPECT_EQ(game_in("(;SZ[ 9:9 ])").size(), BoardSize::square(9));
}

TEST(SgfGame, PassesAreEmptyOrTt) {
  EXPECT_EQ(moves_of(game_in("(;B[];W[tt];B[ ])")), "B pass W pass B pass");
  EXPECT_EQ(moves_of(game_in("(;SZ[5];B[];W[tt])")), "B pass W pass");
}

TEST(SgfGame, PointListsMayBeRectanglesByTwoCorners) {
  const Board expected = board_from_text(R"(
      X X X . .
      X . X O .
      . . . O .
      . . . . .)");
  EXPECT_EQ(game_in("(;SZ[5:4]AB[aa:cb]AE[bb]AW[db:dc])").setup, expected);
  EXPECT_EQ(game_in("(;SZ[5:4]AB[cb:aa]AE[bb:bb]AW[dc:db])").setup, expected);
}

TEST(SgfGame, SetUpStonesMayComeInSeveralNodesAndTheLaterOnesStay) {
  const SgfGame game = game_in("(;SZ[3]AB[aa][bb];AW[bb]AE[aa];AB[cc];B[ac])");
  EXPECT_EQ(game.setup, board_from_text(R"(
      . . .
      . O .
      . . X)"));
}

TEST(SgfGame, SetUpStonesOfANodeComeBeforeItsMoves) {
  const SgfGame game = game_in("(;SZ[3]B[aa]AW[ba])");
  EXPECT_EQ(game.setup.stones(kWhite).count(), 1);
  EXPECT_EQ(moves_of(game), "B A3");
}

TEST(SgfGame, TheSideToMoveIsSaidOrThatOfTheFirstMoveOrWhiteAfterAHandicap) {
  EXPECT_EQ(game_in("(;PL[W])").to_move, kWhite);
  EXPECT_EQ(game_in("(;PL[white])").to_move, kWhite);
  EXPECT_EQ(game_in("(;AB[aa]PL[b])").to_move, kBlack);
  EXPECT_EQ(game_in("(;AB[aa];B[bb])").to_move, kBlack);
  EXPECT_EQ(game_in("(;;W[bb])").to_move, kWhite);
  EXPECT_EQ(game_in("(;PL[B];W[bb])").to_move, kBlack);
  EXPECT_EQ(game_in("(;AB[aa])").to_move, kWhite);
  EXPECT_EQ(game_in("(;AB[aa]AW[bb])").to_move, kBlack);
  EXPECT_EQ(game_in("(;B[aa]PL[B];PL[W])").to_move, kBlack) << "after a move its colour says it";
}

TEST(SgfGame, MovesOfOneNodeAndOfOneColourInARowAreKept) {
  EXPECT_EQ(moves_of(game_in("(;SZ[9];B[aa]W[bb];B[cc][dd])")), "B A9 W B8 B C7 B D6");
}

TEST(SgfGame, KoAndSuicideAreTheAffairOfTheRules) {
  const SgfGame game = game_in("(;SZ[3]AB[ba][ab];W[aa];B[aa];W[])");
  EXPECT_EQ(moves_of(game), "W A3 B A3 W pass");
}

TEST(SgfGame, DataOfTheGameMayStandInAnyNodeOfTheLine) {
  const SgfTree tree = parse_sgf("(;SZ[9](;KM[5.5]PB[A];B[aa])(;KM[7]PB[B]))").front();
  EXPECT_EQ(game_of(tree).komi, Komi::from_half_points(11));
  EXPECT_EQ(game_of(tree, 3).black_name, "B");
}

TEST(SgfGame, BadGamesAreErrorsThatNameThePlace) {
  const std::pair<const char*, const char*> kCases[] = {
      {"(;GM[2])", "line 1, column 5: expected GM[1], a game of Go, found [2]"},
      {"(;SZ[1])",
       "line 1, column 5: expected a size from 2 to 19, or two of them as 9:13, found [1]"},
      {"(;SZ[20])",
       "line 1, column 5: expected a size from 2 to 19, or two of them as 9:13, found [20]"},
      {"(;SZ[9x9])",
       "line 1, column 5: expected a size from 2 to 19, or two of them as 9:13, found [9x9]"},
      {"(;SZ[9:])",
       "line 1, column 5: expected a size from 2 to 19, or two of them as 9:13, found [9:]"},
      {"(;SZ[])",
       "line 1, column 5: expected a size from 2 to 19, or two of them as 9:13, found []"},
      {"(;KM[3.75])",
       "line 1, column 5: expected komi, a multiple of 0.5 within +-400, found [3.75]"},
      {"(;HA[two])", "line 1, column 5: expected a number of handicap stones, found [two]"},
      {"(;HA[-1])", "line 1, column 5: expected a number of handicap stones, found [-1]"},
      {"(;HA[362])", "line 1, column 5: expected a number of handicap stones, found [362]"},
      {"(;PL[1])", "line 1, column 5: expected PL[B] or PL[W], found [1]"},
      {"(;SZ[9]\n;AB[aa]\n[ja])",
       "line 3, column 1: expected a point or a rectangle on 9x9, found [ja]"},
      {"(;SZ[9];AW[aa:aj])",
       "line 1, column 11: expected a point or a rectangle on 9x9, found [aa:aj]"},
      {"(;SZ[9];AE[])", "line 1, column 11: expected a point or a rectangle on 9x9, found []"},
      {"(;SZ[9];AB[tt])", "line 1, column 11: expected a point or a rectangle on 9x9, found [tt]"},
      {"(;SZ[9:2];B[ac])", "line 1, column 12: expected a move on 9x2, found [ac]"},
      {"(;SZ[9];B[D4])", "line 1, column 10: expected a move on 9x9, found [D4]"},
      {"(;SZ[9];B[dda])", "line 1, column 10: expected a move on 9x9, found [dda]"},
      {"(;B[dd];W[dd])", "line 1, column 10: expected a move on an empty point, found [dd]"},
      {"(;AB[dd];W[dd])", "line 1, column 11: expected a move on an empty point, found [dd]"},
      {"(;B[dd];AW[cc])",
       "line 1, column 11: expected no set-up stones after the first move, found [cc]"},
      {"(;SZ[2]AB[aa][ab]AW[ba][bb])",
       "line 1, column 24: expected stones with which every set-up chain has a liberty, found "
       "[bb]"},
  };
  for (const auto& [text, message] : kCases) EXPECT_EQ(error_of(text), message) << text;
}

TEST(SgfGame, IsWrittenInAFixedOrder) {
  SgfGame game;
  game.setup = board_from_text(R"(
      X . .
      . . O)");
  game.to_move = kWhite;
  game.moves = {{kWhite, Point::at(0, 2)}, {kBlack, Move::pass()}};
  game.komi = Komi::from_half_points(-7);
  game.handicap = 2;
  game.rules = "[x] \\";
  game.result = "B+0.5";
  game.charset = "UTF-8";
  EXPECT_EQ(to_text(tree_of(game)),
            "(;FF[4]GM[1]SZ[3:2]CA[UTF-8]RU[[x\\] \\\\]RE[B+0.5]KM[-3.5]HA[2]AB[aa]AW[cb]PL[W]"
            ";W[ca];B[])\n");
  EXPECT_EQ(to_text(tree_of(SgfGame())), "(;FF[4]GM[1]SZ[19])\n");
}

TEST(SgfGame, RandomGamesOnAllKindsOfBoardsGoRound) {
  for (const BoardSize size :
       {BoardSize{2, 2}, BoardSize{19, 2}, BoardSize{7, 10}, BoardSize{19, 19}}) {
    for (int seed = 0; seed < 5; ++seed) {
      Rng rng(23, seed);
      Rules rules;
      rules.size = size;
      Position position(rules);
      play_random_game(position, rng, static_cast<int>(rng.below(size.area() / 2)));
      SgfGame game;
      game.setup = position.board();
      game.to_move = position.to_move();
      game.komi = Komi::from_half_points(static_cast<int>(rng.below(40)) - 20);
      while (!position.is_over()) {
        game.moves.push_back({position.to_move(), random_move(position, rng)});
        position.play(game.moves.back().move);
      }
      const SgfTree tree = tree_of(game);
      ASSERT_EQ(game_of(tree), game);
      ASSERT_EQ(game_of(parse_sgf(to_text(tree)).front()), game);
    }
  }
}

TEST(SgfGame, NodeIOfAWrittenTreeIsMoveI) {
  SgfGame game;
  game.moves = {{kBlack, Point::at(3, 3)}, {kWhite, Point::at(15, 15)}};
  SgfTree tree = tree_of(game);
  tree.node(2).add("C", "the second move");
  EXPECT_EQ(to_text(tree), "(;FF[4]GM[1]SZ[19];B[dd];W[pp]C[the second move])\n");
}

}  // namespace
}  // namespace tengen
