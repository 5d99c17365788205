#include "train/run_selfplay.h"

#include <algorithm>
#include <chrono>

#include "rules/durable_file.h"
#include "rules/hash.h"
#include "rules/program.h"
#include "selfplay/game_file.h"
#include "selfplay/game_fork.h"
#include "selfplay/game_statistics.h"
#include "selfplay/move_budget.h"
#include "selfplay/shard.h"
#include "train/run_dir.h"
#include "train/run_info.h"
#include "train/run_workers.h"

namespace tengen {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kScoreMemory = 400;  // games that the moving komi centre looks at
constexpr double kKomiStep = 0.2;          // of the way to the median, each stretch

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace

SelfplayPart::SelfplayPart(RunContext& context, std::string worker)
    : context_(context),
      worker_(std::move(worker)),
      settings_(settings_of(
          context.config.games, context.config.search,
          worker_ == "w0" ? context.seed() : mix64(context.seed(), hash_of_bytes(worker_)))),
      session_(context.threads(), context.config.games.per_worker, context.progress.next_game,
               pools_per_thread(context.config)) {
  require_counters();
  remove_unfinished_shards(context_.shards(), worker_);
  remove_drafts(context_.directory / "parked", [this](std::string_view name) {
    return name == parked_file().filename() || name == nets_file().filename();
  });
  session_.set_settings(settings());
  use_champion();
  resume_parked();
}

// Without them indices of games would be given out a second time.
void SelfplayPart::require_counters() const {
  const auto& progress = context_.progress;
  if (progress.games > 0 || progress.next_game > 0) return;
  for (const auto& shard : list_shards(context_.shards())) {
    if (worker_of_shard(shard.filename().string()) != worker_) continue;
    const auto role = "selfplay-" + worker_;
    throw Error(progress_file(context_.directory, role).string() +
                ": its counters are gone, while " + shard.string() +
                " is a shard of this worker: put the file back, or go on with " +
                "another worker or directory");
  }
}

fs::path SelfplayPart::parked_file() const {
  return context_.directory / "parked" / (worker_ + ".games");
}

SelfplaySettings SelfplayPart::settings() const {
  SelfplaySettings settings = settings_;
  settings.komi_centre = context_.progress.komi_centre;
  settings.resign_below = resignation_.threshold(settings.games);
  const auto& run = context_.config.run;
  const bool has_budget = run.minutes > 0 || run.evaluations > 0 || run.samples > 0;
  settings.run_share = has_budget ? context_.budget_spent() : 1;
  return settings;
}

void SelfplayPart::use_champion() {
  const auto net = context_.nets.current();
  const auto id = net.filename().string();
  if (champion_ == id) return;
  champion_ = id;
  evaluators_ = context_.evaluators(load_net(net), session_.pools());
  session_.set_evaluators([&](int pool) { return evaluators_[static_cast<std::size_t>(pool)]; });
}

// One earlier champion for a stretch of games: with more at once batches would be small.
void SelfplayPart::choose_opponent() {
  const auto& games = context_.config.games;
  if (games.opponent_share <= 0) return;
  auto ids = context_.nets.ids();
  std::erase(ids, champion_);
  std::string id;
  if (!ids.empty()) {
    const auto count = std::min(ids.size(), static_cast<std::size_t>(games.opponents));
    const auto place = mix64(settings_.seed, session_.next_index()) % count;
    id = ids[ids.size() - 1 - place];
  }
  if (id == opponent_) return;
  std::vector<std::shared_ptr<Evaluator>> evaluators(static_cast<std::size_t>(session_.pools()));
  if (!id.empty()) {
    try {
      evaluators = context_.evaluators(load_net(context_.nets.net_directory(id)), session_.pools());
    } catch (const Error&) {
      if (context_.nets.has_net(id)) throw;
      id.clear();  // another process has removed it just now
    }
  }
  opponent_ = id;
  session_.set_opponents([&](int pool) { return evaluators[static_cast<std::size_t>(pool)]; });
}

// For who removes old nets, perhaps in another process: NetStore reads what lies in parked/.
void SelfplayPart::publish_nets() {
  std::string text;
  for (const auto& id : nets_in_use()) text += "net " + id + "\n";
  if (text == published_) return;
  context_.with_room([&] { write_durable(nets_file(), text); });
  published_ = text;
}

fs::path SelfplayPart::nets_file() const {
  return context_.directory / "parked" / (worker_ + ".nets");
}

void SelfplayPart::resume_parked() {
  if (!fs::exists(parked_file())) return;
  // Games of the champion share the evaluators, and so the batches, of those that begin now.
  std::map<std::string, std::vector<std::shared_ptr<Evaluator>>> by_net = {
      {champion_, evaluators_}};
  const auto evaluator_of = [&](int pool, const std::string& net) -> std::shared_ptr<Evaluator> {
    if (!context_.nets.has_net(net)) return nullptr;
    auto& evaluators = by_net[net];
    if (evaluators.empty()) {
      evaluators =
          context_.evaluators(load_net(context_.nets.net_directory(net)), session_.pools());
    }
    return evaluators[static_cast<std::size_t>(pool)];
  };
  int lost = 0;
  try {
    auto parked = read_games(parked_file());
    const auto count = parked.size();
    lost = session_.resume(std::move(parked), evaluator_of);
    context_.say(std::to_string(count - static_cast<std::size_t>(lost)) +
                 " games under way are taken up again");
  } catch (const Error& e) {
    context_.set_aside(parked_file(), e.what());
    return;
  }
  publish_nets();
  if (lost == 0) {
    fs::remove(parked_file());
  } else {
    context_.set_aside(parked_file(), "the nets of " + std::to_string(lost) +
                                          " of its games are gone; the others go on");
  }
}

void SelfplayPart::play_bootstrap() {
  auto& progress = context_.progress;
  const auto wanted = context_.config.run.bootstrap_games;
  if (context_.total().games >= wanted) return;
  context_.say("bootstrap: " + std::to_string(wanted) + " random games");
  // Random games have indices of their own, far from those of the net's games.
  constexpr std::uint64_t kFirst = 1ULL << 40;
  auto settings = this->settings();
  settings.seed = mix64(settings.seed, kFirst);
  while (context_.total().games < wanted && !context_.stop_reason()) {
    finished_.push_back(random_game(settings, kFirst + static_cast<std::uint64_t>(progress.games)));
    finished_rows_ += row_count(finished_.back());
    ++progress.games;
    progress.moves += static_cast<std::int64_t>(finished_.back().moves.size());
    if (finished_rows_ >= context_.config.run.rows_per_shard) write();
    context_.show("random games");
  }
  write();
}

void SelfplayPart::play(std::int64_t rows, std::int64_t games) {
  use_champion();
  choose_opponent();
  publish_nets();
  session_.set_settings(settings());
  const auto target = context_.progress.rows + rows;
  const auto& run = context_.config.run;
  while (context_.progress.rows < target && games > 0 && !context_.stop_reason()) {
    const auto before = session_.totals();
    const auto started = std::chrono::steady_clock::now();
    const auto evaluations_before = context_.progress.evaluations;
    PlayUntil until;
    until.rows = std::min(run.rows_per_shard, target - context_.progress.rows) - finished_rows_;
    until.games = games;
    if (run.evaluations > 0) until.evaluations = run.evaluations - context_.total().evaluations;
    until.should_stop = [&] {
      context_.progress.evaluations =
          evaluations_before + session_.totals().evaluations - before.evaluations;
      context_.show("self-play");
      return context_.stop_reason().has_value() || shard_is_late();
    };
    const auto first = finished_.size();
    const auto done =
        session_.play(until, [&](std::vector<GameRecord> finished) { take(std::move(finished)); });
    context_.progress.evaluations = evaluations_before + done.evaluations;
    games -= done.games;
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - started;
    record_stretch(taken.count(), done.evaluations, std::span(finished_).subspan(first));
    const bool is_last = games <= 0 || context_.stop_reason();
    if (is_last && finished_rows_ < run.rows_per_shard) break;  // park() writes them
    write();
  }
  follow_score();
}

bool SelfplayPart::shard_is_late() const {
  const double minutes = context_.config.run.minutes_per_shard;
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - last_shard_;
  return minutes > 0 && finished_rows_ > 0 && since.count() > 60 * minutes;
}

void SelfplayPart::take(std::vector<GameRecord> games) {
  const auto in_force = settings();
  for (auto& game : games) {
    ++context_.progress.games;
    context_.progress.moves += static_cast<std::int64_t>(game.moves.size());
    if (!is_unscored(game.end) && game.rules.handicap == 0 && !is_fork(game.index) &&
        drawn_start(in_force, game.index, game.rules).empty() &&
        !drawn_opponent(in_force, game.index)) {
      margins_.push_back(game.score.black_margin() + game.rules.komi.points());
    }
    if (drawn_calibration(in_force, game.index)) {
      resignation_.add(game, in_force.games.resign_turns);
    }
    finished_rows_ += row_count(game);
    finished_.push_back(std::move(game));
  }
  if (margins_.size() > kScoreMemory) {
    margins_.erase(margins_.begin(), margins_.end() - static_cast<std::ptrdiff_t>(kScoreMemory));
  }
}

void SelfplayPart::write() {
  if (finished_rows_ == 0) return;  // games without a row teach nothing
  ShardInfo info;
  // The newest of all workers' shards; and no index twice, also if that one was set aside.
  auto& next_shard = context_.progress.next_shard;
  next_shard = std::max(next_shard, next_shard_index(context_.shards()));
  info.index = next_shard++;
  info.worker = worker_;
  info.attempt = std::to_string(context_.progress.attempt);
  info.seed = settings().seed;
  info.features = evaluators_.front()->features();
  info.program_version = std::string(version()) + " " + std::string(git_hash());
  info.config_hash = context_.config_hash();
  info.created = utc_time();
  // First the counters, then the shard: no index in it can be given out again after a kill.
  context_.progress.next_game = session_.next_index();
  context_.save_progress();
  fs::path path;
  try {
    context_.with_room([&] {
      path = write_shard(context_.shards(), info, finished_, context_.config.train.holdout);
    });
  } catch (const NoRoomError&) {
    context_.say(std::to_string(finished_.size()) + " finished games, " +
                 std::to_string(finished_rows_) + " rows, are lost: there is no room for them");
    throw;
  }
  last_shard_ = std::chrono::steady_clock::now();
  context_.progress.rows += info.rows;
  context_.progress.training_rows += info.rows - info.holdout_rows;
  context_.save_progress();
  context_.say("shard " + path.filename().string() + ": " + std::to_string(info.games) +
               " games, " + std::to_string(info.rows) + " rows and " +
               std::to_string(info.holdout_rows) + " of them held out");
  context_.record("shard", {{"file", path.filename().string()},
                            {"games", info.games},
                            {"rows", info.rows},
                            {"holdout_rows", info.holdout_rows}});
  finished_.clear();
  finished_rows_ = 0;
}

void SelfplayPart::follow_score() {
  if (!context_.config.games.komi_follows_score || margins_.size() < kScoreMemory / 4) return;
  auto& centre = context_.progress.komi_centre;
  centre += kKomiStep * (median(margins_) - centre);
  const double limit = context_.largest_board().area();
  centre = std::clamp(centre, -limit, limit);
}

void SelfplayPart::record_stretch(double seconds, std::int64_t evaluations,
                                  std::span<const GameRecord> games) {
  const auto in_force = settings();
  std::vector<Metric> line = {{"seconds", seconds},
                              {"evaluations", evaluations},
                              {"evaluations_per_s", static_cast<double>(evaluations) / seconds},
                              {"games", games.size()}};
  for (const auto& [name, value] : game_statistics(in_force, games)) line.emplace_back(name, value);
  line.insert(line.end(),
              {{"komi_centre", context_.progress.komi_centre},
               {"median_margin", margins_.empty() ? 0.0 : median(margins_)},
               {"full_visits", full_visits(in_force)},
               {"resign_below", in_force.resign_below},
               {"resign_wrong_share", resignation_.wrong_share(in_force.resign_below)}});
  context_.record("selfplay", line);
}

void SelfplayPart::park() {
  write();
  auto parked = session_.park();
  context_.progress.next_game = session_.next_index();
  context_.save_progress();
  if (!parked.empty()) {
    context_.with_room([&] { write_games(parked_file(), parked); });
    context_.say(std::to_string(parked.size()) + " games under way are parked");
  }
  fs::remove(nets_file());
}

}  // namespace tengen
