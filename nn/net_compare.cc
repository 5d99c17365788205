#include "nn/net_compare.h"

#include <algorithm>
#include <cmath>

#include "rules/check.h"
#include "rules/playout.h"

namespace tengen {
namespace {

constexpr std::uint64_t kSeed = 20240607;

void take(double& largest, double a, double b) {
  const double difference = std::abs(a - b);
  if (!(difference <= largest)) largest = std::isnan(difference) ? HUGE_VAL : difference;
}

}  // namespace

std::vector<EvaluationInput> game_positions(int count, std::span<const BoardSize> boards,
                                            FeatureSchema features) {
  constexpr Ko kKos[] = {Ko::kPositional, Ko::kSimple, Ko::kSituational};
  std::vector<EvaluationInput> inputs;
  for (int i = 0; i < count; ++i) {
    Rules rules;
    rules.size = boards[static_cast<std::size_t>(i) % boards.size()];
    rules.ko = kKos[i % std::size(kKos)];
    rules.komi = Komi::from_half_points(i % 31 - 8);
    Position position(rules);
    Rng rng(kSeed, static_cast<std::uint64_t>(i));
    play_random_game(position, rng, rules.size.area() * i / count);
    inputs.push_back({features_of(position, features), Symmetry(i % Symmetry::count(rules.size))});
  }
  return inputs;
}

std::vector<double> probabilities(std::span<const float> logits) {
  const double highest = std::ranges::max(logits);
  std::vector<double> p;
  double sum = 0;
  for (const float logit : logits) sum += p.emplace_back(std::exp(logit - highest));
  for (double& x : p) x /= sum;
  return p;
}

std::vector<NetOutputs> net_outputs(std::span<const RawOutputs> raw,
                                    std::span<const EvaluationInput> inputs,
                                    const NetModel& model) {
  check(raw.size() == inputs.size(), "one output per input");
  std::vector<NetOutputs> outputs;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    outputs.push_back(net_outputs(raw[i], model, can_have_no_result(inputs[i].features)));
  }
  return outputs;
}

OutputDifference largest_difference(std::span<const NetOutputs> a, std::span<const NetOutputs> b) {
  check(a.size() == b.size(), "as many answers of both");
  OutputDifference d;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto p = probabilities(a[i].policy_logits), q = probabilities(b[i].policy_logits);
    for (std::size_t k = 0; k < p.size(); ++k) take(d.policy, p[k], q[k]);
    for (const auto field : {&NetOutputs::win, &NetOutputs::loss, &NetOutputs::no_result}) {
      take(d.value, a[i].*field, b[i].*field);
    }
    take(d.score, a[i].score_mean, b[i].score_mean);
    take(d.score, a[i].lead, b[i].lead);
    take(d.score, std::sqrt(a[i].score_mean_square), std::sqrt(b[i].score_mean_square));
    for (std::size_t k = 0; k < a[i].ownership.size(); ++k) {
      take(d.ownership, a[i].ownership[k], b[i].ownership[k]);
    }
  }
  return d;
}

}  // namespace tengen
