// Prints the features of a position: a line for each plane, its points row by row as 0 and 1, and
// one with the scalars.
//
//   write_features RULES MOVE...    write_features "9x9 ko=simple" c3 pass

#include <cstdio>
#include <exception>
#include <optional>
#include <string>

#include "nn/features.h"
#include "rules/check.h"
#include "rules/rules_text.h"

namespace tengen {
namespace {

Move move_of(const std::string& text, BoardSize size) {
  if (text == "pass") return Move::pass();
  const std::optional<Point> point = parse_point(text, size);
  if (!point) throw Error("expected a point or pass, found " + text);
  return Move(*point);
}

void print(const Features& features) {
  for (const PointSet& plane : features.planes) {
    for (int i = 0; i < features.size.area(); ++i) std::putchar(plane.contains(i) ? '1' : '0');
    std::putchar('\n');
  }
  for (const float scalar : features.scalars) std::printf("%.9g ", scalar);
  std::putchar('\n');
}

}  // namespace
}  // namespace tengen

int main(int argc, char** argv) {
  using namespace tengen;
  if (argc < 2) {
    std::fprintf(stderr, "usage: write_features RULES MOVE...\n");
    return 2;
  }
  try {
    const Rules rules = parse_rules(argv[1]);
    Position position(rules);
    for (int i = 2; i < argc; ++i) position.play(move_of(argv[i], rules.size));
    print(features_of(position));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
