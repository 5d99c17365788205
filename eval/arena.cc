#include "eval/arena.h"

#include <algorithm>
#include <array>
#include <deque>
#include <exception>
#include <optional>
#include <set>
#include <utility>

#include "rules/check.h"
#include "rules/playout.h"
#include "rules/rng.h"

namespace tengen {
namespace {

// Names the streams of a match's seed.
constexpr std::uint64_t kOpeningStream = 1;
constexpr std::uint64_t kGameStream = 2;

// A game in flight.
struct Table {
  Position position;
  std::vector<Position::Played> played;
  ArenaGame game;
  std::uint64_t seed;
  int cap;  // plies
  bool is_over = false;

  bool is_turn_of_a() const { return (position.to_move() == Color::kBlack) == game.a_is_black; }
};

ArenaEnd end_of(PlayEnding ending) {
  switch (ending) {
    case PlayEnding::kMoveCap:
      return ArenaEnd::kMoveCap;
    case PlayEnding::kRepetition:
      return ArenaEnd::kRepetition;
    case PlayEnding::kThreeKos:
      return ArenaEnd::kThreeKos;
    case PlayEnding::kPasses:
      break;
  }
  return ArenaEnd::kPasses;
}

// Ends the game if it is over; `resigned` is the side that gave up.
void settle(Table& table, std::optional<Color> resigned = std::nullopt) {
  const Position& position = table.position;
  ArenaGame& game = table.game;
  std::optional<Score> settled;
  if (resigned) {
    game.end = ArenaEnd::kResignation;
  } else if (position.is_over()) {
    game.end = end_of(*position.ending());
  } else if ((settled = position.settled_score())) {
    game.end = ArenaEnd::kAllPassAlive;
  } else if (position.ply() >= table.cap) {
    game.end = ArenaEnd::kMoveCap;
  } else {
    return;
  }
  const Score score = settled ? *settled : position.score();
  game.outcome = resigned             ? Outcome{opponent(*resigned)}
                 : position.is_over() ? position.outcome()
                                      : Outcome{score.winner()};
  const std::optional<Color> winner = game.outcome.winner;
  game.black_margin = score.black_margin();
  game.a_points = !winner ? 0.5 : (*winner == Color::kBlack) == game.a_is_black ? 1 : 0;
  table.is_over = true;
}

void play(Table& table, Move move) {
  table.played.push_back({table.position.to_move(), move});
  table.game.moves.push_back(move);
  table.position.play(move);
}

Table table_of(const ArenaStart& start, int pair, double move_cap) {
  Table table{.position = Position(start.rules),
              .played = {},
              .game = {.pair = pair,
                       .a_is_black = start.a_is_black,
                       .size = start.rules.size,
                       .komi = start.rules.komi,
                       .moves = {}},
              .seed = start.seed,
              .cap = static_cast<int>(move_cap * start.rules.size.area())};
  for (const Move move : start.opening) {
    if (!table.position.is_legal(move)) {
      throw Error("opening of pair " + std::to_string(pair) + ": " +
                  to_text(move, start.rules.size) + " is not legal");
    }
    play(table, move);
  }
  settle(table);
  return table;
}

// Lets `player` answer at all `tables`.
void answer(Player& player, std::span<Table* const> tables) {
  if (tables.empty()) return;
  std::vector<MoveRequest> requests;
  for (const Table* table : tables) {
    requests.push_back({.position = &table->position,
                        .seed = mix64(table->seed, table->played.size()),
                        .moves = table->played});
  }
  std::vector<MoveChoice> choices(tables.size());
  try {
    player.choose(requests, choices);
  } catch (const std::exception& e) {
    throw PlayerError(player.name(), std::string("failed: ") + e.what());
  }
  for (std::size_t i = 0; i < tables.size(); ++i) {
    Table& table = *tables[i];
    const Color mover = table.position.to_move();
    if (choices[i].resign) {
      settle(table, mover);
      continue;
    }
    if (!table.position.is_legal(choices[i].move)) {
      throw PlayerError(player.name(), "played the illegal move " +
                                           to_text(choices[i].move, table.position.size()) +
                                           " in\n" + table.position.board().to_text());
    }
    play(table, choices[i].move);
    settle(table);
  }
}

// One move at every table that is not over.
void advance(Player& a, Player& b, std::span<Table* const> tables) {
  std::vector<Table*> for_a, for_b;
  for (Table* table : tables) {
    if (!table->is_over) (table->is_turn_of_a() ? for_a : for_b).push_back(table);
  }
  answer(a, for_a);
  answer(b, for_b);
}

ArenaStart start_of_pair(const ArenaOptions& options, int pair) {
  ArenaStart start{.rules = played_out(options.rules, false), .opening = {}};
  const auto index = static_cast<std::size_t>(pair);
  if (!options.sizes.empty()) start.rules.size = options.sizes[index % options.sizes.size()];
  if (!options.komis.empty()) start.rules.komi = options.komis[index % options.komis.size()];
  if (!options.openings.empty()) {
    start.opening = options.openings[index % options.openings.size()];
  } else {
    Rng rng(mix64(options.seed, kOpeningStream, index));
    start.opening = random_opening(start.rules, options.opening_moves, rng);
  }
  start.seed = mix64(options.seed, kGameStream, index);
  return start;
}

using PairOfTables = std::array<Table, 2>;

PairOfTables seat_pair(const ArenaOptions& options, int pair) {
  const ArenaStart first = start_of_pair(options, pair);
  ArenaStart second = first;
  second.a_is_black = false;  // the same seed: match(b, a) is match(a, b) seen from the other side
  return {table_of(first, pair, options.move_cap), table_of(second, pair, options.move_cap)};
}

}  // namespace

std::string_view name_of(ArenaEnd end) {
  switch (end) {
    case ArenaEnd::kPasses:
      return "passes";
    case ArenaEnd::kAllPassAlive:
      return "all pass-alive";
    case ArenaEnd::kMoveCap:
      return "move cap";
    case ArenaEnd::kRepetition:
      return "repetition";
    case ArenaEnd::kThreeKos:
      return "three kos";
    case ArenaEnd::kResignation:
      return "resignation";
  }
  return "";
}

MatchResult play_match(Player& a, Player& b, const ArenaOptions& options,
                       const std::function<bool(const MatchScore&)>& stop) {
  check(options.parallel_pairs >= 1, "at least one pair in flight");
  MatchResult match{.a = a.name(), .b = b.name(), .score = {}, .games = {}};
  std::deque<PairOfTables> flight;  // in order of pair number; a deque keeps places
  int next_pair = 0;
  while (true) {
    while (next_pair < options.pairs && std::ssize(flight) < options.parallel_pairs) {
      flight.push_back(seat_pair(options, next_pair++));
    }
    while (!flight.empty() && flight.front()[0].is_over && flight.front()[1].is_over) {
      const ArenaGame& first = match.games.emplace_back(std::move(flight.front()[0].game));
      const double first_points = first.a_points;
      const ArenaGame& second = match.games.emplace_back(std::move(flight.front()[1].game));
      match.score.add_pair(first_points, second.a_points);
      flight.pop_front();
      if (stop && stop(match.score)) return match;
    }
    if (flight.empty() && next_pair == options.pairs) return match;
    std::vector<Table*> tables;
    for (PairOfTables& pair : flight) tables.insert(tables.end(), {&pair[0], &pair[1]});
    advance(a, b, tables);
  }
}

std::vector<ArenaGame> play_games(Player& a, Player& b, std::span<const ArenaStart> starts,
                                  double move_cap) {
  std::vector<Table> tables;
  for (const ArenaStart& start : starts) {
    tables.push_back(table_of(start, static_cast<int>(tables.size()), move_cap));
  }
  std::vector<Table*> places;
  for (Table& table : tables) places.push_back(&table);
  while (std::ranges::any_of(tables, [](const Table& t) { return !t.is_over; })) {
    advance(a, b, places);
  }
  std::vector<ArenaGame> games;
  for (Table& table : tables) games.push_back(std::move(table.game));
  return games;
}

PairMargins pair_margins(std::span<const ArenaGame> games) {
  check(!games.empty() && games.size() % 2 == 0, "whole pairs");
  PairMargins result;
  for (std::size_t i = 0; i < games.size(); i += 2) {
    double margin = 0;
    for (const ArenaGame& game : games.subspan(i, 2)) {
      margin += game.a_is_black ? game.black_margin : -game.black_margin;
    }
    ++(margin > 0 ? result.won : margin < 0 ? result.lost : result.even);
  }
  return result;
}

int distinct_games(std::span<const ArenaGame> games) {
  std::set<std::vector<int>> seen;
  for (const ArenaGame& game : games) {
    std::vector<int> key;
    for (const Move move : game.moves) {
      key.push_back(move.is_pass() ? -1
                                   : move.point().row() * kMaxBoardSize + move.point().column());
    }
    seen.insert(std::move(key));
  }
  return static_cast<int>(seen.size());
}

}  // namespace tengen
