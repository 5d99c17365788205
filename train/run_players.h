#pragma once

#include <filesystem>
#include <memory>

#include "eval/playable_net.h"
#include "nn/net_evaluator.h"

namespace tengen {

// Loads the net that `path` names (resolve_net in nn/net_source.h), calibrated on this machine for
// boards up to `largest`, now or at an earlier start (nn/calibration_cache.h). Throws Error.
std::shared_ptr<NetEvaluator> open_evaluator(const std::filesystem::path& path,
                                             const EvaluatorOptions& options, BoardSize largest);

// A net computed by LibTorch, on the first GPU if there is one. Calibrated likewise for each
// board that it is asked for. Throws Error.
std::unique_ptr<PlayableNet> open_torch_net(const std::filesystem::path& path);

}  // namespace tengen
