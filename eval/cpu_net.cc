#include "eval/cpu_net.h"

#include <vector>

#include "nn/cpu_evaluator.h"
#include "nn/net_export.h"
#include "nn/net_source.h"
#include "rules/playout.h"

namespace tengen {
namespace {

constexpr int kPositions = 12;
constexpr double kPolicyDifference = 0.02;
constexpr double kValueDifference = 0.01;
constexpr std::uint64_t kSeed = 20261212;

// Of random games, from the opening to near the end.
std::vector<EvaluationInput> game_positions(BoardSize board, FeatureSchema features) {
  std::vector<EvaluationInput> inputs;
  for (int i = 0; i < kPositions; ++i) {
    Rules rules;
    rules.size = board;
    rules.komi = Komi::from_half_points(2 * i + 1);
    Position position(rules);
    Rng rng(kSeed, static_cast<std::uint64_t>(i));
    play_random_game(position, rng, board.area() * i / kPositions);
    inputs.push_back({features_of(position, features), Symmetry(i % Symmetry::count(board))});
  }
  return inputs;
}

std::vector<NetOutputs> outputs_by(CpuPath path, const std::shared_ptr<const NetModel>& model,
                                   std::span<const EvaluationInput> inputs) {
  std::vector<RawOutputs> raw(inputs.size());
  make_cpu_network(model, path)->compute(inputs, raw);
  std::vector<NetOutputs> outputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    outputs.push_back(net_outputs(raw[i], *model, can_have_no_result(inputs[i].features)));
  }
  return outputs;
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
  const auto inputs = game_positions(board, features);
  const auto expected = outputs_by(exact, model, inputs);
  for (; paths.back() != exact; paths.pop_back()) {
    const auto difference = largest_difference(expected, outputs_by(paths.back(), model, inputs));
    if (difference.policy <= kPolicyDifference && difference.value <= kValueDifference) break;
  }
  return paths.back();
}

}  // namespace tengen
