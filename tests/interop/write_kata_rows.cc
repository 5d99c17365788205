// Converts a shard to KataGo's rows on boards of so many points a side, or KataGo's rows to
// columns:
//   write_kata_rows SHARD FOLDER LENGTH
//   write_kata_rows NPZ FOLDER
#include <cstdio>
#include <cstdlib>

#include "rules/check.h"
#include "selfplay/kata_convert.h"

int main(int argc, char** argv) {
  using namespace tengen;
  if (argc != 3 && argc != 4) return 2;
  try {
    if (argc == 4) {
      const auto rows = shard_to_kata(argv[1], argv[2], std::atoi(argv[3]));
      std::printf("%lld %lld\n", static_cast<long long>(rows.training),
                  static_cast<long long>(rows.held_out));
    } else {
      std::printf("%lld\n", static_cast<long long>(kata_to_rows(argv[1], argv[2])));
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
