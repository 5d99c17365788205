#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "nn/evaluator.h"
#include "nn/net_outputs.h"

namespace tengen {

// A net that can play, however it is computed: by LibTorch or by nn/cpu_network.h.
class PlayableNet {
 public:
  virtual ~PlayableNet() = default;
  virtual std::string id() const = 0;
  // What it was made to see.
  virtual FeatureSchema features() const = 0;
  // Computes it for boards up to `largest`, in the fastest arithmetic that agrees with fp32 on this
  // machine: finding that out may take some seconds. Throws Error.
  virtual std::shared_ptr<Evaluator> evaluator(BoardSize largest) = 0;
  // All that it says, in fp32: for comparisons and for the judge of dead stones. One caller at a
  // time.
  virtual std::vector<RawOutputs> answers(std::span<const EvaluationInput> inputs) = 0;
};

// Opens what resolve_net (nn/net_source.h) finds by this name. Throws Error.
using OpenNet = std::function<std::unique_ptr<PlayableNet>(const std::filesystem::path&)>;

}  // namespace tengen
