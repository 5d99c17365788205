#include "nn/network_shape.h"

#include <algorithm>
#include <array>

#include "rules/check.h"
#include "rules/edit_distance.h"

namespace tengen {
namespace {

using Kind = ModelBlock::Kind;

struct Widths {
  int policy, value, hidden;  // P = G, V1, V2
};

// `pooled` channels of the pooling blocks go through the pool.
NetworkShape plain_tower(int blocks, int channels, std::vector<int> pooling, int pooled,
                         Widths heads) {
  NetworkShape shape;
  shape.channels = channels;
  for (int i = 0; i < blocks; ++i) {
    const bool pools = std::ranges::count(pooling, i) > 0;
    shape.blocks.push_back(pools ? BlockShape{Kind::kPooling, channels - pooled, pooled}
                                 : BlockShape{Kind::kOrdinary, channels});
  }
  shape.policy_channels = shape.policy_pooled = heads.policy;
  shape.value_channels = heads.value;
  shape.value_hidden = heads.hidden;
  return shape;
}

// KataGo's "bottlenest2": two inner blocks on half the channels; in every third block the first of
// them pools.
NetworkShape nested_tower(int blocks, int channels, int pooled, Widths heads) {
  NetworkShape shape = plain_tower(blocks, channels, {}, 0, heads);
  const int middle = channels / 2;
  for (int i = 0; i < blocks; ++i) {
    const BlockShape ordinary{Kind::kOrdinary, middle};
    const BlockShape pooling{Kind::kPooling, middle - pooled, pooled};
    shape.blocks[i] = {Kind::kNested, middle, 0, {i % 3 == 2 ? pooling : ordinary, ordinary}};
  }
  return shape;
}

struct NamedShape {
  std::string_view name;
  NetworkShape shape;
};

// Head widths follow KataGo's b6c96, b10c128, b15c192 and b18c384nbt, halved for the small ones.
// Channel counts are multiples of 16, which matrix units like.
const std::vector<NamedShape>& named_shapes() {
  static const std::vector<NamedShape> shapes = {
      {"b2c16", plain_tower(2, 16, {1}, 8, {16, 16, 32})},
      {"b2c32", plain_tower(2, 32, {1}, 16, {16, 32, 64})},
      {"b3c32", plain_tower(3, 32, {1}, 16, {16, 32, 64})},
      {"b4c32", plain_tower(4, 32, {1, 3}, 16, {16, 32, 64})},
      {"b4c64", plain_tower(4, 64, {1, 3}, 32, {32, 32, 64})},
      {"b6c64", plain_tower(6, 64, {2, 4}, 32, {32, 32, 64})},
      {"b6c96", plain_tower(6, 96, {2, 4}, 32, {32, 32, 64})},
      {"b10c128", plain_tower(10, 128, {4, 7}, 32, {32, 32, 80})},
      {"b15c192", plain_tower(15, 192, {6, 11}, 64, {32, 32, 96})},
      {"b18c384nbt", nested_tower(18, 384, 64, {48, 96, 128})},
  };
  return shapes;
}

constexpr std::array<std::string_view, 4> kActivations = {"identity", "relu", "mish", "silu"};
constexpr std::array<std::string_view, 2> kNorms = {"fixed", "batch"};

template <class Enum, std::size_t n>
Enum value_named(const std::array<std::string_view, n>& names, std::string_view name,
                 const std::string& what) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) throw UsageError(what + " '" + std::string(name) + "' is not known");
  return static_cast<Enum>(found - names.begin());
}

int radius(const std::vector<BlockShape>& blocks) {
  int sum = 0;
  for (const BlockShape& block : blocks) {
    sum += block.kind == Kind::kNested ? radius(block.inner) : 2;
  }
  return sum;
}

}  // namespace

std::string_view name_of(NormKind norm) {
  return kNorms[static_cast<std::size_t>(norm)];
}
std::string_view name_of(Activation activation) {
  return kActivations[static_cast<std::size_t>(activation)];
}
Activation activation_named(std::string_view name) {
  return value_named<Activation>(kActivations, name, "activation");
}
NormKind norm_named(std::string_view name) {
  return value_named<NormKind>(kNorms, name, "norm");
}

NetworkShape network_shape(std::string_view size) {
  const auto& shapes = named_shapes();
  const auto found = std::ranges::find(shapes, size, &NamedShape::name);
  if (found != shapes.end()) return found->shape;
  const auto nearest = std::ranges::min_element(
      shapes, {}, [size](const NamedShape& s) { return edit_distance(size, s.name); });
  throw UsageError("net size '" + std::string(size) + "' is not known; the nearest is '" +
                   std::string(nearest->name) + "'");
}

NetworkShape network_shape(const NetOptions& options) {
  NetworkShape shape = network_shape(options.size);
  shape.activation = activation_named(options.activation);
  shape.norm = norm_named(options.norm);
  shape.features = options.ladders ? FeatureSchema::kV7 : FeatureSchema::kV7NoLadders;
  return shape;
}

std::string name_of(const NetworkShape& shape) {
  const bool nested = std::ranges::count(shape.blocks, Kind::kNested, &BlockShape::kind) > 0;
  return "b" + std::to_string(shape.blocks.size()) + "c" + std::to_string(shape.channels) +
         (nested ? "nbt" : "");
}

std::string described(const NetworkShape& shape) {
  return name_of(shape) + ", " + std::string(name_of(shape.activation)) + ", " +
         std::string(name_of(shape.norm)) + " norm" +
         (shape.features == FeatureSchema::kV7 ? "" : ", without ladder planes");
}

int receptive_radius(const NetworkShape& shape) {
  return shape.stem_size / 2 + radius(shape.blocks);
}

}  // namespace tengen
