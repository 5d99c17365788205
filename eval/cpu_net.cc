#include "eval/cpu_net.h"

#include <vector>

#include "nn/cpu_evaluator.h"
#include "nn/net_compare.h"
#include "nn/net_source.h"

namespace tengen {
namespace {

constexpr int kPositions = 12;
constexpr double kPolicyDifference = 0.02;
constexpr double kValueDifference = 0.01;

std::vector<NetOutputs> outputs_by(CpuPath path, const std::shared_ptr<const NetModel>& model,
                                   std::span<const EvaluationInput> inputs) {
  std::vector<RawOutputs> raw(inputs.size());
  make_cpu_network(model, path)->compute(inputs, raw);
  return net_outputs(raw, inputs, *model);
}

CpuPath fastest_exact(const NetModel& model) {
  auto paths = available_cpu_paths(model);  // the fastest last
  std::erase_if(paths, [](CpuPath path) { return precision_of(path) != "fp32"; });
  return paths.back();
}

class CpuNet : public PlayableNet {
 public:
  explicit CpuNet(NetSource net)
      : id_(std::move(net.info.id)),
        features_(net.features),
        model_(std::make_shared<const NetModel>(std::move(net.model))) {}

  std::string id() const override { return id_; }
  FeatureSchema features() const override { return features_; }

  std::shared_ptr<Evaluator> evaluator(BoardSize largest) override {
    const CpuPath path = playing_path(model_, largest, features_);
    return std::make_shared<CpuEvaluator>(model_, id_, path, features_);
  }

  std::vector<RawOutputs> answers(std::span<const EvaluationInput> inputs) override {
    if (!exact_) exact_ = make_cpu_network(model_, fastest_exact(*model_));
    std::vector<RawOutputs> raw(inputs.size());
    exact_->compute(inputs, raw);
    return raw;
  }

 private:
  std::string id_;
  FeatureSchema features_;
  std::shared_ptr<const NetModel> model_;
  std::unique_ptr<CpuNetwork> exact_;
};

}  // namespace

std::unique_ptr<PlayableNet> open_cpu_net(const std::filesystem::path& path) {
  return std::make_unique<CpuNet>(read_net(resolve_net(path)));
}

CpuPath playing_path(const std::shared_ptr<const NetModel>& model, BoardSize board,
                     FeatureSchema features) {
  const CpuPath exact = fastest_exact(*model);
  auto paths = available_cpu_paths(*model);
  if (paths.back() == exact) return exact;
  const auto inputs = game_positions(kPositions, {&board, 1}, features);
  const auto expected = outputs_by(exact, model, inputs);
  for (; paths.back() != exact; paths.pop_back()) {
    const auto difference = largest_difference(expected, outputs_by(paths.back(), model, inputs));
    if (difference.policy <= kPolicyDifference && difference.value <= kValueDifference) break;
  }
  return paths.back();
}

}  // namespace tengen
