#pragma once

#include <iosfwd>
#include <vector>

#include "nn/network.h"

namespace tengen {

struct EvalBenchOptions {
  std::vector<int> sides = {9, 13, 19};  // of square boards
  std::vector<int> batches = {16, 64, 256};
  double seconds = 60;  // about, for everything
  int threads = 2;      // the larger number of threads, 1 is always measured too
};

// `tengen bench eval`: evaluations a second of one network on this machine's CPU, by who computes
// it, in which arithmetic, with how many positions at a time: LibTorch as it comes ("stock": a
// plain forward pass of prepared tensors), LibTorch with fused layers (nn/play_network_cpu.h), and
// the networks of nn/cpu_network.h on each path of this machine (from features on). All are timed
// in turn. With GFLOP/s of the operations that the definition asks for, their share of the peak
// that the path's arithmetic has in registers, and the ratio to the best that stock LibTorch does
// on one thread.
void bench_evaluators(const Network& network, const EvalBenchOptions& options, std::ostream& out);

}  // namespace tengen
