#pragma once

#include <string>

#include "train/run_options.h"

namespace tengen {

// `tengen bench WHAT`: selfplay, rules or train. Each prints its figures with the limit they are
// measured against in the same run.
struct BenchRequest {
  std::string what;
  double seconds = 0;  // 0: the bench's own
};
int run_bench(const RunConfig& config, const BenchRequest& request);

}  // namespace tengen
