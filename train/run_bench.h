#pragma once

#include <string>

#include "train/run_options.h"

namespace tengen {

// `tengen bench eval`, `selfplay` and `train`: each prints its figures with the limit they are
// measured against in the same run.
struct BenchRequest {
  std::string what;
  std::string net;     // of eval and selfplay: found as nn/net_source.h says; "": a fresh one
  double seconds = 0;  // 0: the bench's own
};
int run_bench(const RunConfig& config, const BenchRequest& request);

}  // namespace tengen
