#pragma once

#include <array>
#include <string>
#include <vector>

#include "train/batch.h"
#include "train/train_options.h"

namespace at {
class Tensor;
}

namespace tengen {

// Means over rows, before the weights of the options: each over the rows that have its target,
// weighted by the rows' weights; 0 where no row has it. `total` is what is minimised: the sum over
// terms of option weight * row weight * loss, divided by the number of rows.
struct LossTerms {
  double total = 0;
  double policy = 0;           // cross-entropy with the improved policy, nats
  double opponent_policy = 0;  // the same for the opponent's reply
  double value = 0;            // cross-entropy over win, loss and no result
  double ownership = 0;        // binary cross-entropy, mean over the board's points
  double score_pdf = 0;        // cross-entropy with the score split over its two half-point bins
  double score_cdf = 0;        // squared differences of the distribution functions, summed
  double score_mean = 0;       // Huber loss, threshold kScoreHuber points
  double score_deviation = 0;  // Huber loss against the deviation of the net's own distribution
  double lead = 0;             // Huber loss; the final score stands in for the lead
  double soft_policy = 0;      // cross-entropy with the flattened policy, mover
  double short_term = 0;       // cross-entropy of the short-term values, mean over the horizons
  double policy_entropy = 0;   // of the policy targets: the least `policy` can become
  double policy_accuracy = 0;  // share of rows with a policy target whose best move is the target's
  double gradient_norm = 0;    // before clipping; 0 in validation
};
// Thresholds and exponent are KataGo's (metrics_pytorch.py).
inline constexpr double kScoreHuber = 12, kDeviationHuber = 10, kLeadHuber = 8;
inline constexpr double kSoftExponent = 0.25;

// A batch on a device, in the order of BatchField.
enum BatchField {
  kBatchPlanes,     // [B, 22, H, W] fp32, channels-last
  kBatchScalars,    // [B, 19]
  kBatchPolicy,     // [B, 2, C + 1]
  kBatchValue,      // [B, 3]
  kBatchOwnership,  // [B, C]
  kBatchWeights,    // [B, kRowWeights]
  kBatchScore,      // [B]
  kBatchShortTerm,  // [B, kHorizons, 3], of the longest horizons
};
std::vector<at::Tensor> to_tensors(const Batch& batch, const std::string& device);

// Sums from which LossTerms are made; they add up over batches.
enum LossSum {
  kTotalSum,
  kPolicySum,
  kReplySum,
  kValueSum,
  kOwnershipSum,
  kScorePdfSum,
  kScoreCdfSum,
  kScoreMeanSum,
  kScoreDeviationSum,
  kLeadSum,
  kSoftPolicySum,
  kShortTermSum,
  kEntropySum,
  kPolicyHits,
  kRowWeightSum,
  kPolicyWeightSum,
  kReplyWeightSum,
  kScoreWeightSum,
  kShortTermWeightSum,
  kPolicyRows,
  kRows,
};
inline constexpr int kLossSums = kRows + 1;
using LossSums = std::array<double, kLossSums>;

// What is minimised: a scalar with its graph. If `sums` is not
// null it becomes the sums of this batch, [kLossSums], without a graph. `outputs` in the order of
// Head, `batch` in that of BatchField.
at::Tensor losses(const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& batch,
                  const TrainOptions& options, at::Tensor* sums);
LossTerms to_terms(const LossSums& sums);

}  // namespace tengen
