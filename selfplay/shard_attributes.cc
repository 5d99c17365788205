#include "selfplay/shard_attributes.h"

#include <algorithm>
#include <cstdio>

#include "rules/dead_stones.h"
#include "rules/hash.h"
#include "rules/rng.h"

namespace tengen {
namespace {

constexpr std::string_view kFormat = "tengen-shard";

// Of all that is said of a shard, text by text.
std::uint64_t hash_of(const ShardInfo& info) {
  std::vector<std::string> texts = {std::to_string(version_of(info.features)),
                                    std::to_string(info.index),
                                    info.worker,
                                    info.attempt,
                                    std::to_string(info.rows),
                                    std::to_string(info.games),
                                    std::to_string(info.holdout_rows),
                                    std::to_string(info.bootstrap),
                                    info.rules,
                                    std::to_string(info.seed),
                                    info.program_version,
                                    info.config_hash,
                                    info.created};
  texts.insert(texts.end(), info.nets.begin(), info.nets.end());
  texts.insert(texts.end(), info.rule_sets.begin(), info.rule_sets.end());
  std::uint64_t hash = 0;
  for (const std::string& text : texts) hash = mix64(hash ^ hash_of_bytes(text));
  return hash;
}

}  // namespace

std::string hash_text(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

void write_shard_attributes(ColumnWriter& file, const ShardInfo& info) {
  file.set_attribute("format", std::string(kFormat));
  file.set_attribute("version", std::int64_t{kShardVersion});
  file.set_attribute("features_version", std::int64_t{version_of(info.features)});
  file.set_attribute("judge_version", std::int64_t{kJudgeVersion});
  file.set_attribute("index", info.index);
  file.set_attribute("worker", info.worker);
  file.set_attribute("attempt", info.attempt);
  file.set_attribute("rows", info.rows);
  file.set_attribute("games", info.games);
  file.set_attribute("holdout_rows", info.holdout_rows);
  file.set_attribute("bootstrap", std::int64_t{info.bootstrap});
  file.set_attribute("nets", info.nets);
  file.set_attribute("rules", info.rules);
  file.set_attribute("rule_sets", info.rule_sets);
  file.set_attribute("seed", info.seed);
  file.set_attribute("program_version", info.program_version);
  file.set_attribute("config_hash", info.config_hash);
  file.set_attribute("created", info.created);
  file.set_attribute("attributes_hash", hash_text(hash_of(info)));
  file.set_attribute("content_hash", hash_text(file.content_hash()));
  file.set_attribute("complete", std::int64_t{1});
}

ShardInfo read_shard_attributes(const ColumnReader& file, const std::filesystem::path& path) {
  const auto expect = [&](const char* name, std::int64_t expected, std::int64_t found) {
    if (found != expected) {
      throw Error(path.string() + ": " + name + " " + std::to_string(found) +
                  ", this reader knows " + std::to_string(expected));
    }
  };
  const std::string format = file.text_attribute("format");
  if (format != kFormat) {
    throw Error(path.string() + ": expected format " + std::string(kFormat) + ", found " + format);
  }
  expect("version", kShardVersion, file.number_attribute("version"));
  const auto features_version = file.number_attribute("features_version");
  const auto features = feature_schema(features_version);
  if (!features) {
    throw Error(path.string() + ": features_version " + std::to_string(features_version) +
                ", this reader knows 1 and 2");
  }
  expect("complete", 1, file.number_attribute("complete"));
  ShardInfo info;
  info.features = *features;
  info.index = file.number_attribute("index");
  info.worker = file.text_attribute("worker");
  info.attempt = file.text_attribute("attempt");
  info.rows = file.number_attribute("rows");
  info.games = file.number_attribute("games");
  info.holdout_rows = file.number_attribute("holdout_rows");
  info.bootstrap = file.number_attribute("bootstrap") != 0;
  info.nets = file.texts_attribute("nets");
  info.rules = file.text_attribute("rules");
  info.rule_sets = file.texts_attribute("rule_sets");
  const bool is_judged = std::ranges::any_of(info.rule_sets, [](const std::string& rules) {
    return rules.find("dead=automatic") != std::string::npos;
  });
  if (is_judged) expect("judge_version", kJudgeVersion, file.number_attribute("judge_version"));
  info.seed = file.unsigned_attribute("seed");
  info.program_version = file.text_attribute("program_version");
  info.config_hash = file.text_attribute("config_hash");
  info.created = file.text_attribute("created");
  if (info.rows < 1 || info.games < 1 || info.holdout_rows < 0 || info.holdout_rows > info.rows) {
    throw Error(path.string() + ": rows, games and holdout_rows contradict one another");
  }
  if (file.text_attribute("attributes_hash") != hash_text(hash_of(info))) {
    throw Error(path.string() + ": attributes_hash is not that of the attributes");
  }
  return info;
}

}  // namespace tengen
