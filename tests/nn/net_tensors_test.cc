#include "nn/net_tensors.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "nn/network_model.h"
#include "random_features.h"
#include "rules/check.h"

namespace tengen {
namespace {

NetworkShape shape_with(Activation activation, NormKind norm, bool is_rich) {
  NetworkShape shape = network_shape("b2c16");
  shape.activation = activation;
  shape.norm = norm;
  if (is_rich) {
    shape.stem_size = 5;
    shape.blocks[0] = {ModelBlock::Kind::kNested,
                       8,
                       0,
                       {{ModelBlock::Kind::kPooling, 4, 4}, {ModelBlock::Kind::kOrdinary, 8}}};
    shape.has_optimistic = shape.has_pass_hidden = true;
    shape.version = 15;
  }
  return shape;
}

std::string error_of_model(const NetworkShape& shape, const NetTensors& tensors) {
  try {
    net_model(shape, tensors, "net");
  } catch (const Error& e) {
    return e.what();
  }
  return "none";
}

TEST(NetTensors, AModelKeepsItsShape) {
  for (const bool is_rich : {false, true}) {
    const NetworkShape shape = shape_with(Activation::kMish, NormKind::kFixed, is_rich);
    const Network network(shape, 1);
    EXPECT_EQ(network_shape(net_model(shape, net_tensors(network), "net")), shape);
  }
}

TEST(NetTensors, GoThroughAModelUnchanged) {
  for (const bool is_rich : {false, true}) {
    const NetworkShape shape = shape_with(Activation::kRelu, NormKind::kFixed, is_rich);
    const Network network(shape, 1);
    shake(network, 2);
    const NetTensors before = net_tensors(network);
    const NetTensors after = net_tensors(net_model(shape, before, "net"));
    EXPECT_GT(after.size(), 30U);
    for (const auto& [name, t] : after) {
      const auto found = before.find(name);
      ASSERT_NE(found, before.end()) << name;
      if (name == "policy.conv2" || name == "policy.pass.weight") continue;  // fewer planes
      EXPECT_EQ(t.sizes, found->second.sizes) << name;
      EXPECT_EQ(t.values, found->second.values) << name;
    }
    // Of the policy's planes: the mover's, and the optimistic one.
    const auto& planes = before.at("policy.conv2").values;
    const auto& kept = after.at("policy.conv2").values;
    EXPECT_TRUE(std::equal(planes.begin(), planes.begin() + 16, kept.begin()));
    if (is_rich) {
      EXPECT_TRUE(std::equal(planes.end() - 16, planes.end(), kept.begin() + 16));
    }
  }
}

TEST(NetTensors, BatchNormIsWrittenWithItsStatistics) {
  const NetworkShape shape = shape_with(Activation::kRelu, NormKind::kBatch, false);
  const Network network(shape, 1);
  shake(network, 2);
  const NetTensors tensors = net_tensors(network);
  const NetModel model = net_model(shape, tensors, "net");
  EXPECT_EQ(model.tip.norm.mean, tensors.at("tip.mean").values);
  EXPECT_EQ(model.tip.norm.variance, tensors.at("tip.variance").values);
  EXPECT_EQ(model.tip.norm.epsilon.value, kNormEpsilon);
  // Merged, it is what the network plays with.
  const Affine affine = merged(model.tip.norm);
  for (const auto& [name, t] : merged_parameters(network)) {
    if (name != "tip.scale" && name != "tip.bias") continue;
    const auto& expected = name == "tip.scale" ? affine.scale : affine.bias;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(t[static_cast<std::int64_t>(i)].item<float>(), expected[i], 1e-5) << name;
    }
  }
}

TEST(NetTensors, WhatIsWrongIsNamed) {
  const NetworkShape shape = shape_with(Activation::kRelu, NormKind::kFixed, false);
  const NetTensors good = net_tensors(Network(shape, 1));
  EXPECT_EQ(error_of_model(shape, good), "none");
  NetTensors bad = good;
  bad.erase("value.misc.bias");
  EXPECT_EQ(error_of_model(shape, bad), "tensor 'value.misc.bias' is missing");
  bad = good;
  bad["stem.conv"].sizes[1] = 21;
  EXPECT_EQ(error_of_model(shape, bad),
            "tensor 'stem.conv': expected shape [16, 22, 3, 3], found [16, 21, 3, 3]");
  bad = good;
  bad["tip.bias"].values[3] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(error_of_model(shape, bad), "tensor 'tip.bias' is not finite");
}

TEST(NetTensors, AModelWithTwoActivationsHasNoShape) {
  const NetworkShape shape = shape_with(Activation::kRelu, NormKind::kFixed, false);
  NetModel model = net_model(shape, net_tensors(Network(shape, 1)), "net");
  model.tip.activation.kind = Activation::kMish;
  EXPECT_THROW(network_shape(model), Error);
}

}  // namespace
}  // namespace tengen
