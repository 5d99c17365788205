#pragma once

#include <vector>

#include "rules/move.h"

namespace tengen {

// What a search found. Everything for the side to move at the root.
struct SearchResult {
  Move move = Move::pass();  // the move to play
  // [area + 1] what the network is to learn, over legal moves, sums to 1: the improved policy, or
  // in PUCT the visits after pruning.
  std::vector<float> policy;
  std::vector<float> prior;  // [area + 1] the network's, over legal moves
  std::vector<int> visits;   // [area + 1] simulations through each move
  float win = 0.5F;          // win probability of the root after search, a draw is half
  float utility = 0;         // value of the root after search, in [-1, 1]
  float score = 0;           // expected margin in points after search
  float no_result = 0;       // probability after search
  // The network's own opinion of the root: `win` with half of no result, as above.
  float raw_win = 0.5F;
  float raw_score = 0;
  float raw_no_result = 0;
  float policy_surprise = 0;  // KL(policy || prior), nats, >= 0
  int evaluations = 0;        // network rows asked for: at most 1 + options.visits
};

}  // namespace tengen
