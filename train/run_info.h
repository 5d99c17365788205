#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tengen {

// What run.json says of a run: under what it was started, each time.
struct RunInfo {
  std::string libtorch;              // "2.11.0"
  std::string cuda;                  // "13.0"; "none" without a GPU
  std::vector<std::string> devices;  // as the evaluator names them
  std::int64_t seed = 0;
  int threads = 0;
  std::string command;      // the whole command line
  std::string config = {};  // as TOML
};

// Records a start in <directory>/run.json: a JSON object with
//   format_version 1; version, git_hash (of this build), libtorch, cuda, processor, host, cores,
//   devices, seed, threads, command, created: of the first start
//   starts: a list of {time, version, git_hash, libtorch, cuda, processor, host, cores, devices,
//   threads, command, pid}, oldest first
// and whatever set_run_fact added; and keeps the config as <directory>/config.toml. Processes that
// start at once take turns (flock on run.json.lock), so none is lost. Returns how many starts there
// are now. Throws Error if the file is there and cannot be understood.
int record_start(const std::filesystem::path& directory, const RunInfo& info);
// Keeps a JSON value in run.json under a name of its own, replacing it. Requires valid JSON.
void set_run_fact(const std::filesystem::path& directory, const std::string& name,
                  const std::string& json);
// The JSON of that value, empty if there is none. Throws Error for a damaged file.
std::string run_fact(const std::filesystem::path& directory, const std::string& name);

}  // namespace tengen
