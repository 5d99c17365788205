#include "train/backward.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <set>

#include "rows.h"
#include "train/batch.h"
#include "train/losses.h"

namespace tengen {
namespace {

using at::Tensor;

std::vector<Tensor> gradients_of(const Network& network, const std::vector<Sample>& rows,
                                 int threads) {
  Batch batch;
  fill_batch(rows, batch);
  for (const auto& [name, parameter] : network.parameters()) Tensor(parameter).requires_grad_(true);
  backward(network, to_tensors(batch, "cpu"), TrainOptions(), false, threads, nullptr);
  std::vector<Tensor> gradients;
  for (const auto& [name, parameter] : network.parameters()) {
    gradients.push_back(parameter.grad());
    Tensor(parameter).mutable_grad().reset();
  }
  return gradients;
}

TEST(Backward, GradientsOfSlicesAddUpToThoseOfTheBatch) {
  const Network network(network_shape("b3c32"), 1);
  const auto rows = random_rows(BoardSize::square(5), 64, 1);
  const auto whole = gradients_of(network, rows, 1);
  const auto sliced = gradients_of(network, rows, 2);
  const auto parameters = network.parameters();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const double size = whole[i].norm().item<double>();
    EXPECT_LE((whole[i] - sliced[i]).norm().item<double>(), 1e-3 * size + 1e-6)
        << parameters[i].first;
  }
}

// What scales or adds to one in place must not change another.
TEST(Backward, EachGradientHasMemoryOfItsOwn) {
  const Network network(network_shape("b3c32"), 1);
  const auto rows = random_rows(BoardSize::square(5), 64, 1);
  for (const int threads : {1, 2}) {
    std::set<const void*> seen;
    const auto parameters = network.parameters();
    const auto gradients = gradients_of(network, rows, threads);
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      EXPECT_TRUE(seen.insert(gradients[i].storage().data()).second)
          << parameters[i].first << " with " << threads << " threads";
    }
  }
}

// The fused AdamW walks the memory of weights and gradients side by side.
TEST(Backward, GradientsLieInMemoryAsTheirWeightsDo) {
  const Network network(network_shape("b3c32"), 1);
  const auto rows = random_rows(BoardSize::square(5), 64, 1);
  const auto parameters = network.parameters();
  for (const int threads : {1, 2}) {
    const auto gradients = gradients_of(network, rows, threads);
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      EXPECT_EQ(gradients[i].strides(), parameters[i].second.strides())
          << parameters[i].first << " with " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace tengen
