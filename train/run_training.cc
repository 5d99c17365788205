#include "train/run_training.h"

#include <algorithm>
#include <cstdio>

#include "nn/devices.h"
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
              [&context](const fs::path& shard, const std::string& reason) {
                context.set_aside(shard, reason);
              }) {
  const auto shape = network_shape(context.config.net.size);
  trainer_ = std::make_unique<Trainer>(shape, context.config.train, context.training_device(),
                                       context.seed());
  auto saved = checkpoints(context.directory);
  for (; !saved.empty(); saved.pop_back()) {
    try {
      window_.set_state(trainer_->load(saved.back()));
      context.say("training goes on from " + saved.back().filename().string());
      break;
    } catch (const Error& e) {
      context.say(std::string("checkpoint refused: ") + e.what());
      context.set_aside(saved.back(), e.what());
    }
  }
  if (!context.nets.champion()) {
    NetInfo info;
    info.rules = to_text(context.rules(context.largest_board()));
    const auto first = context.nets.add_candidate(trainer_->averaged(), info);
    context.nets.promote(first, R"({"promoted": true, "reason": "the first net, untrained"})");
  }
  window_.refresh();
}

std::int64_t TrainingPart::rows_due() {
  window_.refresh();
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
  BatchLoader loader(window_, context_.config.train.batch, steps);
  std::int64_t made = 0;
  for (; made < steps && !must_stop(); ++made) {
    const auto loss = trainer_->step(loader.next(), context_.budget_spent());
    context_.progress.steps = trainer_->steps();
    context_.progress.samples = trainer_->samples();
    if (trainer_->steps() % kLogEverySteps == 0) log_step(loss);
    context_.show("training");
  }
  return made;
}

// Self-play's budget may be spent; its rows are still trained on.
bool TrainingPart::must_stop() const {
  const auto& run = context_.config.run;
  return context_.interrupted() || (run.minutes > 0 && context_.seconds() >= 60 * run.minutes) ||
         (run.samples > 0 && context_.progress.samples >= run.samples);
}

void TrainingPart::log_step(const LossTerms& loss) {
  auto line = metrics_of(loss);
  line.insert(line.end(), {{"samples", trainer_->samples()},
                           {"gradient_norm", loss.gradient_norm},
                           {"window_rows", window_.rows_in_window()}});
  context_.record("train", line);
}

fs::path TrainingPart::add_candidate() {
  const auto held_out = window_.holdout(1024);
  if (!held_out.empty()) {
    auto line = metrics_of(trainer_->validate(held_out));
    line.emplace_back("rows", held_out.size());
    context_.record("validation", line);
  }
  NetInfo info;
  info.index = context_.nets.next_index();
  info.step = trainer_->steps();
  info.samples = trainer_->samples();
  info.evaluations = context_.progress.evaluations;
  info.parent = context_.nets.champion()->filename().string();
  info.rules = to_text(context_.rules(context_.largest_board()));
  return context_.nets.add_candidate(trainer_->averaged(), info);
}

void TrainingPart::save_checkpoint() {
  char name[40];
  std::snprintf(name, sizeof name, "checkpoint-%08lld", static_cast<long long>(trainer_->steps()));
  const auto path = context_.directory / "train" / name;
  if (!fs::exists(path)) trainer_->save(path, window_.state());
  auto saved = checkpoints(context_.directory);
  const auto keep = static_cast<std::size_t>(context_.config.run.keep_checkpoints);
  for (std::size_t i = 0; i + keep < saved.size(); ++i) fs::remove_all(saved[i]);
  context_.save_progress();
}

}  // namespace tengen
