#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace tengen {

class EventFile;

// A named figure or word of a record.
using MetricValue = std::variant<double, std::int64_t, std::string>;
struct Metric {
  std::string name;
  MetricValue value;

  template <class T>
  Metric(std::string_view metric_name, const T& metric_value)
      : name(metric_name), value(converted(metric_value)) {}

 private:
  template <class T>
  static MetricValue converted(const T& value) {
    if constexpr (std::is_floating_point_v<T>)
      return static_cast<double>(value);
    else if constexpr (std::is_integral_v<T>)
      return static_cast<std::int64_t>(value);
    else
      return std::string(value);
  }
};

// What a run measures, in its directory, for people and programs to follow while it goes on:
//
//   metrics.jsonl          one JSON object a line: "kind" (text: "train", "selfplay", ...), "step"
//                          (integer, optimiser steps so far), "time" (seconds since 1970), then the
//                          record's own fields; a number that is not finite is null
//   events.out.tfevents.*  the same numbers for TensorBoard, tag "<kind>/<name>"
//
// Records are appended, never overwritten: what add() wrote is there after kill -9 (a power cut may
// take the last seconds). Any number of processes may write to metrics.jsonl: each locks the file
// (flock) for its record. So a line without an end is one that a kill tore: the next record closes
// it, and readers skip it. The event file is the process's own. One thread at a time.
//
//   metrics.add("train", step, {{"loss", loss.total}, {"rows", rows}, {"net", id}});
class Metrics {
 public:
  // Creates or continues the files in `directory`, which must be there. Throws Error.
  explicit Metrics(const std::filesystem::path& directory);
  ~Metrics();

  void add(std::string_view kind, std::int64_t step, const std::vector<Metric>& values);

 private:
  std::filesystem::path path_;
  int file_;
  std::unique_ptr<EventFile> events_;
};

// A line of metrics.jsonl, read back. Booleans count as 0 and 1; null, lists and objects are left
// out.
struct MetricRecord {
  std::string kind;
  std::int64_t step = 0;
  double time_s = 0;  // since 1970
  std::map<std::string, double> numbers;
  std::map<std::string, std::string> texts;

  double number(const std::string& name, double otherwise) const {
    const auto found = numbers.find(name);
    return found == numbers.end() ? otherwise : found->second;
  }
  std::string text(const std::string& name) const {
    const auto found = texts.find(name);
    return found == texts.end() ? "" : found->second;
  }
};

// Visits the records of <directory>/metrics.jsonl, oldest first; none if the file is not there.
// Safe while a run writes. Returns the number of lines that could not be read and were skipped.
std::int64_t read_metrics(const std::filesystem::path& directory,
                          const std::function<void(const MetricRecord&)>& visit);

}  // namespace tengen
