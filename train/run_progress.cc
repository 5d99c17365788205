#include "train/run_progress.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "rules/check.h"
#include "rules/durable_file.h"
#include "train/run_dir.h"

namespace tengen {

namespace fs = std::filesystem;

namespace {

// Every field by name, once; for writing and reading.
template <class Progress, class Visit>
void for_each_field(Progress& p, Visit visit) {
  visit("seconds", p.seconds);
  visit("evaluations", p.evaluations);
  visit("games", p.games);
  visit("moves", p.moves);
  visit("rows", p.rows);
  visit("training_rows", p.training_rows);
  visit("steps", p.steps);
  visit("samples", p.samples);
  visit("rows_lost", p.rows_lost);
  visit("next_game", p.next_game);
  visit("next_shard", p.next_shard);
  visit("komi_centre", p.komi_centre);
  visit("nets_promoted", p.nets_promoted);
  visit("exam_passed", p.exam_passed);
  visit("stopped", p.stopped);
  visit("attempt", p.attempt);
}

// What files of earlier programs do not have.
constexpr double kMost = 1e15;  // of any counter

constexpr std::string_view kNewer[] = {"rows_lost", "exam_passed"};

}  // namespace

std::string to_json(const RunProgress& progress) {
  nlohmann::ordered_json json;
  for_each_field(progress, [&](const char* name, const auto& field) { json[name] = field; });
  return json.dump(2) + "\n";
}

RunProgress read_progress(const fs::path& file) {
  const auto json = nlohmann::json::parse(read_file(file), nullptr, false);
  if (!json.is_object())
    throw Error(file.string() + ": expected a JSON object, found something else");
  RunProgress progress;
  for_each_field(progress, [&](const char* name, auto& field) {
    if (!json.contains(name)) {
      if (std::ranges::count(kNewer, name) != 0) return;
      throw Error(file.string() + ": field '" + name + "' is missing");
    }
    try {
      json.at(name).get_to(field);
    } catch (const nlohmann::json::exception& e) {
      throw Error(file.string() + ": field '" + name + "': " + e.what());
    }
    if constexpr (std::is_arithmetic_v<std::decay_t<decltype(field)>>) {
      if (!(std::abs(static_cast<double>(field)) <= kMost)) {
        throw Error(file.string() + ": field '" + name + "': expected at most 1e15, found " +
                    json.at(name).dump());
      }
    }
  });
  return progress;
}

fs::path progress_file(const fs::path& directory, const std::string& role) {
  const bool is_loop = role.empty() || role == "selfplay-w0";
  return directory / (is_loop ? "progress.json" : "progress-" + role + ".json");
}

void add(RunProgress& total, const RunProgress& part) {
  total.seconds = std::max(total.seconds, part.seconds);
  total.evaluations += part.evaluations;
  total.games += part.games;
  total.moves += part.moves;
  total.rows += part.rows;
  total.training_rows += part.training_rows;
  total.steps = std::max(total.steps, part.steps);
  total.samples = std::max(total.samples, part.samples);
  total.rows_lost = std::max(total.rows_lost, part.rows_lost);
  if (part.games > 0) total.komi_centre = part.komi_centre;
  total.nets_promoted += part.nets_promoted;
  total.exam_passed = total.exam_passed || part.exam_passed;
  total.stopped = part.stopped;
  total.attempt = std::max(total.attempt, part.attempt);
}

RunProgress total_progress(const fs::path& directory, const fs::path& except) {
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (const auto& entry : fs::directory_iterator(directory)) {
    const auto name = entry.path().filename().string();
    if (!name.starts_with("progress") || !name.ends_with(".json")) continue;
    if (name != except.filename()) files.emplace_back(entry.last_write_time(), entry.path());
  }
  std::ranges::sort(files);
  RunProgress total;
  for (const auto& [time, file] : files) add(total, read_progress(file));
  return total;
}

}  // namespace tengen
