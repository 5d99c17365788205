#include "train/run_convert.h"

#include <iostream>
#include <ostream>

#include "rules/check.h"
#include "selfplay/kata_convert.h"
#include "train/run_shards.h"

namespace tengen {

namespace fs = std::filesystem;

namespace {

void require_kata(const ConvertRequest& request) {
  const bool is_to = request.to == "kata" && request.from.empty();
  const bool is_from = request.from == "kata" && request.to.empty();
  if (!is_to && !is_from) throw UsageError("convert: expected --to kata or --from kata");
}

void convert(const fs::path& path, const ConvertRequest& request, std::ostream& out) {
  if (request.from.empty()) {
    const auto rows = shard_to_kata(path, request.out, request.board);
    out << path.string() << ": " << rows.training << " rows in train, " << rows.held_out
        << " in val\n";
  } else {
    out << path.string() << ": " << kata_to_rows(path, request.out)
        << " rows without their games, which a run does not train on\n";
  }
}

}  // namespace

int run_convert(const ConvertRequest& request, std::ostream& out) {
  require_kata(request);
  const auto paths = request.from.empty()
                         ? shards_at(request.paths)
                         : std::vector<fs::path>(request.paths.begin(), request.paths.end());
  int damaged = 0;
  for (const auto& path : paths) {
    try {
      convert(path, request, out);
    } catch (const Error& error) {
      std::cerr << error.what() << "\n";
      ++damaged;
    }
  }
  return damaged == 0 ? 0 : 1;
}

}  // namespace tengen
