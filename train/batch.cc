#include "train/batch.h"

#include <algorithm>
#include <array>

#include "rules/check.h"

namespace tengen {
namespace {

// Where the points of a board land on the canvas, seen through a symmetry.
class Cells {
 public:
  Cells(BoardSize size, Symmetry symmetry, int canvas) {
    const short* map = symmetry.map(size);
    for (int i = 0; i < size.area(); ++i) {
      cells_[i] = static_cast<short>(map[i] / size.width * canvas + map[i] % size.width);
    }
  }
  int operator[](int i) const { return cells_[i]; }

 private:
  std::array<short, kMaxArea> cells_;
};

void scatter_policy(const std::vector<float>& policy, int area, const Cells& cells, int points,
                    float* out) {
  if (policy.empty()) return;
  check(std::ssize(policy) == area + 1, "a policy has an entry for each point and the pass");
  for (int i = 0; i < area; ++i) out[cells[i]] = policy[i];
  out[points] = policy[area];
}

void fill_row(const SeenSample& seen, int row, Batch& batch) {
  const Sample& sample = *seen.sample;
  const BoardSize size = sample.features.size;
  const int area = size.area();
  const int points = batch.canvas * batch.canvas;
  const Cells cells(size, seen.symmetry, batch.canvas);

  std::uint8_t* planes = batch.planes.data() + static_cast<std::size_t>(row) * points * kPlanes;
  Features features = sample.features;
  hide_history(features, seen.history);
  for (int p = 0; p < kPlanes; ++p) {
    features.planes[p].for_each([&](int i) { planes[cells[i] * kPlanes + p] = 1; });
  }
  std::ranges::copy(features.scalars, batch.scalars.begin() + row * kScalars);

  float* policy = batch.policy.data() + static_cast<std::size_t>(row) * 2 * (points + 1);
  scatter_policy(sample.policy, area, cells, points, policy);
  scatter_policy(sample.opponent_policy, area, cells, points, policy + points + 1);

  float* value = batch.value.data() + row * 3;
  value[0] = sample.win;
  value[1] = sample.loss;
  value[2] = sample.no_result;
  batch.score[row] = sample.score;

  check(std::ssize(sample.ownership) == area, "ownership has an entry for each point");
  float* ownership = batch.ownership.data() + static_cast<std::size_t>(row) * points;
  for (int i = 0; i < area; ++i) ownership[cells[i]] = sample.ownership[i];

  float* short_term = batch.short_term.data() + row * std::ssize(sample.short_term) * 3;
  for (const ShortTermTarget& target : sample.short_term) {
    for (const float share : {target.win, target.loss, target.no_result}) *short_term++ = share;
  }

  float* weights = batch.weights.data() + row * kRowWeights;
  weights[kRowWeight] = sample.weight;
  weights[kPolicyRowWeight] = sample.policy.empty() ? 0.F : sample.weight * sample.policy_weight;
  weights[kReplyRowWeight] =
      sample.opponent_policy.empty() ? 0.F : sample.weight * sample.opponent_policy_weight;
  weights[kScoreRowWeight] = sample.weight * sample.score_weight;
  weights[kShortTermRowWeight] = sample.weight * sample.short_term_weight;
  weights[kInverseArea] = 1.F / static_cast<float>(area);
}

// Zeroes what fill_row does not write; keeps the memory.
void prepare(int rows, int canvas, Batch& batch) {
  const auto n = static_cast<std::size_t>(rows);
  const std::size_t points = static_cast<std::size_t>(canvas) * canvas;
  batch.rows = rows;
  batch.canvas = canvas;
  batch.planes.assign(n * points * kPlanes, 0);
  batch.scalars.resize(n * kScalars);
  batch.policy.assign(n * 2 * (points + 1), 0.F);
  batch.value.resize(n * 3);
  batch.ownership.assign(n * points, 0.F);
  batch.short_term.resize(n * kShortTermFactors.size() * 3);
  batch.weights.resize(n * kRowWeights);
  batch.score.resize(n);
  batch.window_state.clear();
}

}  // namespace

void fill_batch(std::span<const SeenSample> rows, Batch& batch) {
  check(!rows.empty(), "a batch has rows");
  int canvas = 0;
  for (const SeenSample& row : rows) {
    const BoardSize size = row.sample->features.size;
    canvas = std::max({canvas, static_cast<int>(size.width), static_cast<int>(size.height)});
  }
  prepare(static_cast<int>(rows.size()), canvas, batch);
  for (int i = 0; i < batch.rows; ++i) fill_row(rows[i], i, batch);
}

void fill_batch(std::span<const Sample> rows, Batch& batch) {
  std::vector<SeenSample> seen;
  seen.reserve(rows.size());
  for (const Sample& row : rows) seen.push_back({&row, Symmetry()});
  fill_batch(seen, batch);
}

}  // namespace tengen
