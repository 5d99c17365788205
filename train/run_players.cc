#include "train/run_players.h"

#include <iostream>

#include "nn/calibration_cache.h"
#include "nn/net_import.h"
#include "nn/net_source.h"
#include "nn/network_outputs.h"

namespace tengen {
namespace {

class TorchNet : public PlayableNet {
 public:
  explicit TorchNet(LoadedNet net)
      : network_(std::make_shared<const Network>(std::move(net.network))),
        id_(std::move(net.info.id)) {}

  std::string id() const override { return id_; }
  FeatureSchema features() const override { return network_->shape().features; }

  std::shared_ptr<Evaluator> evaluator(BoardSize largest) override {
    const auto calibration = calibrations_.calibrate(*network_, EvaluatorOptions(), largest);
    return std::make_shared<NetEvaluator>(network_, id_, calibration, largest);
  }

  std::vector<RawOutputs> answers(std::span<const EvaluationInput> inputs) override {
    return raw_outputs(*network_, inputs);
  }

 private:
  std::shared_ptr<const Network> network_;
  std::string id_;
  CalibrationCache calibrations_{calibrations_directory(), std::cerr};
};

}  // namespace

std::shared_ptr<NetEvaluator> open_evaluator(const std::filesystem::path& path,
                                             const EvaluatorOptions& options, BoardSize largest) {
  auto loaded = open_net(resolve_net(path));
  auto network = std::make_shared<const Network>(std::move(loaded.network));
  CalibrationCache calibrations(calibrations_directory(), std::cerr);
  const auto calibration = calibrations.calibrate(*network, options, largest);
  return std::make_shared<NetEvaluator>(network, loaded.info.id, calibration, largest);
}

std::unique_ptr<PlayableNet> open_torch_net(const std::filesystem::path& path) {
  return std::make_unique<TorchNet>(open_net(resolve_net(path)));
}

}  // namespace tengen
