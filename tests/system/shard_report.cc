// Verifies shards in full and says what is in them, one JSON object a line:
//   shard_report FILE...
//   {"file": name, "rows": n, "holdout_rows": n, "games": [index, ...]} or {"file": name, "error":
//   reason}

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "rules/check.h"
#include "selfplay/shard.h"

namespace {

nlohmann::ordered_json report(const std::filesystem::path& path) {
  nlohmann::ordered_json line = {{"file", path.filename().string()}};
  try {
    tengen::verify_shard(path);
    const tengen::ShardReader reader(path);
    line["rows"] = reader.info().rows;
    line["holdout_rows"] = reader.info().holdout_rows;
    line["games"] = nlohmann::json::array();
    for (const auto& game : reader.read_games()) line["games"].push_back(game.index);
  } catch (const tengen::Error& e) {
    line["error"] = e.what();
  }
  return line;
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) std::cout << report(argv[i]).dump() << "\n";
}
