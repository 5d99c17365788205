#include "train/trainer.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "rows.h"
#include "train/backward.h"
#include "train/batch.h"
#include "train/losses.h"
#include "train/schedule.h"

namespace tengen {
namespace {

namespace fs = std::filesystem;

TrainOptions quick_options() {
  TrainOptions options;
  options.precision = "fp32";
  options.learning_rate = 4e-3;
  options.warmup_steps = 10;
  options.weight_decay = 0;
  return options;
}

class TrainerTest : public testing::Test {
 protected:
  TrainerTest() { at::set_num_threads(1); }
};

using Values = std::vector<float>;
Values values_of(const Network& network) {
  Values values;
  for (const auto& [name, tensor] : network.parameters()) {
    const at::Tensor flat = tensor.detach().contiguous().flatten();
    values.insert(values.end(), flat.const_data_ptr<float>(),
                  flat.const_data_ptr<float>() + flat.numel());
  }
  return values;
}

LossTerms overfit(Trainer& trainer, std::span<const Sample> rows, int steps) {
  LossTerms last;
  for (int i = 0; i < steps; ++i) last = trainer.step(rows, static_cast<double>(i) / steps);
  return last;
}

TEST_F(TrainerTest, LearnsOneBatchByHeart) {
  TrainOptions options = quick_options();
  options.learning_rate = 8e-3;
  options.clip_norm = 5;
  Trainer trainer(network_shape("b2c32"), options, "cpu", 1);
  const std::vector<Sample> rows = random_rows(BoardSize::square(4), 8, 1);
  const LossTerms before = trainer.validate(rows);
  const LossTerms after = overfit(trainer, rows, 300);
  // Cross-entropies cannot fall below the entropy of their targets; a point of nobody has ln 2.
  double neutral = 0;
  for (const Sample& row : rows) neutral += std::ranges::count(row.ownership, 0) / 16.0 / 8.0;
  const double least_ownership = neutral * std::log(2);
  EXPECT_EQ(after.policy_accuracy, 1);
  EXPECT_LT(after.policy - after.policy_entropy, 0.25 * (before.policy - before.policy_entropy));
  EXPECT_LT(after.value, 0.05 * before.value);
  EXPECT_LT(after.ownership - least_ownership, 0.3 * (before.ownership - least_ownership));
  EXPECT_LT(after.score_pdf, 0.65 * before.score_pdf);
  EXPECT_LT(after.score_cdf, 0.2 * before.score_cdf);
  EXPECT_LT(after.score_mean, 0.3 * before.score_mean);
  EXPECT_LT(after.opponent_policy, before.opponent_policy - 0.15);
  EXPECT_LT(trainer.validate(rows).total, 0.7 * before.total);  // the average follows
}

// The average plays by its own statistics, which follow those of the batches.
TEST_F(TrainerTest, ABatchNormNetAndItsAverageLearn) {
  NetworkShape shape = network_shape("b2c16");
  shape.norm = NormKind::kBatch;
  TrainOptions options = quick_options();
  options.learning_rate = 8e-3;
  Trainer trainer(shape, options, "cpu", 1);
  const std::vector<Sample> rows = random_rows(BoardSize::square(4), 32, 1);
  const LossTerms before = trainer.validate(rows);
  const LossTerms after = overfit(trainer, rows, 200);
  EXPECT_LT(after.total, 0.8 * before.total);
  EXPECT_LT(trainer.validate(rows).total, 0.85 * before.total);
  for (const auto& [name, t] : trainer.averaged().statistics()) {
    const bool is_mean = name.ends_with(".mean");
    EXPECT_GT((is_mean ? t : t - 1).abs().max().item<float>(), 1e-3F) << name;  // it has moved
  }
}

TEST_F(TrainerTest, AMixedBatchHasTheLossesOfItsSizes) {
  const Trainer trainer(network_shape("b2c16"), quick_options(), "cpu", 1);
  const std::vector<Sample> small = random_rows(BoardSize::square(3), 4, 1);
  const std::vector<Sample> wide = random_rows({6, 4}, 4, 2);
  const std::vector<Sample> large = random_rows(BoardSize::square(7), 4, 3);
  std::vector<Sample> mixed;
  for (int i = 0; i < 4; ++i) {
    mixed.insert(mixed.end(), {small[i], wide[i], large[i]});
  }
  const LossTerms all = trainer.validate(mixed);
  const LossTerms a = trainer.validate(small), b = trainer.validate(wide),
                  c = trainer.validate(large);
  const auto expect_mean = [&](double LossTerms::*term) {
    EXPECT_NEAR(all.*term, (a.*term + b.*term + c.*term) / 3, 2e-5 * (1 + std::abs(all.*term)));
  };
  expect_mean(&LossTerms::total);
  expect_mean(&LossTerms::policy);
  expect_mean(&LossTerms::opponent_policy);
  expect_mean(&LossTerms::value);
  expect_mean(&LossTerms::ownership);
  expect_mean(&LossTerms::score_pdf);
  expect_mean(&LossTerms::score_cdf);
  expect_mean(&LossTerms::score_mean);
  expect_mean(&LossTerms::policy_entropy);
}

TEST_F(TrainerTest, RowsWithoutPolicyLeaveThePolicyLossAlone) {
  Trainer trainer(network_shape("b2c16"), quick_options(), "cpu", 1);
  std::vector<Sample> rows = random_rows(BoardSize::square(4), 8, 1);
  for (Sample& row : rows) {
    row.policy.clear();
    row.policy_weight = 0;
    row.opponent_policy.clear();
  }
  const LossTerms terms = trainer.step(rows, 0);
  EXPECT_EQ(terms.policy, 0);
  EXPECT_EQ(terms.opponent_policy, 0);
  EXPECT_GT(terms.value, 0);
}

// Gradients of the batch's loss, all parameters in one row.
Values gradients_of(const Network& network, std::span<const Sample> rows,
                    const TrainOptions& options) {
  Batch batch;
  fill_batch(rows, batch);
  for (const auto& [name, tensor] : network.parameters()) tensor.requires_grad_(true);
  backward(network, to_tensors(batch, "cpu"), options, false, 1, nullptr);
  Values gradients;
  for (const auto& [name, tensor] : network.parameters()) {
    const at::Tensor flat = tensor.grad().contiguous().flatten();
    gradients.insert(gradients.end(), flat.const_data_ptr<float>(),
                     flat.const_data_ptr<float>() + flat.numel());
    tensor.mutable_grad().reset();
  }
  return gradients;
}

TEST_F(TrainerTest, StepsAreAdamWWithClippingAndAveraging) {
  TrainOptions options = quick_options();
  options.weight_decay = 0.1;
  options.warmup_steps = 0;
  options.clip_norm = 0.1;
  Trainer trainer(network_shape("b2c16"), options, "cpu", 1);
  std::vector<bool> decays;
  for (const auto& [name, tensor] : trainer.network().parameters()) {
    decays.insert(decays.end(), static_cast<std::size_t>(tensor.numel()), tensor.dim() >= 2);
  }
  std::vector<double> mean(decays.size()), square(decays.size());
  Values averaged = values_of(trainer.averaged());
  bool clipped = false;
  for (int step = 1; step <= 3; ++step) {
    const auto rows = random_rows(BoardSize::square(4), 8, static_cast<std::uint64_t>(step));
    const Values before = values_of(trainer.network());
    const Values gradients = gradients_of(trainer.network().clone(), rows, options);
    double norm = 0;
    for (const double g : gradients) norm += g * g;
    const double scale = std::min(1.0, options.clip_norm / std::sqrt(norm));
    clipped = clipped || scale < 1;
    trainer.step(rows, 0);
    const Values after = values_of(trainer.network());
    const Values averaged_after = values_of(trainer.averaged());
    const double ema = ema_decay_at(step - 1, options);
    for (std::size_t i = 0; i < after.size(); ++i) {
      const double g = scale * gradients[i];
      mean[i] = 0.9 * mean[i] + 0.1 * g;
      square[i] = 0.999 * square[i] + 0.001 * g * g;
      const double move = mean[i] / (1 - std::pow(0.9, step)) /
                          (std::sqrt(square[i] / (1 - std::pow(0.999, step))) + 1e-8);
      const double decay = decays[i] ? options.learning_rate * options.weight_decay : 0;
      ASSERT_NEAR(after[i], before[i] * (1 - decay) - options.learning_rate * move,
                  2e-3 * options.learning_rate)
          << "step " << step << ", weight " << i << ", gradient " << g;
      ASSERT_NEAR(averaged_after[i], ema * averaged[i] + (1 - ema) * after[i], 1e-6);
    }
    averaged = averaged_after;
  }
  EXPECT_TRUE(clipped);
}

TEST_F(TrainerTest, ResumingIsExact) {
  const TemporaryDirectory directory;
  const fs::path saved = directory.path() / "checkpoint";
  const auto rows_of_step = [](int step) {
    return random_rows(BoardSize::square(4), 8, static_cast<std::uint64_t>(step));
  };
  Trainer straight(network_shape("b2c16"), quick_options(), "cpu", 1);
  for (int i = 0; i < 9; ++i) straight.step(rows_of_step(i), i / 9.0);

  Trainer first(network_shape("b2c16"), quick_options(), "cpu", 1);
  for (int i = 0; i < 4; ++i) first.step(rows_of_step(i), i / 9.0);
  first.save(saved, "position of \"everything\" else\n");
  Trainer second(network_shape("b2c16"), quick_options(), "cpu", 2);
  EXPECT_EQ(second.load(saved), "position of \"everything\" else\n");
  EXPECT_EQ(second.steps(), 4);
  EXPECT_EQ(second.samples(), 32);
  for (int i = 4; i < 9; ++i) second.step(rows_of_step(i), i / 9.0);

  EXPECT_EQ(values_of(second.network()), values_of(straight.network()));
  EXPECT_EQ(values_of(second.averaged()), values_of(straight.averaged()));
  EXPECT_NE(values_of(second.averaged()), values_of(second.network()));
}

TEST_F(TrainerTest, AStepOnTwoThreadsIsTheStepOnOne) {
  TrainOptions options = quick_options();
  options.warmup_steps = 0;
  std::vector<Sample> rows = random_rows(BoardSize::square(4), 65, 1);
  rows[40] = random_row(BoardSize::square(3), 2);
  rows[3].weight = 0.1F;
  rows[50].policy.clear();
  Trainer one(network_shape("b2c16"), options, "cpu", 1);
  const LossTerms expected = one.step(rows, 0);
  at::set_num_threads(2);
  Trainer two(network_shape("b2c16"), options, "cpu", 1);
  const LossTerms found = two.step(rows, 0);
  EXPECT_NEAR(found.total, expected.total, 1e-4);
  EXPECT_NEAR(found.policy, expected.policy, 1e-4);
  EXPECT_NEAR(found.gradient_norm, expected.gradient_norm, 1e-3 * expected.gradient_norm);

  Trainer again(network_shape("b2c16"), options, "cpu", 1);
  again.step(rows, 0);
  again.step(rows, 0);
  two.step(rows, 0);
  EXPECT_EQ(values_of(again.network()), values_of(two.network()));  // bit for bit
}

TEST_F(TrainerTest, ARowThatIsNotANumberLeavesEverythingUntouched) {
  Trainer trainer(network_shape("b2c16"), quick_options(), "cpu", 1);
  std::vector<Sample> rows = random_rows(BoardSize::square(4), 8, 1);
  trainer.step(rows, 0);
  const Values weights = values_of(trainer.network()), averaged = values_of(trainer.averaged());
  std::vector<Sample> poisoned = rows;
  poisoned[3].features.scalars[2] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(trainer.step(poisoned, 0), NotFinite);
  poisoned = rows;
  poisoned[5].score = std::numeric_limits<float>::infinity();
  EXPECT_THROW(trainer.step(poisoned, 0), NotFinite);
  EXPECT_EQ(values_of(trainer.network()), weights);
  EXPECT_EQ(values_of(trainer.averaged()), averaged);
  EXPECT_EQ(trainer.steps(), 1);

  Trainer other(network_shape("b2c16"), quick_options(), "cpu", 1);
  other.step(rows, 0);
  other.step(rows, 0);
  trainer.step(rows, 0);  // as if the poisoned rows had never been
  EXPECT_EQ(values_of(trainer.network()), values_of(other.network()));
}

TEST_F(TrainerTest, TellsOfAWeightThatIsNotFinite) {
  Trainer trainer(network_shape("b2c16"), quick_options(), "cpu", 1);
  EXPECT_EQ(trainer.not_finite(), "");
  const auto [name, tensor] = trainer.network().parameters()[3];
  tensor.detach().flatten()[5] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(trainer.not_finite(), "weight '" + name + "'");
}

TEST_F(TrainerTest, TellsOfAnAverageThatIsNotFiniteBesideGoodWeights) {
  TrainOptions options = quick_options();
  options.ema_decay = -std::numeric_limits<double>::infinity();
  Trainer trainer(network_shape("b2c16"), options, "cpu", 1);
  trainer.step(random_rows(BoardSize::square(4), 8, 1), 0);
  EXPECT_EQ(trainer.network().not_finite(), "");
  EXPECT_EQ(trainer.not_finite(),
            "averaged weight '" + trainer.network().parameters()[0].first + "'");
}

TEST_F(TrainerTest, ADamagedCheckpointIsRefusedByNameAndChangesNothing) {
  const TemporaryDirectory directory;
  Trainer trainer(network_shape("b2c16"), quick_options(), "cpu", 1);
  trainer.step(random_rows(BoardSize::square(4), 8, 1), 0);
  const Values weights = values_of(trainer.network());
  for (const std::string file :
       {"weights.safetensors", "ema.safetensors", "optimizer.safetensors", "state.json"}) {
    const fs::path saved = directory.path() / file;  // a checkpoint for each file
    trainer.save(saved, "");
    fs::resize_file(saved / file, fs::file_size(saved / file) / 2);
    Trainer other(network_shape("b2c16"), quick_options(), "cpu", 2);
    const Values untouched = values_of(other.network());
    try {
      other.load(saved);
      ADD_FAILURE() << file << " was accepted";
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(file), std::string::npos) << e.what();
    }
    EXPECT_EQ(values_of(other.network()), untouched);
    EXPECT_EQ(other.steps(), 0);
  }
  EXPECT_THROW(trainer.load(directory.path() / "absent"), Error);
}

TEST_F(TrainerTest, ACheckpointOfAnotherNetworkIsRefused) {
  const TemporaryDirectory directory;
  const Trainer small(network_shape("b2c16"), quick_options(), "cpu", 1);
  small.save(directory.path() / "a", "");
  EXPECT_THROW(small.save(directory.path() / "a", ""), Error);  // it is there already
  Trainer large(network_shape("b2c32"), quick_options(), "cpu", 1);
  EXPECT_THROW(large.load(directory.path() / "a"), Error);
}

TEST_F(TrainerTest, HalfPrecisionLearnsTheSame) {
  TrainOptions options = quick_options();
  const std::vector<Sample> rows = random_rows(BoardSize::square(4), 16, 1);
  Trainer exact(network_shape("b2c16"), options, "cpu", 1);
  options.precision = "bf16";
  Trainer half(network_shape("b2c16"), options, "cpu", 1);
  EXPECT_NEAR(half.step(rows, 0).total, exact.step(rows, 0).total, 0.05);
  const LossTerms a = overfit(exact, rows, 60), b = overfit(half, rows, 60);
  EXPECT_NEAR(a.policy - a.policy_entropy, b.policy - b.policy_entropy, 0.3);
}

TEST_F(TrainerTest, AutoChoosesAPrecisionAtTheFirstStepAndKeepsIt) {
  const TemporaryDirectory directory;
  TrainOptions options = quick_options();
  options.precision = "auto";
  Trainer trainer(network_shape("b2c16"), options, "cpu", 1);
  EXPECT_EQ(trainer.precision(), "auto");
  trainer.step(random_rows(BoardSize::square(4), 8, 1), 0);
  EXPECT_TRUE(trainer.precision() == "fp32" || trainer.precision() == "bf16");
  trainer.save(directory.path() / "a", "");
  Trainer other(network_shape("b2c16"), options, "cpu", 1);
  other.load(directory.path() / "a");
  EXPECT_EQ(other.precision(), trainer.precision());
}

}  // namespace
}  // namespace tengen
