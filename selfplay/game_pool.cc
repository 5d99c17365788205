#include "selfplay/game_pool.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace tengen {
namespace {

// One game under way.
class Game {
 public:
  Game(GameRecord record, std::shared_ptr<const SelfplaySettings> settings,
       std::shared_ptr<Evaluator> evaluator)
      : settings_(std::move(settings)),
        evaluator_(std::move(evaluator)),
        record_(std::move(record)),
        position_(record_.rules),
        cap_(move_cap(settings_->games, record_.rules.size)),
        opens_at_random_(drawn_random_opening(*settings_, record_.index)),
        ends_when_pass_alive_(drawn_pass_alive_end(*settings_, record_.index)) {
    for (std::size_t ply = 0; ply < record_.moves.size(); ++ply) replay(ply);
    // Only here: the settings in force now may end a game earlier than those it was parked under.
    if (!record_.moves.empty()) find_end();
  }

  const std::shared_ptr<Evaluator>& evaluator() const { return evaluator_; }

  // Plays until the next leaf is needed and returns true, or to the end and returns false.
  bool gather(EvaluationInput& leaf) {
    while (!is_done_) {
      if (position_.ply() < record_.opening_moves) {
        if (opens_at_random_) {
          play_at_random();
          continue;
        }
        Rng rng(ply_seed());
        leaf.features = features_of(position_, evaluator_->features());
        leaf.symmetry = Symmetry(static_cast<int>(
            rng.below(static_cast<std::uint32_t>(Symmetry::count(position_.size())))));
        return true;
      }
      begin_search();
      if (search_->gather(leaf)) return true;
      play_found();
    }
    return false;
  }

  void absorb(const Evaluation& answer) {
    if (is_searching_) {
      search_->absorb(answer);
      return;
    }
    Rng rng(ply_seed(), 1);
    MoveRecord played;
    played.move = sampled_move(position_, answer.policy_logits.data(), rng);
    ++record_.evaluations;
    play(std::move(played));
  }

  // Forgets a search under way; the next gather begins the move anew.
  void drop_search() { is_searching_ = false; }

  // Moves the record out; requires that gather returned false, or that the game is to be parked.
  GameRecord take_record() { return std::move(record_); }

 private:
  std::uint64_t ply_seed() const {
    return tengen::ply_seed(record_.seed, record_.index, position_.ply());
  }

  void replay(std::size_t ply) {
    const Move move = record_.moves[ply].move;
    if (position_.is_over() || !position_.is_legal(move)) {
      throw Error("parked game " + std::to_string(record_.index) + ", ply " + std::to_string(ply) +
                  ": expected a legal move in a game under way");
    }
    position_.play(move);
  }

  void begin_search() {
    if (is_searching_) return;
    SearchOptions options = settings_->search;
    options.features = evaluator_->features();
    if (search_) {
      search_->reset(options, position_, ply_seed());
    } else {
      search_.emplace(options, position_, ply_seed());
    }
    is_searching_ = true;
  }

  void play_at_random() {
    Rng rng(ply_seed(), 1);
    MoveRecord played;
    played.move = evenly_random_move(position_, rng);
    play(std::move(played));
  }

  void play_found() {
    SearchResult result = search_->result();
    is_searching_ = false;
    record_.evaluations += result.evaluations;
    MoveRecord played;
    played.move = result.move;
    played.policy = std::move(result.policy);
    played.root_win = result.win;
    played.root_score = result.score;
    played.visits = std::accumulate(result.visits.begin(), result.visits.end(), 0);
    play(std::move(played));
  }

  void play(MoveRecord played) {
    position_.play(played.move);
    record_.moves.push_back(std::move(played));
    find_end();
  }

  void find_end() {
    GameEnd end{};
    if (position_.is_over()) {
      end = end_of(*position_.ending());
    } else if (ends_when_pass_alive_ && position_.is_all_pass_alive()) {
      end = GameEnd::kAllPassAlive;
    } else if (position_.ply() >= cap_) {
      end = GameEnd::kMoveCap;
    } else {
      return;
    }
    is_done_ = true;
    record_.opening_moves = std::min(record_.opening_moves, position_.ply());
    finish(record_, position_, end);
  }

  std::shared_ptr<const SelfplaySettings> settings_;
  std::shared_ptr<Evaluator> evaluator_;
  GameRecord record_;
  Position position_;
  int cap_;
  bool opens_at_random_;
  bool ends_when_pass_alive_;
  bool is_done_ = false;
  bool is_searching_ = false;
  std::optional<Search> search_;  // kept from move to move for its memory
};

// The leaves of one step that one evaluator answers.
struct Group {
  std::shared_ptr<Evaluator> evaluator;
  std::vector<EvaluationInput> inputs;  // the first games.size() are in use
  std::vector<Evaluation> outputs;
  std::vector<Game*> games;

  void answer() {
    outputs.resize(inputs.size());
    evaluator->evaluate(std::span(inputs).first(games.size()),
                        std::span(outputs).first(games.size()));
    for (std::size_t i = 0; i < games.size(); ++i) games[i]->absorb(outputs[i]);
    games.clear();
  }
  void drop() {
    for (Game* game : games) game->drop_search();
    games.clear();
  }
};

}  // namespace

struct GamePool::Impl {
  NextGame next_game;
  std::shared_ptr<const SelfplaySettings> settings;
  std::shared_ptr<Evaluator> evaluator;
  std::vector<std::unique_ptr<Game>> slots;
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
    slots[slot] = std::make_unique<Game>(begun_record(*settings, index, evaluator->id()), settings,
                                         evaluator);
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
      Game& game = *slots[slot];
      Group& group = group_of(game.evaluator());
      if (group.inputs.size() == group.games.size()) group.inputs.resize(slots.size());
      if (game.gather(group.inputs[group.games.size()])) {
        group.games.push_back(&game);
        return;
      }
      finished.push_back(game.take_record());
      slots[slot].reset();
      --under_way;
    }
  }

  int answer_all() {
    int rows = 0;
    for (Group& group : groups) {
      rows += static_cast<int>(group.games.size());
      group.answer();
    }
    return rows;
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
  impl_->evaluator = std::move(evaluator);
}

void GamePool::resume(std::vector<GameRecord> parked, std::shared_ptr<Evaluator> evaluator) {
  check(impl_->settings != nullptr, "settings come before resumed games");
  impl_->is_staggered = false;  // parked games are of mixed ages
  auto slot = impl_->slots.begin();
  for (GameRecord& record : parked) {
    auto game = std::make_unique<Game>(std::move(record), impl_->settings, evaluator);
    slot = std::find(slot, impl_->slots.end(), nullptr);
    if (slot == impl_->slots.end()) slot = impl_->slots.insert(slot, nullptr);
    *slot = std::move(game);
    ++impl_->under_way;
  }
}

int GamePool::step(std::vector<GameRecord>& finished) {
  Impl& pool = *impl_;
  check(pool.settings && pool.evaluator, "settings and evaluator come before the first step");
  try {
    for (std::size_t slot = 0; slot < pool.slots.size(); ++slot) pool.gather(slot, finished);
    // Every game under way has a leaf now: evaluators without leaves are needed no more.
    std::erase_if(pool.groups, [](const Group& group) { return group.games.empty(); });
    ++pool.steps;
    return pool.answer_all();
  } catch (...) {
    for (Group& group : pool.groups) group.drop();
    throw;
  }
}

std::vector<GameRecord> GamePool::park() {
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
