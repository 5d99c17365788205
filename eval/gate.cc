#include "eval/gate.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>

#include "rules/check.h"

namespace tengen {
namespace {

constexpr double kRounding = 1e-9;  // 0.55 * 100 is a little more than 55

GateState match_state(const GateOptions& options, const MatchScore& score) {
  const double games = 2.0 * options.pairs;
  const double needed = options.threshold * games - kRounding;
  if (score.points() >= needed) return GateState::kPromoted;
  const double reachable = score.points() + (games - score.games());
  return reachable < needed ? GateState::kRejected : GateState::kOpen;
}

GateState sprt_state(const GateOptions& options, const MatchScore& score) {
  const double llr = sprt_llr(score, options.elo0, options.elo1);
  if (llr >= std::log((1 - options.beta) / options.alpha)) return GateState::kPromoted;
  if (llr <= std::log(options.beta / (1 - options.alpha))) return GateState::kRejected;
  if (score.pair_count() < options.max_pairs) return GateState::kOpen;
  return llr > 0 ? GateState::kPromoted : GateState::kRejected;
}

std::string plain(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

std::string reason_of(const GateOptions& options, const Verdict& verdict) {
  if (options.kind == "off") return "every net is published: the gate is off";
  char text[160];
  if (options.kind == "match") {
    std::snprintf(text, sizeof text, "; needed: %.1f %% of %d games", 100 * options.threshold,
                  2 * options.pairs);
  } else {
    std::snprintf(
        text, sizeof text,
        "; log-likelihood ratio %+.2f of Elo %g against Elo %g, bounds %.2f and %.2f%s",
        verdict.llr, options.elo1, options.elo0, std::log(options.beta / (1 - options.alpha)),
        std::log((1 - options.beta) / options.alpha),
        verdict.score.pair_count() >= options.max_pairs ? ", at the cap the sign decides" : "");
  }
  return to_text(verdict.score) + text;
}

}  // namespace

GateState gate_state(const GateOptions& options, const MatchScore& score) {
  if (options.kind == "off") return GateState::kPromoted;
  return options.kind == "match" ? match_state(options, score) : sprt_state(options, score);
}

int gate_pairs(const GateOptions& options) {
  if (options.kind == "off") return 0;
  return options.kind == "match" ? options.pairs : options.max_pairs;
}

void validate(const GateOptions& options) {
  if (std::ranges::find(kGateChoices, options.kind) == std::end(kGateChoices)) {
    throw UsageError("gate.kind: expected off, match or sprt, found '" + options.kind + "'");
  }
  if (options.kind == "sprt" && options.elo1 <= options.elo0) {
    throw UsageError("gate.elo1 = " + plain(options.elo1) +
                     ": expected more than gate.elo0 = " + plain(options.elo0));
  }
}

Verdict judge(Player& candidate, Player& champion, const GateOptions& options,
              const ArenaOptions& arena) {
  Verdict verdict{.kind = options.kind, .reason = {}, .score = {}, .match = {}};
  if (options.kind != "off") {
    ArenaOptions games = arena;
    games.pairs = gate_pairs(options);
    verdict.match = play_match(candidate, champion, games, [&](const MatchScore& score) {
      return gate_state(options, score) != GateState::kOpen;
    });
    verdict.score = verdict.match.score;
  }
  if (options.kind == "sprt") verdict.llr = sprt_llr(verdict.score, options.elo0, options.elo1);
  verdict.promoted = gate_state(options, verdict.score) == GateState::kPromoted;
  verdict.reason = (verdict.promoted ? "promoted: " : "rejected: ") + reason_of(options, verdict);
  return verdict;
}

std::string to_json(const Verdict& verdict, const std::string& candidate,
                    const std::string& champion) {
  using nlohmann::ordered_json;
  ordered_json json = {{"format", "tengen-verdict"}, {"format_version", 1},
                       {"candidate", candidate},     {"champion", champion},
                       {"gate", verdict.kind},       {"promoted", verdict.promoted},
                       {"reason", verdict.reason}};
  if (verdict.kind != "off") {
    const Interval interval = wilson_interval(verdict.score);
    json["games"] = verdict.score.games();
    json["wins"] = verdict.score.wins;
    json["draws"] = verdict.score.draws;
    json["losses"] = verdict.score.losses;
    json["pairs_by_points"] = verdict.score.pairs;
    json["share"] = verdict.score.share();
    json["interval_95"] = {interval.low, interval.high};
    json["elo"] = elo_of_share(verdict.score.share());
  }
  if (verdict.kind == "sprt") json["llr"] = verdict.llr;
  return json.dump(1) + "\n";
}

}  // namespace tengen
