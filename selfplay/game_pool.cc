#include "selfplay/game_pool.h"

#include <algorithm>
#include <utility>

#include "selfplay/selfplay_game.h"

namespace tengen {
namespace {

// The leaves of one step that one evaluator answers.
struct Group {
  std::shared_ptr<Evaluator> evaluator;
  std::vector<EvaluationInput> inputs;  // the first games.size() are in use
  std::vector<Evaluation> outputs;
  std::vector<SelfplayGame*> games;
  bool is_under_way = false;  // between the evaluator's start and finish

  void start() {
    outputs.resize(inputs.size());
    evaluator->start(std::span(inputs).first(games.size()));
    is_under_way = true;
  }
  void finish() {
    is_under_way = false;
    evaluator->finish(std::span(outputs).first(games.size()));
    for (std::size_t i = 0; i < games.size(); ++i) games[i]->absorb(outputs[i]);
    games.clear();
  }
  // After an error somewhere: also waits for what is under way, whose inputs are to stay in place.
  void drop() {
    if (std::exchange(is_under_way, false)) {
      try {
        evaluator->finish(std::span(outputs).first(games.size()));
      } catch (const std::exception&) {  // the first error is told
      }
    }
    for (SelfplayGame* game : games) game->drop_search();
    games.clear();
  }
};

}  // namespace

struct GamePool::Impl {
  NextGame next_game;
  std::shared_ptr<const SelfplaySettings> settings;
  std::shared_ptr<Evaluator> evaluator;
  std::shared_ptr<Evaluator> opponent;
  EvaluationInput leaf;  // on its way to a group
  std::vector<std::unique_ptr<SelfplayGame>> slots;
  std::vector<Group> groups;
  std::int64_t steps = 0;
  bool is_staggered = true;
  int under_way = 0;

  // The step at which a slot may begin its first game.
  std::int64_t first_step(std::size_t slot) const {
    if (!is_staggered) return 0;
    const auto count = static_cast<std::int64_t>(slots.size());
    const std::int64_t wave_size =
        std::clamp<std::int64_t>(evaluator->batch_size(), 1, std::max<std::int64_t>(1, count / 4));
    const std::int64_t waves = (count + wave_size - 1) / wave_size;
    const int n = std::ranges::max(settings->games.sizes);
    const std::int64_t game_steps = std::int64_t{n} * n * settings->search.visits;
    return static_cast<std::int64_t>(slot) / wave_size * game_steps / waves;
  }

  void begin(std::size_t slot) {
    if (under_way > 0 && steps < first_step(slot)) return;
    std::uint64_t index = 0;
    if (!next_game(index)) return;
    GameRecord record = begun_record(*settings, index, evaluator->id());
    std::vector<std::shared_ptr<Evaluator>> nets = {evaluator};
    record.must_balance = !record.moves.empty() && drawn_balance(*settings, index);
    if (opponent && opponent->id() != evaluator->id()) {
      record.opponent = drawn_opponent(*settings, index);
    }
    if (record.opponent) {
      record.nets.push_back(opponent->id());
      nets.push_back(opponent);
    }
    slots[slot] = std::make_unique<SelfplayGame>(std::move(record), settings, std::move(nets));
    ++under_way;
  }

  // A fork takes its parent's slot at once.
  void begin_fork(std::size_t slot, const GameRecord& parent) {
    auto fork = begun_fork(*settings, parent, evaluator->id());
    if (!fork) return;
    slots[slot] =
        std::make_unique<SelfplayGame>(std::move(*fork), settings, std::vector{evaluator});
    ++under_way;
  }

  Group& group_of(const std::shared_ptr<Evaluator>& wanted) {
    const auto found = std::ranges::find(groups, wanted, &Group::evaluator);
    if (found != groups.end()) return *found;
    groups.emplace_back();
    groups.back().evaluator = wanted;
    return groups.back();
  }

  // Puts the slot's next leaf into its group. A finished game makes way for the next one.
  void gather(std::size_t slot, std::vector<GameRecord>& finished) {
    while (true) {
      if (!slots[slot]) begin(slot);
      if (!slots[slot]) return;
      SelfplayGame& game = *slots[slot];
      if (game.gather(leaf)) {
        Group& group = group_of(game.evaluator());
        if (group.inputs.size() == group.games.size()) group.inputs.resize(slots.size());
        group.inputs[group.games.size()] = leaf;
        group.games.push_back(&game);
        return;
      }
      finished.push_back(game.take_record());
      slots[slot].reset();
      --under_way;
      begin_fork(slot, finished.back());
    }
  }

