#include <algorithm>
#include <string>
#include <vector>

#include "nn/network.h"
#include "rules/check.h"
#include "rules/edit_distance.h"

namespace tengen {
namespace {

struct NamedShape {
  std::string_view name;
  NetworkShape shape;
};

// Head widths follow KataGo's b6c96, b10c128 and b15c192, halved for the small ones. Channel counts
// are multiples of 16, which matrix units like.
const std::vector<NamedShape>& named_shapes() {
  static const std::vector<NamedShape> shapes = {
      // blocks, channels, pooling blocks, pooled channels, P, V1, V2
      {"b2c16", {2, 16, {1}, 8, 16, 16, 32}},
      {"b2c32", {2, 32, {1}, 16, 16, 32, 64}},
      {"b3c32", {3, 32, {1}, 16, 16, 32, 64}},
      {"b4c32", {4, 32, {1, 3}, 16, 16, 32, 64}},
      {"b4c64", {4, 64, {1, 3}, 32, 32, 32, 64}},
      {"b6c64", {6, 64, {2, 4}, 32, 32, 32, 64}},
      {"b6c96", {6, 96, {2, 4}, 32, 32, 32, 64}},
      {"b10c128", {10, 128, {4, 7}, 32, 32, 32, 80}},
      {"b15c192", {15, 192, {6, 11}, 64, 32, 32, 96}},
  };
  return shapes;
}

}  // namespace

NetworkShape network_shape(std::string_view name) {
  const auto& shapes = named_shapes();
  const auto found = std::ranges::find(shapes, name, &NamedShape::name);
  if (found != shapes.end()) return found->shape;
  const auto nearest = std::ranges::min_element(
      shapes, {}, [name](const NamedShape& s) { return edit_distance(name, s.name); });
  throw UsageError("net size '" + std::string(name) + "' is not known; the nearest is '" +
                   std::string(nearest->name) + "'");
}

std::string name_of(const NetworkShape& shape) {
  return std::string("b")
      .append(std::to_string(shape.blocks))
      .append("c")
      .append(std::to_string(shape.channels));
}

}  // namespace tengen
