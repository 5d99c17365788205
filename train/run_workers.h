#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nn/net_evaluator.h"
#include "train/run_options.h"

namespace tengen {

// How self-play is spread over this machine.

// Threads, as configured, or one per core.
int worker_threads(const RunConfig& config);
// Pools of games of each thread: two, which take turns (selfplay/selfplay_session.h), where a GPU
// computes, else one. UsageError for a device that this machine has not.
int pools_per_thread(const RunConfig& config);
// The largest of the boards that are played on.
BoardSize largest_board(const RunConfig& config);
// Evaluators of one network, one for each pool: on the config's devices in turn.
std::vector<std::shared_ptr<NetEvaluator>> net_evaluators(
    const RunConfig& config, const std::shared_ptr<const Network>& network, const std::string& id,
    const Calibration& how, int count);

}  // namespace tengen
