// Writes nets of several shapes into the folder given, and into each one's folder what the network
// says of one position: planes and scalars (raw fp32, channels last) and its raw outputs.
#include <torch/torch.h>

#include <fstream>
#include <iostream>
#include <memory>

#include "nn/batch_tensors.h"
#include "nn/net_files.h"
#include "nn/network_outputs.h"
#include "rules/playout.h"

namespace tengen {
namespace {

namespace fs = std::filesystem;

constexpr int kSide = 7;

Features some_position() {
  Rules rules;
  rules.size = BoardSize::square(kSide);
  Position position(rules);
  Rng rng(3);
  for (int ply = 0; ply < 20; ++ply) position.play(random_move(position, rng));
  return features_of(position);
}

// Weights and statistics as after some training.
void shake(const Network& network) {
  const at::NoGradGuard no_grad;
  torch::manual_seed(7);
  for (const auto& [name, t] : network.tensors()) {
    if (name.ends_with(".variance")) {
      t.mul_((0.5 * at::randn_like(t)).exp());
    } else {
      t.add_(0.1 * at::randn_like(t));
    }
  }
}

void write_floats(const fs::path& path, const std::vector<float>& values) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(float)));
}

void write_net(const fs::path& folder, const NetworkShape& shape) {
  const Network network(shape, 5);
  shake(network);
  NetInfo info;
  info.index = 3;
  save_net(folder, network, info);

  const EvaluationInput input = {some_position(), Symmetry()};
  std::vector<float> planes(kSide * kSide * kPlanes), scalars(kScalars);
  fill_input_row(input.features, input.symmetry, kSide, planes.data(), scalars.data());
  write_floats(folder / "planes.f32", planes);
  write_floats(folder / "scalars.f32", scalars);

  const RawOutputs raw = raw_outputs(network, {&input, 1}).front();
  std::vector<float> policy;
  for (const auto& plane : raw.policy) policy.insert(policy.end(), plane.begin(), plane.end());
  write_floats(folder / "policy.f32", policy);
  write_floats(folder / "value.f32", {raw.value.begin(), raw.value.end()});
  write_floats(folder / "misc.f32", raw.misc);
  write_floats(folder / "ownership.f32", raw.ownership);
}

NetworkShape nested_shape() {
  NetworkShape shape = network_shape("b2c32");
  shape.blocks.assign(2, {ModelBlock::Kind::kNested,
                          16,
                          0,
                          {{ModelBlock::Kind::kPooling, 8, 8}, {ModelBlock::Kind::kOrdinary, 16}}});
  shape.activation = Activation::kMish;
  shape.stem_size = 5;
  shape.has_pass_hidden = shape.has_optimistic = true;
  shape.version = 15;
  return shape;
}

}  // namespace
}  // namespace tengen

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: write_net FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  tengen::write_net(folder / "plain", tengen::network_shape("b2c16"));
  tengen::write_net(folder / "batch-norm",
                    tengen::network_shape(tengen::NetOptions{"b2c16", "silu", "batch"}));
  tengen::write_net(folder / "nested", tengen::nested_shape());
}
