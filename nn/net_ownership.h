#pragma once

#include <vector>

#include "nn/net_outputs.h"
#include "rules/dead_stones.h"

namespace tengen {

// A network's opinion about who will own each point, for the judge of dead stones: the mean of what
// it says of the board with either side to move, through all symmetries: sixteen evaluations. One
// caller at a time.
class NetOwnership : public OwnershipSource {
 public:
  // `features`: those that the net was made to see.
  NetOwnership(NetAnswers answers, FeatureSchema features);
  std::vector<float> black_ownership(const Board& board, const Rules& rules) override;

 private:
  NetAnswers answers_;
  FeatureSchema features_;
};

}  // namespace tengen
