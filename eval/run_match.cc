#include "eval/run_match.h"

#include <iomanip>
#include <iostream>
#include <optional>

#include "eval/arena.h"
#include "eval/gtp.h"
#include "eval/gtp_client.h"
#include "eval/net_player.h"
#include "eval/rules_report.h"
#include "nn/net_ownership.h"
#include "nn/net_source.h"
#include "rules/durable_file.h"
#include "rules/rules_text.h"

namespace tengen {

namespace {

// Under what a player was trained; nullopt if it is no net or one that does not say, such as
// KataGo's.
std::optional<Rules> rules_of(const std::string& player) {
  const auto net = find_net(player);
  if (!net || is_kata_net_file(*net)) return std::nullopt;
  const auto info = read_net_description(*net).info;
  if (info.rules.empty()) return std::nullopt;
  try {
    return parse_rules(info.rules);
  } catch (const Error& e) {
    throw Error((*net / kNetInfoFile).string() + ": " + e.what());
  }
}

// Those of the first of the players that has any; 9x9 and komi 7 if none has.
Rules rules_of_nets(std::initializer_list<std::string> players) {
  for (const auto& player : players) {
    if (const auto rules = rules_of(player)) return *rules;
  }
  Rules rules;
  rules.size = BoardSize::square(9);
  rules.komi = Komi::from_half_points(14);
  return rules;
}

Rules asked_for(const std::string& text, std::optional<BoardSize> size) {
  try {
    const Rules rules = rules_named(text, size);
    if (rules.handicap != 0) {
      throw Error(
          "rules, handicap: expected none here: games of a match are even, and GTP has "
          "commands that place stones");
    }
    return rules;
  } catch (const Error& e) {
    throw UsageError(std::string("--rules: ") + e.what());
  }
}

// What the command line says, and where it says nothing `rules`.
Rules changed(Rules rules, const std::string& rules_text, const std::string& size_text,
              const std::string& komi_text) {
  std::optional<BoardSize> size;
  if (!size_text.empty()) {
    size = parse_board_size(size_text);
    if (!size) throw UsageError("--size '" + size_text + "': expected 9 or 9x13, sides 2 to 19");
  }
  if (!rules_text.empty()) {
    rules = asked_for(rules_text, size                      ? size
                                  : names_board(rules_text) ? std::nullopt
                                                            : std::optional(rules.size));
  } else if (size) {
    rules.size = *size;
  }
  if (!komi_text.empty()) {
    const auto komi = parse_komi(komi_text);
    if (!komi)
      throw UsageError("--komi '" + komi_text + "': expected a multiple of 0.5 within +-400");
    rules.komi = *komi;
  }
  return rules;
}

}  // namespace

int run_match(const MatchRequest& request, const OpenNet& open) {
  if (!request.json.empty()) require_writable(request.json);
  ArenaOptions arena;
  arena.rules =
      changed(rules_of_nets({request.a, request.b}), request.rules, request.size, request.komi);
  arena.pairs = request.pairs;
  arena.opening_moves = request.opening_moves;
  arena.seed = request.seed;
  const bool has_other_program = request.a.starts_with("gtp:") || request.b.starts_with("gtp:");
  // Other programs know no clean-up phases: after two passes a judge finds what is dead.
  if (has_other_program && played_out(arena.rules, false).dead_stones == DeadStones::kPlayedOut) {
    arena.rules.dead_stones = DeadStones::kAutomatic;
  }
  // As many games as a GTP player has programs, or it would replay a game for every move.
  if (has_other_program) {
    arena.parallel_pairs = kGtpProcesses / 2;
  }
  const ThinkOptions think{.symmetries = request.symmetries, .leaves = request.leaves};
  const auto search = match_search(SearchOptions(), request.visits, request.search);
  const auto search_b =
      match_search(SearchOptions(), request.visits_b > 0 ? request.visits_b : request.visits,
                   request.search_b.empty() ? request.search : request.search_b);
  const auto a = make_player(request.a, search, open, think);
  const auto b = make_player(request.b, search_b, open, think);
  std::cerr << a->name() << " against " << b->name() << ": " << arena.pairs << " pairs on "
            << to_text(arena.rules) << "\n";
  int told = 0;
  const auto result = play_match(*a, *b, arena, [&](const MatchScore& score) {
    if (score.games() / 20 > told) {
      told = score.games() / 20;
      std::cerr << score.games() << " of " << 2 * arena.pairs << " games, " << std::setprecision(3)
                << 100 * score.share() << " % for " << a->name() << "\n";
    }
    return false;
  });
  const auto interval = wilson_interval(result.score);
  std::cout << std::fixed << std::setprecision(1) << a->name() << " scored " << result.score.wins
            << " wins, " << result.score.draws << " draws, " << result.score.losses
            << " losses against " << b->name() << ": " << 100 * result.score.share()
            << " % (95 % interval over pairs " << 100 * interval.low << " to "
            << 100 * interval.high << " %), Elo " << std::showpos
            << elo_of_share(result.score.share()) << std::noshowpos << "\n";
  if (!request.json.empty()) {
    write_durable(request.json, to_json(result, arena));
  }
  return 0;
}

int run_gtp(const GtpRequest& request, const OpenNet& open, std::string_view version) {
  GtpEngine::Options options;
  options.version = version;
  options.rules = changed(rules_of_nets({request.net}), request.rules, request.size, request.komi);
  options.ponders = request.ponder;
  const bool is_free = request.search == "auto" && request.ponder;
  const auto search =
      match_search(SearchOptions(), request.visits, is_free ? "puct" : request.search);
  if (request.ponder && search.algorithm == "gumbel") {
    throw UsageError(
        "--ponder: a Gumbel search plans its visits; expected --search puct or hybrid");
  }
  const ThinkOptions think{
      .symmetries = request.symmetries, .leaves = request.leaves, .is_one_game = true};
  std::shared_ptr<Player> player;
  if (find_net(request.net)) {
    const std::shared_ptr<PlayableNet> net = open(request.net);
    options.ownership = std::make_shared<NetOwnership>(
        [net](std::span<const EvaluationInput> inputs) { return net->answers(inputs); },
        net->features());
    player = make_net_player(net, search, think);
  } else {
    player = make_player(request.net, search, open, think);
  }
  GtpEngine engine(player, options);
  engine.serve(std::cin, std::cout);
  return 0;
}

}  // namespace tengen
