// Games that end in an agreement on dead stones, over GTP.

#include <gtest/gtest.h>

#include <memory>

#include "eval/gtp.h"
#include "rules/presets.h"
#include "tests/eval/gtp_dialogue.h"
#include "tests/eval/players.h"

namespace tengen {
namespace {

GtpEngine engine_under(std::string_view preset) {
  return {make_random_player(),
          {.version = "1", .rules = preset_rules(preset, BoardSize::square(9)), .seed = 1}};
}

// Black owns the left with a wall on column E, White the right with one on F; a white stone at B2
// is dead inside Black's part, and a black one at H8 in White's.
void play_walls(GtpEngine& engine) {
  for (int row = 1; row <= 9; ++row) {
    const std::string number = std::to_string(row);
    ASSERT_EQ(engine.answer("play b E" + number), "=\n\n");
    ASSERT_EQ(engine.answer("play w F" + number), "=\n\n");
  }
  for (const char* move : {"play b H8", "play w B2", "play b pass", "play w pass"}) {
    ASSERT_EQ(engine.answer(move), "=\n\n") << move;
  }
}

TEST(GtpMarking, ClubAreaIsFinishedByMarksThatBothConfirm) {
  GtpEngine engine = engine_under("club-area");
  EXPECT_EQ(engine.answer("tengen-marks"), "? dead stones are marked after two passes\n\n");
  play_walls(engine);
  expect_dialogue(engine, R"(
      tengen-marks
      = scoring
      tengen-mark B2
      = B2
      final_status_list dead
      = B2
      final_score
      = B+29.5
      tengen-mark H8
      = H8 B2
      final_score
      = B+1.5
      tengen-confirm black
      = waiting for the other side
      tengen-confirm w
      = B+1.5
      final_score
      = B+1.5
      final_status_list seki
      =
      tengen-mark B2
      ? match: expected a match in scoring for marks, found it finished)");
  EXPECT_EQ(engine.answer("final_status_list dead"), "= H8\nB2\n\n");
}

TEST(GtpMarking, AChangeWithdrawsConfirmations) {
  GtpEngine engine = engine_under("club-area");
  play_walls(engine);
  expect_dialogue(engine, R"(
      tengen-confirm black
      = waiting for the other side
      tengen-mark B2 H8
      = H8 B2
      tengen-confirm white
      = waiting for the other side
      tengen-mark A1
      ? match: expected a stone to mark, found none there
      tengen-mark Z1
      ? syntax error
      tengen-confirm grey
      ? syntax error)");
  EXPECT_EQ(engine.answer("tengen-marks"), "= scoring\nconfirmed white\ndead H8 B2\n\n");
}

TEST(GtpMarking, ResumingForgetsTheMarksAndGivesTheTurnToTheOther) {
  GtpEngine engine = engine_under("club-area");
  play_walls(engine);
  expect_dialogue(engine, R"(
      tengen-mark B2
      = B2
      tengen-resume black
      = white to move
      tengen-marks
      ? dead stones are marked after two passes
      play w B3
      =
      play b pass
      =
      play w pass
      =
      tengen-marks
      = scoring)");
}

TEST(GtpMarking, AMoveAfterTwoPassesTakesPlayUpAgain) {
  GtpEngine engine = engine_under("traditional");
  play_walls(engine);
  expect_dialogue(engine, R"(
      play w B3
      =
      tengen-marks
      ? dead stones are marked after two passes
      undo
      =
      tengen-marks
      = scoring
      komi 6.5
      =
      tengen-marks
      = scoring
      undo
      =
      play w pass
      =
      tengen-marks
      = scoring)");
}

TEST(GtpMarking, AResumedGameIsTheSameAfterUndo) {
  GtpEngine engine = engine_under("club-area");
  expect_dialogue(engine, R"(
      play b E5
      =
      play w pass
      =
      play b pass
      =
      tengen-resume b
      = white to move
      play w pass
      =
      play b D4
      =
      undo
      =
      play b pass
      =
      tengen-marks
      = scoring)");
}

TEST(GtpMarking, TheScoreIsToldWithItsReasons) {
  GtpEngine engine = engine_under("traditional");
  play_walls(engine);
  engine.answer("tengen-mark B2 H8");
  EXPECT_EQ(engine.answer("tengen-score"), R"(= B+9
             black  white
territory       36     27
prisoners        1      1
points          37     28
# # # # X O + + +
# # # # X O + x +
# # # # X O + + +
# # # # X O + + +
# # # # X O + + +
# # # # X O + + +
# # # # X O + + +
# o # # X O + + +
# # # # X O + + +

)");
}

TEST(GtpMarking, OtherRulesKnowNoMarks) {
  GtpEngine engine = engine_under("casual-9x9");
  play_walls(engine);
  EXPECT_EQ(engine.answer("tengen-mark B2"), "? dead stones are not marked under these rules\n\n");
}

}  // namespace
}  // namespace tengen
