#include "train/losses.h"

#include <torch/torch.h>

#include <algorithm>

#include "nn/network.h"

namespace tengen {

static_assert(kHorizons <= std::ssize(kShortTermFactors));

namespace {

using at::Tensor;

// A copy of `values` on the device; the caller's memory may change afterwards.
template <class T>
Tensor copied(const std::vector<T>& values, at::IntArrayRef shape, at::ScalarType type,
              const at::Device& device) {
  const auto here = torch::from_blob(const_cast<T*>(values.data()), shape,
                                     at::TensorOptions().dtype(c10::CppTypeToScalarType<T>::value));
  return here.to(device, type, /*non_blocking=*/false, /*copy=*/true);
}

Tensor column(const Tensor& table, int i) {
  return table.select(1, i);
}

// Weighted sum over rows of a loss per row.
Tensor weighted(const Tensor& per_row, const Tensor& weight) {
  return at::dot(per_row, weight);
}

// Log-probabilities over the points and the pass: [B, 2, C + 1], mover and opponent.
Tensor policy_log_probabilities(const std::vector<Tensor>& outputs, Head mover, Head opponent) {
  return at::stack({outputs[mover], outputs[opponent]}, 1).log_softmax(2);
}

Tensor cross_entropy(const Tensor& target, const Tensor& log_probabilities) {  // [B, 2]
  return -(target * log_probabilities).sum(2);
}

// Policy targets flattened towards uniform over the board's points and the pass, so that the net
// learns more of moves that are rarely played (KataGo's soft policy). Rows without a target are
// as good as any: their weight is 0.
Tensor flattened(const Tensor& policy, const std::vector<Tensor>& batch) {
  const Tensor on_board = batch[kBatchPlanes].select(1, 0).flatten(1);
  const Tensor possible = at::constant_pad_nd(on_board, {0, 1}, 1).unsqueeze(1);
  const Tensor flat = (policy + 1e-7).pow(kSoftExponent) * possible;
  return flat / flat.sum(2, /*keepdim=*/true);
}

// Cross-entropy of binary ownership, mean over the board; the head's value is half a logit (its
// tanh is the ownership), as in KataGo.
Tensor ownership_sum(const Tensor& head, const std::vector<Tensor>& batch) {
  const Tensor mask = batch[kBatchPlanes].select(1, 0).flatten(1);
  const Tensor& weights = batch[kBatchWeights];
  const Tensor per_point =
      mask * (column(weights, kScoreRowWeight) * column(weights, kInverseArea)).unsqueeze(1);
  return at::binary_cross_entropy_with_logits(2 * head.flatten(1), (1 + batch[kBatchOwnership]) / 2,
                                              per_point, {}, at::Reduction::Sum);
}

struct ScoreSums {
  Tensor pdf, cdf, deviation;
};

// The score lies between the centres of two bins, which share it linearly. Scores beyond the bins
// of the row's board count as its last one.
ScoreSums score_sums(const std::vector<Tensor>& outputs, const std::vector<Tensor>& batch) {
  const Tensor& head = outputs[kScoreHead];
  const Tensor& weights = batch[kBatchWeights];
  const Tensor weight = column(weights, kScoreRowWeight);
  // Only the bins that a board on this canvas can reach: the others have no probability.
  const auto& planes = batch[kBatchPlanes];
  const std::int64_t reach = std::min<std::int64_t>(
      planes.size(2) * planes.size(3) + kScoreBins / 2 - kMaxArea, kScoreBins / 2);
  const std::int64_t bins = 2 * reach;
  const Tensor log_pdf = head.narrow(1, kScoreBins / 2 - reach, bins).log_softmax(1);
  const Tensor bound =
      column(weights, kInverseArea).reciprocal() + (kScoreBins / 2 - kMaxArea - 0.5);
  const Tensor score = at::minimum(at::maximum(batch[kBatchScore], -bound), bound);
  const Tensor place = score + (static_cast<double>(reach) - 0.5);
  const Tensor low = place.floor();
  const Tensor high_share = place - low;
  const Tensor low_bin = low.to(at::kLong);
  const Tensor pair = at::stack({low_bin, (low_bin + 1).clamp_max(bins - 1)}, 1);
  const Tensor shares = at::stack({1 - high_share, high_share}, 1);
  const Tensor pdf_loss = -(log_pdf.gather(1, pair) * shares).sum(1);

  const Tensor steps = at::arange(bins, log_pdf.options());
  const Tensor target_cdf = (steps.unsqueeze(0) - place.unsqueeze(1) + 1).clamp(0, 1);
  const Tensor pdf = log_pdf.exp();
  const Tensor cdf_loss = (pdf.cumsum(1) - target_cdf).square().sum(1);

  const Tensor mean = (pdf * steps).sum(1, /*keepdim=*/true);
  const Tensor deviation = ((pdf * (steps - mean).square()).sum(1) + 1e-6).sqrt();
  const Tensor deviation_loss =
      at::huber_loss(outputs[kScoreDeviationHead], deviation, at::Reduction::None, kDeviationHuber);
  return {weighted(pdf_loss, weight), weighted(cdf_loss, weight), weighted(deviation_loss, weight)};
}

// The sums of a batch that are no losses, from kEntropySum on; those of weights in the order of
// RowWeight.
Tensor figures(const Tensor& log_policy, const std::vector<Tensor>& batch) {
  const Tensor& weights = batch[kBatchWeights];
  const Tensor policy_row = column(weights, kPolicyRowWeight);
  const Tensor target = batch[kBatchPolicy].select(1, 0);
  const Tensor entropy = weighted(-at::xlogy(target, target).sum(1), policy_row);
  const Tensor has_policy = (policy_row > 0).to(at::kFloat);
  const Tensor hit = (log_policy.argmax(1) == target.argmax(1)).to(at::kFloat);
  const Tensor rows = at::full({}, static_cast<double>(weights.size(0)), weights.options());
  return at::cat({at::stack({entropy, at::dot(hit, has_policy)}),
                  weights.narrow(1, 0, kInverseArea).sum(0), at::stack({has_policy.sum(), rows})});
}

}  // namespace

std::vector<Tensor> to_tensors(const Batch& batch, const std::string& device_name) {
  const at::Device device(device_name);
  const std::int64_t rows = batch.rows, side = batch.canvas, points = side * side;
  return {
      copied(batch.planes, {rows, side, side, kPlanes}, at::kFloat, device).permute({0, 3, 1, 2}),
      copied(batch.scalars, {rows, kScalars}, at::kFloat, device),
      copied(batch.policy, {rows, 2, points + 1}, at::kFloat, device),
      copied(batch.value, {rows, 3}, at::kFloat, device),
      copied(batch.ownership, {rows, points}, at::kFloat, device),
      copied(batch.weights, {rows, kRowWeights}, at::kFloat, device),
      copied(batch.score, {rows}, at::kFloat, device),
      copied(batch.short_term, {rows, std::int64_t{kShortTermFactors.size()}, 3}, at::kFloat,
             device)
          .narrow(1, 0, kHorizons),
  };
}

Tensor losses(const std::vector<Tensor>& outputs, const std::vector<Tensor>& batch,
              const TrainOptions& options, Tensor* sums) {
  const Tensor& weights = batch[kBatchWeights];
  const Tensor row = column(weights, kRowWeight);
  const Tensor policy_row = column(weights, kPolicyRowWeight);
  const Tensor reply_row = column(weights, kReplyRowWeight);

  const Tensor log_policy = policy_log_probabilities(outputs, kPolicyHead, kOpponentPolicyHead);
  const Tensor log_soft_policy =
      policy_log_probabilities(outputs, kSoftPolicyHead, kSoftOpponentPolicyHead);
  const Tensor hard = cross_entropy(batch[kBatchPolicy], log_policy);
  const Tensor soft = cross_entropy(flattened(batch[kBatchPolicy], batch), log_soft_policy);
  const Tensor policy = weighted(column(hard, 0), policy_row);
  const Tensor reply = weighted(column(hard, 1), reply_row);
  const Tensor soft_policy = weighted(column(soft, 0), policy_row);
  const Tensor soft_reply = weighted(column(soft, 1), reply_row);
  const Tensor value =
      weighted(-(batch[kBatchValue] * outputs[kValueHead].log_softmax(1)).sum(1), row);
  const Tensor ownership = ownership_sum(outputs[kOwnershipHead], batch);
  const ScoreSums score = score_sums(outputs, batch);
  const auto huber = [&](Head head, double threshold) {
    return weighted(
        at::huber_loss(outputs[head], batch[kBatchScore], at::Reduction::None, threshold),
        column(weights, kScoreRowWeight));
  };
  const Tensor mean = huber(kScoreMeanHead, kScoreHuber);
  const Tensor lead = huber(kLeadHead, kLeadHuber);

  const Tensor short_term = weighted(
      -(batch[kBatchShortTerm] * outputs[kShortTermValueHead].log_softmax(2)).sum(2).mean(1),
      column(weights, kShortTermRowWeight));

  const Tensor policies = options.policy_weight * policy + options.opponent_policy_weight * reply;
  const Tensor soft_policies =
      options.policy_weight * soft_policy + options.opponent_policy_weight * soft_reply;
  const Tensor total =
      policies + options.soft_policy_weight * soft_policies + options.value_weight * value +
      options.ownership_weight * ownership + options.score_pdf_weight * score.pdf +
      options.score_cdf_weight * score.cdf + options.score_mean_weight * mean +
      options.score_deviation_weight * score.deviation + options.lead_weight * lead +
      options.short_term_weight * kHorizons * short_term;
  if (sums != nullptr) {
    const at::NoGradGuard no_grad;
    const Tensor terms = at::stack({total, policy, reply, value, ownership, score.pdf, score.cdf,
                                    mean, score.deviation, lead, soft_policy, short_term});
    *sums = at::cat({terms, figures(log_policy.select(1, 0), batch)});
  }
  return total / row.size(0);
}

LossTerms to_terms(const LossSums& sums) {
  const auto mean = [&](LossSum sum, LossSum weight) {
    return sums[weight] > 0 ? sums[sum] / sums[weight] : 0.0;
  };
  LossTerms terms;
  terms.total = mean(kTotalSum, kRows);
  terms.policy = mean(kPolicySum, kPolicyWeightSum);
  terms.opponent_policy = mean(kReplySum, kReplyWeightSum);
  terms.value = mean(kValueSum, kRowWeightSum);
  terms.ownership = mean(kOwnershipSum, kScoreWeightSum);
  terms.score_pdf = mean(kScorePdfSum, kScoreWeightSum);
  terms.score_cdf = mean(kScoreCdfSum, kScoreWeightSum);
  terms.score_mean = mean(kScoreMeanSum, kScoreWeightSum);
  terms.score_deviation = mean(kScoreDeviationSum, kScoreWeightSum);
  terms.lead = mean(kLeadSum, kScoreWeightSum);
  terms.soft_policy = mean(kSoftPolicySum, kPolicyWeightSum);
  terms.short_term = mean(kShortTermSum, kShortTermWeightSum);
  terms.policy_entropy = mean(kEntropySum, kPolicyWeightSum);
  terms.policy_accuracy = mean(kPolicyHits, kPolicyRows);
  return terms;
}

}  // namespace tengen
