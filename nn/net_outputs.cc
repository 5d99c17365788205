#include "nn/net_outputs.h"

#include <algorithm>
#include <cmath>

#include "rules/check.h"

namespace tengen {
namespace {

double softplus(double x) {
  return x > 40 ? x : std::log1p(std::exp(x));
}

// sqrt(softplus(x) scale) up to version 13, sqrt(softplus(x/2)^2 scale) since.
double error_of(double raw, double scale, int version) {
  const double spread = version >= 14 ? std::pow(softplus(raw / 2), 2) : softplus(raw);
  return std::sqrt(spread * scale);
}

void set_value(const RawOutputs& raw, bool can_have_no_result, NetOutputs& out) {
  std::array<double, 3> shares{};
  const int outcomes = can_have_no_result ? 3 : 2;
  const float top = *std::max_element(raw.value.begin(), raw.value.begin() + outcomes);
  double sum = 0;
  for (int i = 0; i < outcomes; ++i) sum += shares[i] = std::exp(double{raw.value[i]} - top);
  out.win = static_cast<float>(shares[0] / sum);
  out.loss = static_cast<float>(shares[1] / sum);
  out.no_result = static_cast<float>(shares[2] / sum);
}

void set_score(const RawOutputs& raw, const NetModel& model, NetOutputs& out) {
  const OutputScales& scales = model.scales;
  const double has_result = 1.0 - out.no_result;
  const double mean = raw.misc[0] * scales.score_mean.value;
  const double stdev = softplus(raw.misc[1]) * scales.score_stdev.value;
  out.score_mean = static_cast<float>(mean * has_result);
  out.score_mean_square = static_cast<float>((mean * mean + stdev * stdev) * has_result);
  out.lead = static_cast<float>(raw.misc[2] * scales.lead.value * has_result);
  if (model.version < 9) return;
  out.variance_time = static_cast<float>(softplus(raw.misc[3]) * scales.variance_time.value);
  if (model.version == 9) {
    out.winloss_error = static_cast<float>(softplus(raw.misc[4]));
    out.score_error = static_cast<float>(10 * softplus(raw.misc[5]));
    return;
  }
  out.winloss_error =
      static_cast<float>(error_of(raw.misc[4], scales.winloss_error.value, model.version));
  out.score_error =
      static_cast<float>(error_of(raw.misc[5], scales.score_error.value, model.version));
}

}  // namespace

bool can_have_no_result(const Features& features) {
  return features.scalars[kScalarSuperko] == 0 || features.scalars[kScalarTerritory] != 0;
}

NetOutputs net_outputs(const RawOutputs& raw, const NetModel& model, bool can_have_no_result) {
  // Values of moves, the planes beyond the second, are not used here.
  check(std::ssize(raw.policy) >= std::min(2, model.policy.channels()), "a policy for each plane");
  check(static_cast<int>(raw.misc.size()) == model.value.misc.out,
        "as many numbers as the net has");
  NetOutputs out;
  out.policy_logits = raw.policy[0];
  if (model.policy.channels() > 1) out.optimistic_logits = raw.policy[1];
  set_value(raw, can_have_no_result, out);
  set_score(raw, model, out);
  out.ownership.reserve(raw.ownership.size());
  for (const float logit : raw.ownership) out.ownership.push_back(std::tanh(logit));
  return out;
}

}  // namespace tengen
