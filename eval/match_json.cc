#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "eval/arena.h"
#include "rules/rules_text.h"

namespace tengen {
namespace {

// As SGF's RE.
std::string result_text(const ArenaGame& game) {
  if (game.outcome.is_no_result) return "Void";
  if (!game.outcome.winner) return "0";
  const std::string winner = *game.outcome.winner == Color::kBlack ? "B+" : "W+";
  if (game.end == ArenaEnd::kResignation) return winner + "R";
  if (game.end == ArenaEnd::kRepetition) return winner + "F";
  const auto half_points = static_cast<int>(2 * std::abs(game.black_margin));
  return winner + to_text(Komi::from_half_points(half_points));
}

}  // namespace

std::string to_json(const MatchResult& match, const ArenaOptions& options) {
  using nlohmann::ordered_json;
  const Interval interval = wilson_interval(match.score);
  ordered_json games = ordered_json::array();
  for (const ArenaGame& game : match.games) {
    std::string moves;
    for (const Move move : game.moves) {
      (moves += moves.empty() ? "" : " ") += to_text(move, game.size);
    }
    games.push_back({{"pair", game.pair},
                     {"black", game.a_is_black ? "a" : "b"},
                     {"size", to_text(game.size)},
                     {"komi", game.komi.points()},
                     {"result", result_text(game)},
                     {"end", name_of(game.end)},
                     {"a_points", game.a_points},
                     {"moves", moves}});
  }
  const ordered_json json = {{"format", "tengen-match"},
                             {"format_version", 1},
                             {"a", match.a},
                             {"b", match.b},
                             {"rules", to_text(options.rules)},
                             {"seed", options.seed},
                             {"games", match.score.games()},
                             {"distinct_games", distinct_games(match.games)},
                             {"a_wins", match.score.wins},
                             {"draws", match.score.draws},
                             {"a_losses", match.score.losses},
                             {"pairs_by_points", match.score.pairs},
                             {"a_share", match.score.share()},
                             {"interval_95", {interval.low, interval.high}},
                             {"elo", elo_of_share(match.score.share())},
                             {"record", games}};
  return json.dump(1) + "\n";
}

}  // namespace tengen
