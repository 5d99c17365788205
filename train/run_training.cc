#include "train/run_training.h"

#include <algorithm>
#include <cstdio>

#include "nn/devices.h"
#include "nn/net_files.h"
#include "nn/net_import.h"
#include "nn/net_source.h"
#include "rules/durable_file.h"
#include "rules/rules_text.h"
#include "train/loader.h"
#include "train/run_dir.h"

namespace tengen {

namespace fs = std::filesystem;

namespace {

constexpr int kLogEverySteps = 20;

// Newest last: "checkpoint-00001234".
std::vector<fs::path> checkpoints(const fs::path& run_directory) {
  std::vector<fs::path> found;
  const auto folder = run_directory / "train";
  if (!fs::exists(folder)) return found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with("checkpoint-") && name.find('.') == std::string::npos) {
      found.push_back(entry.path());
    }
  }
  std::ranges::sort(found);
  return found;
}

std::vector<Metric> metrics_of(const LossTerms& loss) {
  return {{"total", loss.total},
          {"policy", loss.policy},
          {"opponent_policy", loss.opponent_policy},
          {"soft_policy", loss.soft_policy},
          {"short_term", loss.short_term},
          {"value", loss.value},
          {"ownership", loss.ownership},
          {"score_pdf", loss.score_pdf},
          {"score_cdf", loss.score_cdf},
          {"score_mean", loss.score_mean},
          {"policy_entropy", loss.policy_entropy},
          {"policy_accuracy", loss.policy_accuracy}};
}

}  // namespace

TrainingPart::TrainingPart(RunContext& context)
    : context_(context),
      window_(context.shards(), context.config.train, mix64(context.seed(), 0x57494E),
              [this](const fs::path& shard, const std::string& reason) {
                const std::scoped_lock lock(mutex_);
                damaged_.emplace_back(shard, reason);
              }) {
  remove_drafts(context.directory / "train", [](std::string_view) { return true; });
  if (const auto champion = context.nets.champion()) {
    begin_from_champion(*champion);
  } else {
    begin();
  }
  refresh_window();
  context.progress.steps = trainer_->steps();
  context.progress.samples = trainer_->samples();
  context.save_progress();  // a kill may have left others: self-play waits by them
  saved_s_ = context.seconds();
}

// A new run: from random weights, or from the net that it is to go on from.
void TrainingPart::begin() {
  const auto& config = context_.config;
  const std::string& start = config.net.start;
  Network first = start.empty() ? Network(network_shape(config.net), context_.seed())
                                : open_net(resolve_net(start)).network;
  trainer_ = std::make_unique<Trainer>(std::move(first), config.train, context_.training_device());
  make_first_net();
}

// The champion says what the run's nets are, and net.start no longer counts.
void TrainingPart::begin_from_champion(const fs::path& champion) {
  auto net = load_net(champion);
  const auto& config = context_.config;
  if (config.net.start.empty() && net.network.shape() != network_shape(config.net)) {
    throw UsageError("[net]: the nets of " + context_.directory.string() + " are " +
                     described(net.network.shape()) + ", the config says " +
                     described(network_shape(config.net)));
  }
  trainer_ =
      std::make_unique<Trainer>(std::move(net.network), config.train, context_.training_device());
  if (!load_checkpoint()) {
    context_.say("no checkpoint: training begins anew from " + net.info.id);
  }
}

// The newest one that can be read; damaged ones are set aside.
bool TrainingPart::load_checkpoint() {
  for (auto saved = checkpoints(context_.directory); !saved.empty(); saved.pop_back()) {
    try {
      window_.set_state(trainer_->load(saved.back()));
      context_.say("training goes on from " + saved.back().filename().string());
      return true;
    } catch (const Error& e) {
      context_.set_aside(saved.back(), e.what());
    }
  }
  return false;
}

void TrainingPart::make_first_net() {
  NetInfo info;
  info.rules = to_text(asked_rules(context_.config.games, context_.largest_board()));
  const std::string& start = context_.config.net.start;
  info.source = start;
  const fs::path origin = start.empty() ? fs::path() : resolve_net(start);
  Verdict verdict;
  verdict.kind = "off";
  verdict.promoted = true;
  verdict.reason = "promoted: the first net, " + (start.empty() ? "untrained" : "from " + start);
  context_.with_room([&] {
    const auto first = context_.nets.add_candidate(trainer_->averaged(), info, origin);
    context_.nets.promote(first, to_json(verdict, first.filename().string(), ""));
  });
}

void TrainingPart::set_aside_damaged() {
  std::vector<std::pair<fs::path, std::string>> damaged;
  {
    const std::scoped_lock lock(mutex_);
    damaged.swap(damaged_);
  }
  for (const auto& [shard, reason] : damaged) {
    if (fs::symlink_status(shard).type() == fs::file_type::not_found) continue;
    context_.set_aside(shard, reason);
  }
}

// Shards of other rules are an error before any of their rows is trained on.
void TrainingPart::refresh_window() {
  window_.refresh();
  set_aside_damaged();
  const FeatureSchema features = trainer_->network().shape().features;
  if (const auto other = window_.other_features(features)) {
    const bool has_ladders = features == FeatureSchema::kV7;
    throw UsageError(other->string() + ": its rows were written " +
                     (has_ladders ? "without" : "with") + " ladder planes, the run's net " +
                     (has_ladders ? "sees them" : "sees none"));
  }
  if (context_.config.train.mixed_rules) return;
  const auto ours = rule_set_text(context_.rules(context_.largest_board()));
  if (const auto other = window_.other_rules(ours)) {
    throw UsageError(other->shard.string() + ": its games were played under other rules (" +
                     other->rule_set + ") than games.rules says (" + ours +
                     "); train.mixed_rules=true trains on both");
  }
}

