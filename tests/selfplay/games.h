#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "selfplay/game_pool.h"
#include "selfplay/game_text.h"
#include "selfplay/record.h"

namespace tengen {

// A finished game from moves such as "B1 C1 pass pass", Black first. Every move has a policy: 3/4
// for itself and 1/4 for a pass, or 1 for a pass.
inline GameRecord played_game(const Rules& rules, std::string_view moves) {
  GameRecord record;
  record.nets = {"net-000001-abc"};
  record.rules = rules;
  Position position(rules);
  while (!moves.empty()) {
    const std::size_t end = std::min(moves.find(' '), moves.size());
    MoveRecord played;
    played.move = parse_move(moves.substr(0, end), rules.size).value();
    moves.remove_prefix(std::min(end + 1, moves.size()));
    const auto area = static_cast<std::size_t>(rules.size.area());
    played.policy.assign(area + 1, 0.F);
    played.policy[area] = 0.25F;
    played.policy[static_cast<std::size_t>(policy_index(played.move, rules.size))] += 0.75F;
    played.root_win = 0.25F;
    played.root_score = -1.5F;
    played.visits = 8;
    position.play(played.move);
    record.moves.push_back(std::move(played));
  }
  finish(record, position, position.is_over() ? end_of(*position.ending()) : GameEnd::kMoveCap);
  return record;
}

// Small quick games on 5x5 and 4x4 that end in every way.
inline SelfplaySettings small_games(std::uint64_t seed = 7) {
  SelfplaySettings settings;
  settings.seed = seed;
  settings.games.sizes = {5, 4};
  settings.games.komi_uniform_share = 0.5;
  settings.games.komi_uniform_width = 10;
  settings.search.visits = 6;
  settings.search.max_considered = 4;
  return settings;
}

using TextByIndex = std::map<std::uint64_t, std::string>;

inline void add_texts(const std::vector<GameRecord>& games, TextByIndex& texts) {
  for (const GameRecord& game : games) texts[game.index] = canonical_text(game);
}

// Games 0 to count - 1 of one pool.
inline std::vector<GameRecord> games_of_pool(const SelfplaySettings& settings, int slots,
                                             std::uint64_t count,
                                             std::shared_ptr<Evaluator> evaluator) {
  std::uint64_t next = 0;
  GamePool pool(slots, [&](std::uint64_t& index) {
    if (next == count) return false;
    index = next++;
    return true;
  });
  pool.set_settings(settings);
  pool.set_evaluator(std::move(evaluator));
  std::vector<GameRecord> finished;
  while (pool.step(finished) > 0) {
  }
  return finished;
}

}  // namespace tengen
