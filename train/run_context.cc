#include "train/run_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "configs/reader.h"
#include "nn/cache_evaluator.h"
#include "nn/cpu_network.h"
#include "nn/devices.h"
#include "nn/network_model.h"
#include "nn/split_evaluator.h"
#include "rules/durable_file.h"
#include "rules/hash.h"
#include "rules/program.h"
#include "rules/rules_text.h"
#include "selfplay/shard.h"
#include "train/run_dir.h"
#include "train/run_info.h"
#include "train/run_stop.h"

namespace tengen {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

namespace {

std::string spent(const std::string& budget) {
  return budget + " are spent; more of them go on from here (--set " + budget + "=N)";
}

// What a calibration is an answer to.
ordered_json question_of(const EvaluatorOptions& options, BoardSize largest) {
  return {{"device", options.device},
          {"precision", options.precision},
          {"batch", options.batch},
          {"kernels", options.kernels},
          {"largest_board", to_text(largest)},
          {"processor", processor_name()},
          {"devices", device_names()}};
}

// Whether this machine has what was chosen, perhaps on another one.
bool is_possible(const Calibration& calibration, const Network& network) {
  if (calibration.cpu_path.empty()) return true;
  const auto paths = available_cpu_paths(net_model(network, "calibration"));
  return std::ranges::count(paths, calibration.cpu_path,
                            [](CpuPath path) { return name_of(path); }) > 0;
}

// The calibration in run.json; nullopt for none, or one under other options.
std::optional<Calibration> kept_calibration(const fs::path& directory,
                                            const ordered_json& question) {
  const auto text = run_fact(directory, "calibration");
  if (text.empty()) return std::nullopt;
  try {
    const auto kept = ordered_json::parse(text);
    if (kept.at("of") != question) return std::nullopt;
    return Calibration{kept.at("device"), kept.at("precision"), kept.at("batch"),
                       kept.at("short_batches").get<std::vector<int>>(), kept.at("cpu_path")};
  } catch (const ordered_json::exception& e) {
    throw Error((directory / "run.json").string() + ": calibration: " + e.what());
  }
}

ordered_json to_json(const Calibration& c, const ordered_json& question) {
  ordered_json timings = ordered_json::array();
  for (const auto& t : c.timings) {
    timings.push_back({{"precision", t.precision},
                       {"batch", t.batch},
                       {"rows_per_s", t.rows_per_s},
                       {"policy_difference", t.policy_difference},
                       {"value_difference", t.value_difference},
                       {"accepted", t.accepted},
                       {"cpu_path", t.cpu_path}});
  }
  return {{"of", question},
          {"device", c.device},
          {"precision", c.precision},
          {"batch", c.batch},
          {"short_batches", c.short_batches},
          {"cpu_path", c.cpu_path},
          {"timings", timings}};
}

// A run goes on under its rules: before anything is changed, whoever plays or trains.
void require_same_rules(const RunConfig& config, const fs::path& directory) {
  const auto kept = directory / "config.toml";
  if (config.train.mixed_rules || !fs::exists(kept)) return;
  RunConfig before;
  read_config(kept, {}, before);
  const auto rule_set = [](const RunConfig& c) {
    return rule_set_text(rules_of(c.games, BoardSize::square(c.games.sizes.front())));
  };
  if (rule_set(before) == rule_set(config)) return;
  throw UsageError("games.rules: the run in " + directory.string() +
                   " is played under other rules (" + rule_set(before) + ") than these (" +
                   rule_set(config) + "); train.mixed_rules=true goes on with both");
}

}  // namespace

RunContext::RunContext(const RunConfig& run_config, fs::path run_directory, const std::string& role,
                       const std::string& command)
    : config(run_config),
      directory(std::move(run_directory)),
      nets(directory),
      progress_file_(progress_file(directory, role)) {
  require_same_rules(config, directory);
  for (const auto* folder :
       {"nets", "candidates", "shards", "matches", "quarantine", "train", "logs", "parked"}) {
    fs::create_directories(directory / folder);
  }
  remove_drafts(directory,
                [this](std::string_view name) { return name == progress_file_.filename(); });
  const auto before = total_progress(directory);
  progress.komi_centre = before.games > 0 ? before.komi_centre : config.games.komi_mean;
  if (fs::exists(progress_file_)) progress = read_progress(progress_file_);
  ++progress.attempt;
  progress.stopped.clear();
  seconds_before_ = before.seconds;
  metrics_ = std::make_unique<Metrics>(directory);
  if (const auto mb = static_cast<std::size_t>(config.evaluator.cache_mb); mb > 0) {
    cache_ = std::make_shared<EvaluationCache>(mb << 20, largest_board());
  }
  record_start(directory, {torch_version(), cuda_version(), device_names(), config.run.seed,
                           threads(), command, to_toml(config, true)});
  save_progress();
}

int RunContext::threads() const {
  if (config.run.threads > 0) return config.run.threads;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

BoardSize RunContext::largest_board() const {
  return BoardSize::square(*std::ranges::max_element(config.games.sizes));
}

std::string RunContext::training_device() const {
  return config.evaluator.device == "auto" ? best_device() : config.evaluator.device;
}

std::string RunContext::config_hash() const {
  const auto text = to_toml(config, false);
  return fmt::format("{:016x}", hash_of_bytes(text));
}

bool RunContext::interrupted() const {
  return StopSignals::requested() || fs::exists(directory / "STOP");
}

RunProgress RunContext::total() const {
  const auto now = std::chrono::steady_clock::now();
  if (!others_read_ || now - *others_read_ >= std::chrono::seconds(1)) {
    others_ = total_progress(directory, progress_file_);
    others_read_ = now;
  }
  auto all = others_;
  add(all, progress);
  return all;
}

bool RunContext::exam_passed() const {
  return config.run.exam_every > 0 && total().exam_passed;
}

std::optional<std::string> RunContext::stop_reason() const {
  if (!stopping_) stopping_ = reason_to_stop();
  return stopping_;
}

void RunContext::stop(const std::string& reason) {
  if (!stopping_) stopping_ = reason;
}

std::optional<std::string> RunContext::reason_to_stop() const {
  const auto& run = config.run;
  if (StopSignals::requested()) return "asked to by a signal";
  if (fs::exists(directory / "STOP")) {
    return "there is a STOP file in the run directory; without it the run goes on";
  }
  if (exam_passed()) return "the exam is passed";
  if (run.minutes > 0 && seconds() >= 60 * run.minutes) return spent("run.minutes");
  const auto all = total();
  if (run.evaluations > 0 && all.evaluations >= run.evaluations) return spent("run.evaluations");
  if (run.samples > 0 && all.samples >= run.samples) return spent("run.samples");
  return std::nullopt;
}

double RunContext::budget_spent() const {
  const auto& run = config.run;
  double share = 0;
  if (run.minutes > 0) share = std::max(share, seconds() / (60 * run.minutes));
  const auto ratio = [](std::int64_t a, std::int64_t b) {
    return static_cast<double>(a) / static_cast<double>(b);
  };
  const auto all = total();
  if (run.evaluations > 0) share = std::max(share, ratio(all.evaluations, run.evaluations));
  if (run.samples > 0) share = std::max(share, ratio(all.samples, run.samples));
  return std::min(share, 1.0);
}

double RunContext::seconds() const {
  const std::chrono::duration<double> now = std::chrono::steady_clock::now() - started_;
  return seconds_before_ + now.count();
}

void RunContext::save_progress() {
  progress.seconds = seconds();
  write_durable(progress_file_, to_json(progress));
}

void RunContext::end() {
  progress.stopped = stop_reason().value_or("");
  save_progress();
  if (cache_) {
    const auto [asked, hits] = cache_->counts();
    say(fmt::format("the cache knew {} of {} positions", hits, asked));
  }
  say("stopped: " + progress.stopped);
}

Rules RunContext::rules(BoardSize size) const {
  return rules_of(config.games, size);
}

ArenaOptions RunContext::arena(const std::string& name) const {
  ArenaOptions options;
  options.rules = rules(BoardSize::square(config.games.sizes.front()));
  // Of the games of this process, or of those that play.
  const auto all = total();
  const double centre = all.games > 0 ? all.komi_centre : progress.komi_centre;
  options.rules.komi = Komi::from_half_points(static_cast<int>(std::lround(2 * centre)));
  for (const int side : config.games.sizes) options.sizes.push_back(BoardSize::square(side));
  options.opening_moves = std::max(2, options.rules.size.area() / 20);
  options.seed = mix64(seed(), hash_of_bytes(name));
  return options;
}

const Calibration& RunContext::calibration(const Network& network) {
  if (calibration_) return *calibration_;
  const auto question = question_of(config.evaluator, largest_board());
  calibration_ = kept_calibration(directory, question);
  if (calibration_ && is_possible(*calibration_, network)) return *calibration_;
  calibration_ = calibrate(network, config.evaluator, largest_board());
  set_run_fact(directory, "calibration", to_json(*calibration_, question).dump());
  const std::string& path = calibration_->cpu_path;
  say(fmt::format("networks are computed on {} in {}{}, {} rows at a time", calibration_->device,
                  calibration_->precision, path.empty() ? "" : " by our own kernels (" + path + ")",
                  calibration_->batch));
  return *calibration_;
}

std::vector<std::shared_ptr<Evaluator>> RunContext::evaluators(LoadedNet net, int count) {
  const auto network = std::make_shared<const Network>(std::move(net.network));
  const auto& how = calibration(*network);
  std::vector<std::shared_ptr<Evaluator>> result;
  for (int i = 0; i < count; ++i) {
    result.push_back(std::make_shared<NetEvaluator>(network, net.info.id, how, largest_board()));
    if (cache_) result.back() = std::make_shared<CacheEvaluator>(result.back(), cache_);
  }
  return result;
}

std::shared_ptr<Evaluator> RunContext::match_evaluator(LoadedNet net) {
  return std::make_shared<SplitEvaluator>(evaluators(std::move(net), threads()));
}

void RunContext::say(const std::string& text) {
  line_.say(text);
  std::ofstream(directory / "logs" / "run.log", std::ios::app) << utc_time() << " " << text << "\n";
}

void RunContext::wait(const std::string& reason) {
  if (reason == last_wait_) return;
  last_wait_ = reason;
  say(reason);
  record("wait", {{"reason", reason}});
}

void RunContext::record(std::string_view kind, const std::vector<Metric>& values) {
  metrics_->add(kind, total().steps, values);
}

void RunContext::show(const std::string& stage) {
  const auto& run = config.run;
  const auto all = total();
  const bool has_budget = run.minutes > 0 || run.evaluations > 0 || run.samples > 0;
  line_.update(has_budget ? budget_spent() : -1,
               // Fits into 80 columns.
               fmt::format("{} | {} games, {} evals, {} steps", stage, short_form(all.games),
                           short_form(all.evaluations), short_form(all.steps)));
}

void RunContext::set_aside(const fs::path& path, const std::string& reason) {
  quarantine_shard(path, directory / "quarantine", reason);
  say(path.filename().string() + " is set aside in quarantine/: " + reason);
  record("quarantine", {{"file", path.filename().string()}, {"reason", reason}});
}

}  // namespace tengen
