#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "nn/network.h"
#include "rules/check.h"

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

// Edits (insert, delete, replace) between two short words.
int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = std::exchange(row[0], static_cast<int>(i));
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
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
