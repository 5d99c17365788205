#include "train/run_progress.h"

#include <nlohmann/json.hpp>

#include "rules/check.h"
#include "train/run_dir.h"

namespace tengen {

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
  visit("next_game", p.next_game);
  visit("next_shard", p.next_shard);
  visit("komi_centre", p.komi_centre);
  visit("bootstrapped", p.bootstrapped);
  visit("nets_promoted", p.nets_promoted);
  visit("stopped", p.stopped);
  visit("attempt", p.attempt);
}

}  // namespace

std::string to_json(const RunProgress& progress) {
  nlohmann::ordered_json json;
  for_each_field(progress, [&](const char* name, const auto& field) { json[name] = field; });
  return json.dump(2) + "\n";
}

RunProgress read_progress(const std::filesystem::path& file) {
  const auto json = nlohmann::json::parse(read_text(file), nullptr, false);
  if (!json.is_object())
    throw Error(file.string() + ": expected a JSON object, found something else");
  RunProgress progress;
  for_each_field(progress, [&](const char* name, auto& field) {
    try {
      json.at(name).get_to(field);
    } catch (const nlohmann::json::exception& e) {
      throw Error(file.string() + ": field '" + name + "': " + e.what());
    }
  });
  return progress;
}

}  // namespace tengen
