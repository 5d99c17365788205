#include "train/run_info.h"

#include <unistd.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "rules/check.h"
#include "rules/durable_file.h"
#include "rules/program.h"
#include "train/run_dir.h"

namespace tengen {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kFormatVersion = 1;

std::filesystem::path run_json(const std::filesystem::path& directory) {
  return directory / "run.json";
}

// Held from reading to writing.
std::filesystem::path lock_file(const std::filesystem::path& directory) {
  return directory / "run.json.lock";
}

// The object in run.json, empty if there is no file yet.
Json read(const std::filesystem::path& directory) {
  const std::filesystem::path path = run_json(directory);
  if (!std::filesystem::exists(path)) return Json::object();
  Json run;
  try {
    run = Json::parse(read_file(path));
  } catch (const nlohmann::json::exception& error) {
    throw Error(path.string() + ": not JSON: " + error.what());
  }
  if (!run.is_object()) throw Error(path.string() + ": expected a JSON object");
  const Json format = run.value("format_version", Json(kFormatVersion));
  if (format != kFormatVersion)
    throw Error(path.string() + ": format_version " + format.dump() + ", this program knows " +
                std::to_string(kFormatVersion));
  return run;
}

void write(const std::filesystem::path& directory, const Json& run) {
  write_durable(run_json(directory),
                run.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

Json facts_of(const RunInfo& info) {
  return {{"version", version()},
          {"git_hash", git_hash()},
          {"libtorch", info.libtorch},
          {"cuda", info.cuda},
          {"processor", processor_name()},
          {"host", host_name()},
          {"cores", std::thread::hardware_concurrency()},
          {"devices", info.devices},
          {"seed", info.seed},
          {"threads", info.threads},
          {"command", info.command}};
}

}  // namespace

int record_start(const std::filesystem::path& directory, const RunInfo& info) {
  const FileLock lock(lock_file(directory));
  remove_drafts(directory,
                [](std::string_view name) { return name == "run.json" || name == "config.toml"; });
  write_durable(directory / "config.toml", info.config);
  Json run = read(directory);
  const Json facts = facts_of(info);
  const std::string now = utc_time();
  if (!run.contains("created")) {
    run["format_version"] = kFormatVersion;
    run.update(facts);
    run["created"] = now;
  }
  Json start = {{"time", now}, {"pid", ::getpid()}};
  start.update(facts);
  Json& starts = run["starts"];
  if (!starts.is_null() && !starts.is_array())
    throw Error(run_json(directory).string() + ": starts: expected a list");
  starts.push_back(start);
  write(directory, run);
  return static_cast<int>(starts.size());
}

void set_run_fact(const std::filesystem::path& directory, const std::string& name,
                  const std::string& json) {
  const FileLock lock(lock_file(directory));
  Json run = read(directory);
  run[name] = Json::parse(json);
  write(directory, run);
}

std::string run_fact(const std::filesystem::path& directory, const std::string& name) {
  const Json run = read(directory);
  return run.contains(name) ? run[name].dump() : "";
}

}  // namespace tengen
