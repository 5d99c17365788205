#include <algorithm>
#include <nlohmann/json.hpp>

#include "nn/calibration.h"
#include "nn/cpu_network.h"
#include "nn/devices.h"
#include "nn/network_model.h"
#include "rules/check.h"

namespace tengen {

using nlohmann::ordered_json;

namespace {

ordered_json to_json(const Calibration::Timing& t) {
  return {{"precision", t.precision},
          {"batch", t.batch},
          {"rows_per_s", t.rows_per_s},
          {"policy_difference", t.policy_difference},
          {"value_difference", t.value_difference},
          {"accepted", t.accepted},
          {"cpu_path", t.cpu_path}};
}

Calibration::Timing timing_from(const ordered_json& t) {
  return {t.at("precision"),        t.at("batch"),    t.at("rows_per_s"), t.at("policy_difference"),
          t.at("value_difference"), t.at("accepted"), t.at("cpu_path")};
}

void require(bool holds, const char* what) {
  if (!holds) throw Error(what);
}

void require_ranges(const std::string& precision, int batch) {
  require(precision == "fp32" || precision == "bf16" || precision == "fp16",
          "precision: expected fp32, bf16 or fp16");
  require(batch >= 1 && batch <= 16384, "batch: expected 1 to 16384, as evaluator.batch");
}

void require_ranges(const Calibration& c) {
  require_ranges(c.precision, c.batch);
  for (const auto& t : c.timings) require_ranges(t.precision, t.batch);
  int before = 0;
  for (const int rows : c.short_batches) {
    require(before < rows && rows < c.batch, "short_batches: expected ascending, below batch");
    before = rows;
  }
}

}  // namespace

std::string to_json(const Calibration& c) {
  ordered_json timings = ordered_json::array();
  for (const auto& t : c.timings) timings.push_back(to_json(t));
  return ordered_json{{"device", c.device},     {"precision", c.precision},
                      {"batch", c.batch},       {"short_batches", c.short_batches},
                      {"cpu_path", c.cpu_path}, {"timings", timings}}
      .dump();
}

Calibration calibration_from_json(const std::string& json) {
  try {
    const auto read = ordered_json::parse(json);
    Calibration c{read.at("device"), read.at("precision"), read.at("batch"),
                  read.at("short_batches").get<std::vector<int>>(), read.at("cpu_path")};
    for (const auto& t : read.at("timings")) c.timings.push_back(timing_from(t));
    require_ranges(c);
    return c;
  } catch (const ordered_json::exception& e) {
    throw Error(std::string("calibration: ") + e.what());
  } catch (const Error& e) {
    throw Error(std::string("calibration: ") + e.what());
  }
}

bool is_possible(const Calibration& calibration, const Network& network) {
  const auto devices = device_names();
  if (calibration.device != "cpu" && std::ranges::count(devices, calibration.device) == 0) {
    return false;
  }
  if (calibration.cpu_path.empty()) return true;
  const auto paths = available_cpu_paths(net_model(network, "calibration"));
  return std::ranges::count(paths, calibration.cpu_path,
                            [](CpuPath path) { return name_of(path); }) > 0;
}

std::string in_words(const Calibration& c) {
  return c.precision + (c.cpu_path.empty() ? "" : " by our own kernels (" + c.cpu_path + ")");
}

}  // namespace tengen
