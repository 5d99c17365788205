#include "train/run_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "configs/reader.h"
#include "nn/cache_evaluator.h"
#include "nn/calibration.h"
#include "nn/devices.h"
#include "nn/split_evaluator.h"
#include "rules/durable_file.h"
#include "rules/hash.h"
#include "rules/program.h"
#include "rules/rules_text.h"
#include "selfplay/shard.h"
#include "train/run_dir.h"
#include "train/run_info.h"
#include "train/run_stop.h"
#include "train/run_workers.h"

namespace tengen {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

namespace {

std::string spent(const std::string& budget) {
  return budget + " are spent; more of them go on from here (--set " + budget + "=N)";
}

constexpr std::chrono::milliseconds kRoomPause{500};
constexpr std::chrono::seconds kRoomReminder{60};

// Does it, or says for what there is no room.
std::optional<std::string> attempt(const std::function<void()>& write) {
  try {
    write();
  } catch (const NoRoomError& error) {
    return error.what();
  } catch (const fs::filesystem_error& error) {  // of directories
    const auto code = error.code();
    if (code != std::errc::no_space_on_device && code != std::errc::read_only_file_system) throw;
    return error.what();
  }
  return std::nullopt;
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

// The calibration in run.json; nullopt for none, or one under other options.
std::optional<Calibration> kept_calibration(const fs::path& directory,
                                            const ordered_json& question) {
  const auto text = run_fact(directory, "calibration");
  if (text.empty()) return std::nullopt;
  try {
    const auto kept = ordered_json::parse(text);
    if (!kept.contains("of") || kept["of"] != question) return std::nullopt;
    return calibration_from_json(text);
  } catch (const Error& e) {
    throw Error((directory / "run.json").string() + ": " + e.what());
  }
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
  return worker_threads(config);
}

BoardSize RunContext::largest_board() const {
  return tengen::largest_board(config);
}

std::string RunContext::training_device() const {
  return resolve_device(config.evaluator.device);
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
  with_room([&] {
    progress.seconds = seconds();
    write_durable(progress_file_, to_json(progress));
  });
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
  ordered_json fact = {{"of", question}};
  fact.update(ordered_json::parse(to_json(*calibration_)));
  set_run_fact(directory, "calibration", fact.dump());
  say(fmt::format("networks are computed on {} in {}, {} rows at a time", calibration_->device,
                  in_words(*calibration_), calibration_->batch));
  return *calibration_;
}

const Calibration& RunContext::arithmetic_of(const std::string& id, const Network& network) {
  if (const auto known = arithmetics_.find(id); known != arithmetics_.end()) return known->second;
  const auto& kept = calibration(network);
  const auto found = checked(kept, network, largest_board());
  if (found.fell_back) {
    say(fmt::format(
        "{} is computed in {}: {} differs from fp32 by {:.3f} in the policy and {:.3f} "
        "in the value",
        id, in_words(found.how), in_words(kept), found.policy_difference, found.value_difference));
    record("fallback", {{"net", id},
                        {"from", in_words(kept)},
                        {"to", in_words(found.how)},
                        {"policy_difference", found.policy_difference},
                        {"value_difference", found.value_difference}});
  }
  return arithmetics_.emplace(id, found.how).first->second;
}

std::vector<std::shared_ptr<Evaluator>> RunContext::evaluators(LoadedNet net, int count) {
  const auto network = std::make_shared<const Network>(std::move(net.network));
  const auto& how = arithmetic_of(net.info.id, *network);
  std::vector<std::shared_ptr<Evaluator>> result;
  for (auto& evaluator : net_evaluators(config, network, net.info.id, how, count)) {
    result.push_back(std::move(evaluator));
    if (cache_) result.back() = std::make_shared<CacheEvaluator>(result.back(), cache_);
  }
  return result;
}

std::shared_ptr<Evaluator> RunContext::match_evaluator(LoadedNet net) {
  return std::make_shared<SplitEvaluator>(evaluators(std::move(net), threads()));
}

void RunContext::with_room(const std::function<void()>& write) {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  std::optional<Clock::time_point> said;
  while (true) {
    const auto missing = attempt(write);
    if (!missing) break;
    if (interrupted()) throw NoRoomError(*missing);
    if (!said || Clock::now() - *said >= kRoomReminder) {
      say("no room: " + *missing + "; the run waits and tries again");
      said = Clock::now();
    }
    std::this_thread::sleep_for(kRoomPause);
  }
  if (!said) return;
  const std::chrono::duration<double> waited = Clock::now() - began;
  say(fmt::format("there is room again, after {:.0f} s", waited.count()));
  record("wait", {{"reason", "no room"}, {"seconds", waited.count()}});
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
  with_room([&] { metrics_->add(kind, total().steps, values); });
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
