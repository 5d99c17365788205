#include "train/metrics.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "rules/durable_file.h"
#include "train/event_file.h"
#include "train/run_dir.h"

namespace tengen {
namespace {

using Json = nlohmann::ordered_json;

double now_s() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

// Whether the file's last line lacks its end: a kill came between its bytes. The file is locked.
bool is_torn(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  if (!stream || stream.tellg() == std::ifstream::pos_type(0)) return false;
  stream.seekg(-1, std::ios::end);
  return stream.get() != '\n';
}

std::string to_line(std::string_view kind, std::int64_t step, double time_s,
                    const std::vector<Metric>& values) {
  Json line{{"kind", kind}, {"step", step}, {"time", std::round(time_s * 1000) / 1000}};
  for (const Metric& metric : values)
    std::visit([&](const auto& value) { line[metric.name] = value; }, metric.value);
  return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<EventFile::Scalar> scalars(std::string_view kind, const std::vector<Metric>& values) {
  std::vector<EventFile::Scalar> result;
  for (const Metric& metric : values) {
    const std::string tag = std::string(kind) + "/" + metric.name;
    if (const auto* number = std::get_if<double>(&metric.value)) {
      result.emplace_back(tag, *number);
    } else if (const auto* count = std::get_if<std::int64_t>(&metric.value)) {
      result.emplace_back(tag, static_cast<double>(*count));
    }
  }
  return result;
}

// A line as a record; throws nlohmann's exceptions for what is not one.
MetricRecord from_line(const std::string& text) {
  const Json line = Json::parse(text);
  MetricRecord record;
  record.kind = line.at("kind").get<std::string>();
  record.step = line.at("step").get<std::int64_t>();
  record.time_s = line.at("time").get<double>();
  for (const auto& [name, value] : line.items()) {
    if (name == "kind" || name == "step" || name == "time") continue;
    if (value.is_number()) record.numbers[name] = value.get<double>();
    if (value.is_boolean()) record.numbers[name] = value.get<bool>() ? 1 : 0;
    if (value.is_string()) record.texts[name] = value.get<std::string>();
  }
  return record;
}

}  // namespace

Metrics::Metrics(const std::filesystem::path& directory) : path_(directory / "metrics.jsonl") {
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) throw_errno(path_, "cannot be opened for appending");
  events_ = std::make_unique<EventFile>(directory, now_s());
}

Metrics::~Metrics() {
  ::close(file_);
}

void Metrics::add(std::string_view kind, std::int64_t step, const std::vector<Metric>& values) {
  const double time_s = now_s();
  {
    const FileLock lock(path_);
    write_all(file_, path_, (is_torn(path_) ? "\n" : "") + to_line(kind, step, time_s, values));
  }
  const std::vector<EventFile::Scalar> numbers = scalars(kind, values);
  if (!numbers.empty()) events_->add(time_s, step, numbers);
}

std::int64_t read_metrics(const std::filesystem::path& directory,
                          const std::function<void(const MetricRecord&)>& visit) {
  std::ifstream stream(directory / "metrics.jsonl", std::ios::binary);
  std::int64_t skipped = 0;
  for (std::string line; std::getline(stream, line);) {
    if (line.empty()) continue;
    MetricRecord record;
    try {
      record = from_line(line);
    } catch (const nlohmann::json::exception&) {
      ++skipped;
      continue;
    }
    visit(record);
  }
  return skipped;
}

}  // namespace tengen
