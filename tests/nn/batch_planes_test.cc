// The planes that GameBatch makes of its games are those of the networks' features.

#include <gtest/gtest.h>

#include "nn/features.h"
#include "rules/batch.h"
#include "rules/engine.h"
#include "rules/presets.h"

namespace tengen {
namespace {

std::vector<Rules> mixed_rules(int games) {
  constexpr std::array<BoardSize, 6> kSizes = {
      {{9, 9}, {19, 19}, {13, 13}, {4, 6}, {12, 10}, {16, 19}}};
  std::vector<Rules> all(games);
  for (int i = 0; i < games; ++i) {
    all[i].size = kSizes[i % kSizes.size()];
    all[i].ko = static_cast<Ko>(i % 3);
    all[i].multi_stone_suicide = i % 4 == 1;
  }
  for (const Preset& preset : presets()) all.push_back(preset.rules);
  return all;
}

TEST(BatchPlanes, EqualTheFeaturesOfTheSamePositions) {
  const InstructionSet before = instruction_set_in_use();
  const auto rules = mixed_rules(24);
  for (const InstructionSet set : available_instruction_sets()) {
    use_instruction_set(set);
    GameBatch batch(rules, {.threads = 2, .seed = 3});
    std::vector<Position> positions(rules.begin(), rules.end());
    std::vector<GameBatch::MoveIndex> moves(rules.size());
    std::vector<Planes> with_area(rules.size());
    std::vector<Planes> without_area(rules.size());
    for (int round = 0; round < 500; ++round) {
      batch.encode(with_area, GameBatch::AreaPlanes::kYes);
      batch.encode(without_area, GameBatch::AreaPlanes::kNo);
      batch.random_moves(moves);
      for (int i = 0; i < batch.size(); ++i) {
        auto expected = features_of(positions[i], FeatureSchema::kV7NoLadders).planes;
        for (int plane = 0; plane < kPlanes; ++plane) {
          ASSERT_EQ(with_area[i][plane], expected[plane])
              << "plane " << plane << ", game " << i << ", move " << round;
        }
        expected[kPlaneOwnArea] = expected[kPlaneOpponentArea] = PointSet();
        ASSERT_EQ(without_area[i], expected);
        if (moves[i] == GameBatch::kNoMove) continue;
        const BoardSize size = positions[i].size();
        positions[i].play(moves[i] == size.area() ? Move::pass() : Move(size.point(moves[i])));
      }
      batch.play(moves);
    }
  }
  use_instruction_set(before);
}

}  // namespace
}  // namespace tengen
