#pragma once

#include "eval/playable_net.h"
#include "nn/cpu_network.h"

namespace tengen {

// A net computed without LibTorch, on one core (nn/cpu_evaluator.h), from whatever find_net
// (nn/net_source.h) finds. Throws Error.
std::unique_ptr<PlayableNet> open_cpu_net(const std::filesystem::path& path);

// The path that such a net plays by: the fastest of this machine. One that rounds (bf16) is taken
// only if it stays near fp32 on positions of games on `board`: 0.02 in the probability of each
// move, 0.01 in those of the result. The same on each start: nothing is timed.
CpuPath playing_path(const std::shared_ptr<const NetModel>& model, BoardSize board,
                     FeatureSchema features);

}  // namespace tengen