  // Work that, if it throws, leaves no leaf behind.
  template <class Work>
  void or_drop(Work work) {
    try {
      work();
    } catch (...) {
      for (Group& group : groups) group.drop();
      throw;
    }
  }
  int leaves() const {
    std::size_t count = 0;
    for (const Group& group : groups) count += group.games.size();
    return static_cast<int>(count);
  }
};

GamePool::GamePool(int slots, NextGame next_game) : impl_(std::make_unique<Impl>()) {
  check(slots >= 1, "a pool has a slot");
  impl_->next_game = std::move(next_game);
  impl_->slots.resize(static_cast<std::size_t>(slots));
}
GamePool::~GamePool() = default;
GamePool::GamePool(GamePool&&) noexcept = default;

void GamePool::set_settings(const SelfplaySettings& settings) {
  validate(settings.games);
  impl_->settings = std::make_shared<const SelfplaySettings>(settings);
}

void GamePool::set_evaluator(std::shared_ptr<Evaluator> evaluator) {
  if (evaluator != impl_->evaluator) {
    for (auto& slot : impl_->slots) {
      if (slot) slot->change_net(evaluator);
    }
  }
  impl_->evaluator = std::move(evaluator);
}

void GamePool::set_opponent(std::shared_ptr<Evaluator> opponent) {
  impl_->opponent = std::move(opponent);
}

int GamePool::resume(std::vector<GameRecord> parked, const EvaluatorOfNet& evaluator_of) {
  check(impl_->settings != nullptr, "settings come before resumed games");
  impl_->is_staggered = false;  // parked games are of mixed ages
  int given_up = 0;
  auto slot = impl_->slots.begin();
  for (GameRecord& record : parked) {
    std::vector<std::shared_ptr<Evaluator>> nets(record.nets.size());
    const auto needed = nets_needed(record);
    for (const std::size_t i : needed) nets[i] = evaluator_of(record.nets[i]);
    if (std::ranges::any_of(needed, [&](std::size_t i) { return !nets[i]; })) {
      ++given_up;
      continue;
    }
    auto game = std::make_unique<SelfplayGame>(std::move(record), impl_->settings, std::move(nets));
    if (impl_->evaluator) game->change_net(impl_->evaluator);
    slot = std::find(slot, impl_->slots.end(), nullptr);
    if (slot == impl_->slots.end()) slot = impl_->slots.insert(slot, nullptr);
    *slot = std::move(game);
    ++impl_->under_way;
  }
  return given_up;
}

int GamePool::step(std::vector<GameRecord>& finished) {
  start(finished);
  return finish();
}

int GamePool::start(std::vector<GameRecord>& finished) {
  Impl& pool = *impl_;
  check(pool.settings && pool.evaluator, "settings and evaluator come before the first step");
  check(pool.leaves() == 0, "a step is finished before the next one starts");
  pool.or_drop([&] {
    for (std::size_t slot = 0; slot < pool.slots.size(); ++slot) pool.gather(slot, finished);
    // Every game under way has a leaf now: evaluators without leaves are needed no more.
    std::erase_if(pool.groups, [](const Group& group) { return group.games.empty(); });
    for (Group& group : pool.groups) group.start();
  });
  ++pool.steps;
  return pool.leaves();
}

int GamePool::finish() {
  const int rows = impl_->leaves();
  impl_->or_drop([&] {
    for (Group& group : impl_->groups) {
      if (group.is_under_way) group.finish();
    }
  });
  return rows;
}

std::vector<std::string> GamePool::nets() const {
  std::vector<std::string> ids;
  for (const auto& slot : impl_->slots) {
    if (slot) slot->add_nets(ids);
  }
  for (const auto& net : {impl_->evaluator, impl_->opponent}) {
    if (net) ids.push_back(net->id());
  }
  std::ranges::sort(ids);
  const auto rest = std::ranges::unique(ids);
  ids.erase(rest.begin(), rest.end());
  return ids;
}

std::vector<GameRecord> GamePool::park() {
  check(impl_->leaves() == 0, "a step is finished before games are parked");
  std::vector<GameRecord> parked;
  for (auto& slot : impl_->slots) {
    if (slot) parked.push_back(slot->take_record());
    slot.reset();
  }
  impl_->groups.clear();
  impl_->under_way = 0;
  return parked;
}

}  // namespace tengen