std::int64_t TrainingPart::rows_due() {
  refresh_window();
  // Others must not wait for training to go through these.
  const auto lost =
      std::max<std::int64_t>(0, context_.total().training_rows - window_.rows_total());
  if (std::exchange(context_.progress.rows_lost, lost) != lost) context_.save_progress();
  const auto allowed =
      context_.config.train.replay_ratio * static_cast<double>(window_.rows_total());
  return static_cast<std::int64_t>(allowed) - trainer_->samples();
}

std::string TrainingPart::waiting_for() {
  const auto& options = context_.config.train;
  const auto due = rows_due();
  if (window_.rows_total() < options.min_rows) {
    return "training waits for rows: " + std::to_string(window_.rows_total()) + " of the " +
           std::to_string(options.min_rows) + " it starts with (train.min_rows)";
  }
  if (due < options.batch) {
    return "training waits for rows: " + std::to_string(trainer_->samples()) + " trained on " +
           std::to_string(window_.rows_total()) + " recorded, the replay ratio allows no more";
  }
  return "";
}

std::int64_t TrainingPart::train(std::int64_t rows) {
  const auto steps = rows / context_.config.train.batch;
  const int threads = context_.config.run.training_threads;
  set_torch_threads(threads > 0 ? threads : context_.threads());
  const auto window_rows = window_.rows_in_window();  // now: the loader's thread owns the window
  BatchLoader loader(window_, context_.config.train.batch, steps);
  std::int64_t made = 0;
  for (; made < steps && !must_stop(); ++made) {
    const auto& batch = loader.next();
    const auto loss = step(batch);
    context_.progress.steps = trainer_->steps();
    context_.progress.samples = trainer_->samples();
    set_aside_damaged();
    if (trainer_->steps() % kLogEverySteps == 0) log_step(loss, window_rows);
    if (checkpoint_is_due()) save_checkpoint(batch.window_state);
    context_.show("training");
  }
  return made;
}

LossTerms TrainingPart::step(const Batch& batch) {
  try {
    return trainer_->step(batch, context_.budget_spent());
  } catch (const NotFinite& e) {
    stop_not_finite(e.what());
  }
}

void TrainingPart::stop_not_finite(const std::string& what) const {
  const auto saved = checkpoints(context_.directory);
  throw NotFinite("training stops, not finite: " + what + "; the last good state is " +
                  (saved.empty() ? "the champion" : saved.back().filename().string()) +
                  ", a smaller train.learning_rate may help");
}

void TrainingPart::check_weights() const {
  const auto weight = trainer_->not_finite();
  if (!weight.empty()) stop_not_finite(weight);
}

bool TrainingPart::checkpoint_is_due() const {
  const auto minutes = context_.config.run.checkpoint_minutes;
  return minutes > 0 && context_.seconds() >= saved_s_ + 60 * minutes;
}

// Self-play's budget may be spent; its rows are still trained on.
bool TrainingPart::must_stop() const {
  const auto& run = context_.config.run;
  return context_.interrupted() || (run.minutes > 0 && context_.seconds() >= 60 * run.minutes) ||
         (run.samples > 0 && context_.progress.samples >= run.samples);
}

void TrainingPart::log_step(const LossTerms& loss, std::int64_t window_rows) {
  auto line = metrics_of(loss);
  line.insert(line.end(), {{"samples", trainer_->samples()},
                           {"gradient_norm", loss.gradient_norm},
                           {"window_rows", window_rows}});
  context_.record("train", line);
}

fs::path TrainingPart::add_candidate() {
  check_weights();
  const auto held_out = window_.holdout(1024);
  set_aside_damaged();
  if (!held_out.empty()) {
    auto line = metrics_of(trainer_->validate(held_out));
    line.emplace_back("rows", held_out.size());
    context_.record("validation", line);
  }
  NetInfo info;
  info.index = context_.nets.next_index();
  info.step = trainer_->steps();
  info.samples = trainer_->samples();
  info.evaluations = context_.total().evaluations;
  info.parent = context_.nets.current().filename().string();
  info.rules = to_text(asked_rules(context_.config.games, context_.largest_board()));
  fs::path candidate;
  context_.with_room([&] {
    candidate = context_.nets.add_candidate(trainer_->averaged(), info, context_.nets.first());
  });
  return candidate;
}

void TrainingPart::remove_old_shards() {
  for (const auto& shard : window_.beyond(context_.config.run.keep_windows)) fs::remove(shard);
}

void TrainingPart::save_checkpoint() {
  save_checkpoint(window_.state());
}

void TrainingPart::save_checkpoint(const std::string& window_state) {
  check_weights();
  char name[40];
  std::snprintf(name, sizeof name, "checkpoint-%08lld", static_cast<long long>(trainer_->steps()));
  const auto path = context_.directory / "train" / name;
  context_.with_room([&] {
    if (!fs::exists(path)) trainer_->save(path, window_state);
  });
  saved_s_ = context_.seconds();
  auto saved = checkpoints(context_.directory);
  const auto keep = static_cast<std::size_t>(context_.config.run.keep_checkpoints);
  for (std::size_t i = 0; i + keep < saved.size(); ++i) fs::remove_all(saved[i]);
  context_.save_progress();
}

}  // namespace tengen
