#pragma once

#include <memory>
#include <vector>

#include "nn/network.h"
#include "rules/dead_stones.h"

namespace tengen {

// A network's opinion about who will own each point, for the judge of dead stones: the mean of what
// it says of the board with either side to move, through all symmetries. Computed in fp32 on the
// parameters' device, which takes as long as some sixteen evaluations. One caller at a time.
class NetOwnership : public OwnershipSource {
 public:
  explicit NetOwnership(std::shared_ptr<const Network> network);
  std::vector<float> black_ownership(const Board& board, const Rules& rules) override;

 private:
  std::shared_ptr<const Network> network_;
};

}  // namespace tengen
