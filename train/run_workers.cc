#include "train/run_workers.h"

#include <algorithm>
#include <thread>

#include "nn/devices.h"

namespace tengen {

int worker_threads(const RunConfig& config) {
  if (config.run.threads > 0) return config.run.threads;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int pools_per_thread(const RunConfig& config) {
  return resolve_device(config.evaluator.device) == "cpu" ? 1 : 2;
}

BoardSize largest_board(const RunConfig& config) {
  return BoardSize::square(*std::ranges::max_element(config.games.sizes));
}

std::vector<std::shared_ptr<NetEvaluator>> net_evaluators(
    const RunConfig& config, const std::shared_ptr<const Network>& network, const std::string& id,
    const Calibration& how, int count) {
  const auto devices = resolve_devices(config.evaluator.device);
  std::vector<std::shared_ptr<NetEvaluator>> evaluators;
  for (int i = 0; i < count; ++i) {
    Calibration there = how;
    there.device = devices[static_cast<std::size_t>(i) % devices.size()];
    evaluators.push_back(std::make_shared<NetEvaluator>(network, id, there, largest_board(config)));
  }
  return evaluators;
}

}  // namespace tengen
