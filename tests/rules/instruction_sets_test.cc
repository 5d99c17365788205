// All instruction sets play the same games, bit by bit, and may even change in the middle of one.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "rules/engine.h"
#include "rules/ladder.h"
#include "rules/playout.h"
#include "rules/position.h"

namespace tengen {
namespace {

class InstructionSets : public testing::Test {
 protected:
  ~InstructionSets() override { use_instruction_set(before_); }
  InstructionSet before_ = instruction_set_in_use();
};

Rules rules_of(int game) {
  constexpr std::array<BoardSize, 8> kSizes = {
      {{9, 9}, {7, 9}, {2, 2}, {13, 13}, {13, 10}, {19, 19}, {19, 5}, {14, 17}}};
  Rules rules;
  rules.size = kSizes[game % kSizes.size()];
  rules.ko = static_cast<Ko>(game % 3);
  rules.multi_stone_suicide = game % 2 == 0;
  rules.single_stone_suicide = game % 5 == 0;
  return rules;
}

// What there is to ask of a position.
struct Answers {
  std::array<PointSet, 2> legal;
  PointSet here, banned;
  std::array<PointSet, 2> eyes, area, dead_removed, alive;
  std::array<PointSet, 3> by_liberties, captured;
  PointSet working;
  std::uint64_t hash;
  friend bool operator==(const Answers&, const Answers&) = default;

  explicit Answers(const Position& p) : here(p.legal_points()), banned(p.ko_banned()) {
    for (const Color c : {Color::kBlack, Color::kWhite}) {
      legal[index_of(c)] = p.board().legal(c, true, false);
      eyes[index_of(c)] = p.board().single_point_eyes(c);
      alive[index_of(c)] = pass_alive(p.board(), c, false).stones;
    }
    area = tengen::area(p.board());
    dead_removed = area_pass_dead_removed(p.board(), p.rules().multi_stone_suicide);
    by_liberties = p.board().stones_by_liberties();
    const auto past = p.past_boards();
    const Ladders ladders =
        read_ladders(p.board(), p.to_move(), std::span(past).first(std::min(p.ply(), 2)));
    captured = ladders.captured;
    working = ladders.working;
    hash = p.hash();
  }
};

TEST_F(InstructionSets, GiveTheSameAnswersAndTheSameGames) {
  const auto sets = available_instruction_sets();
  for (int game = 0; game < 48; ++game) {
    std::vector<Position> positions(sets.size(), Position(rules_of(game)));
    std::vector<Rng> rngs(sets.size(), Rng(3, game));
    for (int part = 0; part < 12; ++part) {
      std::vector<Answers> answers;
      for (std::size_t i = 0; i < sets.size(); ++i) {
        use_instruction_set(sets[i]);
        play_random_game(positions[i], rngs[i], positions[i].size().area() / 6);
        answers.emplace_back(positions[i]);
        ASSERT_TRUE(answers.back() == answers.front())
            << kInstructionSetNames[static_cast<std::size_t>(sets[i])] << ", game " << game;
      }
    }
  }
}

TEST_F(InstructionSets, MayChangeInTheMiddleOfAGame) {
  const auto sets = available_instruction_sets();
  for (int game = 0; game < 24; ++game) {
    Position steady(rules_of(game));
    Position changing(rules_of(game));
    Rng steady_rng(4, game);
    Rng changing_rng(4, game);
    for (int part = 0; part < 40; ++part) {
      use_instruction_set(sets.front());
      play_random_game(steady, steady_rng, 9);
      use_instruction_set(sets[part % sets.size()]);
      play_random_game(changing, changing_rng, 9);
      ASSERT_TRUE(Answers(steady) == Answers(changing));
    }
  }
}

}  // namespace
}  // namespace tengen
