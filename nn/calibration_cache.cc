#include "nn/calibration_cache.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <thread>

#include "nn/devices.h"
#include "nn/net_files.h"
#include "rules/check.h"
#include "rules/durable_file.h"
#include "rules/hash.h"
#include "rules/program.h"

namespace tengen {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

namespace {

constexpr int kFormatVersion = 1;
constexpr int kMostLists = 1000;  // in a file that is not made to break readers

std::string hex(std::uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

// The first line of a file that begins with `key`, "" for none.
std::string line_of(const fs::path& path, std::string_view key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(key)) return line;
  }
  return "";
}

// Models of NVIDIA's GPUs, as the driver tells them.
std::vector<std::string> gpu_models() {
  std::vector<std::string> models;
  std::error_code error;  // no such driver
  for (const auto& entry : fs::directory_iterator("/proc/driver/nvidia/gpus", error)) {
    models.push_back(line_of(entry.path() / "information", "Model"));
  }
  std::ranges::sort(models);
  return models;
}

ordered_json question_of(const Network& network, const EvaluatorOptions& options,
                         BoardSize canvas) {
  return {{"device", options.device},
          {"precision", options.precision},
          {"batch", options.batch},
          {"kernels", options.kernels},
          {"canvas", std::max(canvas.width, canvas.height)},
          {"net", described(network.shape())},
          {"weights", hex(hash_of_weights(network))},
          {"program", std::string(version()) + " " + std::string(git_hash())},
          {"libtorch", torch_version()},
          {"cuda", cuda_version()},
          {"processor", processor_name()},
          {"flags", hex(hash_of_bytes(line_of("/proc/cpuinfo", "flags")))},
          {"cores", std::thread::hardware_concurrency()},
          {"devices", device_names()},
          {"gpus", gpu_models()}};
}

bool is_bracket(char c) {
  return c == '[' || c == '{';
}

std::optional<Calibration> kept(const fs::path& file, const ordered_json& question) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return std::nullopt;
  try {
    const std::string text = read_file(file);
    if (std::ranges::count_if(text, is_bracket) > kMostLists) return std::nullopt;
    const auto read = ordered_json::parse(text);
    if (read.at("format_version") != kFormatVersion || read.at("of") != question) {
      return std::nullopt;
    }
    return calibration_from_json(read.at("calibration").dump());
  } catch (const ordered_json::exception&) {
    return std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

fs::path calibrations_directory() {
  const auto named = [](const char* variable) -> fs::path {
    const char* value = std::getenv(variable);
    return value == nullptr ? "" : value;
  };
  const fs::path cache = named("XDG_CACHE_HOME"), home = named("HOME");
  // Relative paths are to be ignored (XDG Base Directory Specification).
  if (cache.is_absolute()) return cache / "tengen" / "calibrations";
  if (home.is_absolute()) return home / ".cache" / "tengen" / "calibrations";
  return {};
}

CalibrationCache::CalibrationCache(fs::path directory, std::ostream& log)
    : directory_(std::move(directory)), log_(log) {}

Calibration CalibrationCache::calibrate(const Network& network, const EvaluatorOptions& options,
                                        BoardSize canvas) {
  const auto question = question_of(network, options, canvas);
  const auto file = directory_ / (hex(hash_of_bytes(question.dump())) + ".json");
  if (const auto known = kept(file, question); known && is_possible(*known, network)) {
    return *known;
  }
  const Calibration made = tengen::calibrate(network, options, canvas);
  const ordered_json text = {{"format_version", kFormatVersion},
                             {"of", question},
                             {"calibration", ordered_json::parse(to_json(made))}};
  keep(file, text.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
  return made;
}

void CalibrationCache::keep(const fs::path& file, const std::string& text) {
  try {
    if (directory_.empty()) throw Error("there is neither XDG_CACHE_HOME nor HOME");
    fs::create_directories(directory_);
    write_durable(file, text);
  } catch (const std::exception& e) {  // Error, or of the file system
    if (!has_complained_) log_ << "what was timed is not kept: " << e.what() << "\n";
    has_complained_ = true;
  }
}

}  // namespace tengen
