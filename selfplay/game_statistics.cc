#include "selfplay/game_statistics.h"

#include <algorithm>
#include <cmath>

#include "rules/rules_text.h"
#include "selfplay/game_fork.h"
#include "selfplay/game_start.h"
#include "selfplay/resignation.h"

namespace tengen {
namespace {

double ratio(double part, double whole) {
  return whole == 0 ? 0 : part / whole;
}

template <class Is>
double share(std::span<const GameRecord> games, Is is) {
  return ratio(static_cast<double>(std::ranges::count_if(games, is)),
               static_cast<double>(games.size()));
}

template <class Value>
double mean(std::span<const GameRecord> games, Value value) {
  double sum = 0;
  for (const GameRecord& game : games) sum += value(game);
  return ratio(sum, static_cast<double>(games.size()));
}

void add_outcomes(std::span<const GameRecord> games, Statistics& all) {
  const auto ended = [&](GameEnd end) {
    return share(games, [=](const GameRecord& g) { return g.end == end; });
  };
  all.emplace_back("mean_moves", mean(games, [](const GameRecord& g) {
                     return static_cast<double>(g.moves.size());
                   }));
  all.emplace_back("black_wins", share(games, [](const GameRecord& g) {
                     return g.outcome.winner == Color::kBlack;
                   }));
  all.emplace_back("draws", share(games, [](const GameRecord& g) { return !g.outcome.winner; }));
  all.emplace_back("ended_by_cap", ended(GameEnd::kMoveCap));
  all.emplace_back("ended_pass_alive", ended(GameEnd::kAllPassAlive));
  all.emplace_back("ended_resigned", ended(GameEnd::kResignation));
  all.emplace_back("ended_unscored",
                   share(games, [](const GameRecord& g) { return is_unscored(g.end); }));
}

void add_kinds(const SelfplaySettings& settings, std::span<const GameRecord> games,
               Statistics& all) {
  const auto is_from_line = [&](const GameRecord& g) {
    return !is_fork(g.index) && !drawn_start(settings, g.index, g.rules).empty();
  };
  const auto has_opponent = [&](const GameRecord& g) {
    return g.nets.size() > 1 && drawn_opponent(settings, g.index).has_value();
  };
  all.emplace_back("forks", share(games, [](const GameRecord& g) { return is_fork(g.index); }));
  all.emplace_back("from_starts", share(games, is_from_line));
  all.emplace_back("random_openings", share(games, [&](const GameRecord& g) {
                     return !is_fork(g.index) && !is_from_line(g) &&
                            drawn_random_opening(settings, g.index);
                   }));
  all.emplace_back("opening_moves", mean(games, [](const GameRecord& g) {
                     return static_cast<double>(g.opening_moves);
                   }));
  all.emplace_back("against_opponent", share(games, has_opponent));
  all.emplace_back("changed_net", share(games, [&](const GameRecord& g) {
                     return g.nets.size() > 1 && !has_opponent(g);
                   }));
  all.emplace_back("played_on", share(games, [&](const GameRecord& g) {
                     return drawn_calibration(settings, g.index);
                   }));
}

void add_rules(const SelfplaySettings& settings, std::span<const GameRecord> games,
               Statistics& all) {
  const auto komi = [](const GameRecord& g) { return g.rules.komi.points(); };
  const double mean_komi = mean(games, komi);
  all.emplace_back("komi_mean", mean_komi);
  all.emplace_back("komi_stdev", std::sqrt(mean(games, [&](const GameRecord& g) {
                     return (komi(g) - mean_komi) * (komi(g) - mean_komi);
                   })));
  all.emplace_back("handicaps",
                   share(games, [](const GameRecord& g) { return g.rules.handicap > 0; }));
  for (const int n : settings.games.sizes) {
    all.emplace_back("size_" + std::to_string(n),
                     share(games, [=](const GameRecord& g) { return g.rules.size.width == n; }));
  }
  const auto texts = rule_texts(settings.games);
  if (texts.size() == 1) return;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    all.emplace_back("rules_" + std::to_string(i + 1), share(games, [&](const GameRecord& g) {
                       return rule_set_text(g.rules) ==
                              rule_set_text(rules_named(settings.games, i, g.rules.size));
                     }));
  }
}

void add_searches(std::span<const GameRecord> games, Statistics& all) {
  double searched = 0, cheap = 0, rows = 0, reduced = 0, visits = 0, weight = 0, surprise = 0;
  for (const GameRecord& game : games) {
    for (const MoveRecord& played : game.moves) {
      if (played.visits == 0) continue;
      ++searched;
      if (played.weight == 0) {
        ++cheap;
        continue;
      }
      ++rows;
      reduced += played.weight < 1 ? 1 : 0;
      visits += played.visits;
      weight += played.weight;
      surprise += played.policy_surprise;
    }
  }
  all.emplace_back("moves_without_row", ratio(cheap, searched));
  all.emplace_back("reduced_rows", ratio(reduced, rows));
  all.emplace_back("row_visits", ratio(visits, rows));
  all.emplace_back("row_weight", ratio(weight, rows));
  all.emplace_back("policy_surprise", ratio(surprise, rows));
}

}  // namespace

Statistics game_statistics(const SelfplaySettings& settings, std::span<const GameRecord> games) {
  Statistics all;
  add_outcomes(games, all);
  add_kinds(settings, games, all);
  add_rules(settings, games, all);
  add_searches(games, all);
  return all;
}

}  // namespace tengen
