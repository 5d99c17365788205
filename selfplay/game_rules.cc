#include "selfplay/game_rules.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nn/features.h"
#include "rules/rules_text.h"
#include "selfplay/game_chance.h"

namespace tengen {
namespace {

// A place drawn by weight; without weights all are alike.
std::size_t drawn_place(std::size_t count, const std::vector<double>& weights, Rng& rng) {
  const auto weight = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
  double total = 0;
  for (std::size_t i = 0; i < count; ++i) total += weight(i);
  double left = rng.uniform() * total;
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (weight(i) <= 0) continue;
    chosen = i;
    left -= weight(i);
    if (left < 0) break;
  }
  return chosen;
}

void require_weights(const std::string& key, const std::vector<double>& weights, std::size_t count,
                     const std::string& of) {
  if (weights.empty()) return;
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (weights.size() != count || !(sum > 0) || std::ranges::min(weights) < 0) {
    throw UsageError(key + ": expected one weight per " + of + ", none negative, not all 0");
  }
}

Rules parse_asked(const std::string& text, const GameOptions& options, BoardSize size) {
  try {
    Rules rules = parse_rules(text, size);
    if (rules.handicap != 0) throw Error("handicap: expected none, games.handicap_share tells it");
    if (text.find("komi=") != std::string::npos) {
      throw Error("rules, komi: expected none here, games.komi_mean tells it");
    }
    rules.komi = Komi::from_half_points(static_cast<int>(std::lround(2 * options.komi_mean)));
    return rules;
  } catch (const Error& error) {
    throw UsageError("games.rules: " + std::string(error.what()));
  }
}

double truncated_normal(Rng& rng) {
  double x = rng.normal();
  while (std::abs(x) > 3) x = rng.normal();
  return x;
}

double komi_noise(const GameOptions& games, Rng& rng) {
  if (rng.uniform() < games.komi_uniform_share) {
    return (2 * rng.uniform() - 1) * games.komi_uniform_width;
  }
  const bool is_wide = rng.uniform() < games.komi_wide_share;
  return truncated_normal(rng) * (is_wide ? games.komi_wide_stdev : games.komi_stdev);
}

// 0 on boards without places for stones.
int drawn_handicap(const SelfplaySettings& settings, const Rules& rules, Rng& rng) {
  if (rng.uniform() >= settings.games.handicap_share) return 0;
  if (rules.handicap_placement == HandicapPlacement::kFree) return 0;
  const int most = std::min(settings.games.handicap_max, max_handicap(rules));
  return most < 2 ? 0 : 2 + static_cast<int>(rng.below(static_cast<std::uint32_t>(most - 1)));
}

}  // namespace

std::vector<std::string> rule_texts(const GameOptions& options) {
  std::vector<std::string> texts(1);
  for (const char c : options.rules) {
    if (c == '|') {
      texts.emplace_back();
    } else if (c != ' ' || !texts.back().empty()) {
      texts.back() += c;
    }
  }
  for (std::string& text : texts) text.erase(text.find_last_not_of(' ') + 1);
  return texts;
}

void validate(const GameOptions& options) {
  if (options.sizes.empty()) throw UsageError("games.sizes: expected at least one board size");
  for (const int n : options.sizes) {
    if (n < kMinBoardSize || n > kMaxBoardSize) {
      throw UsageError("games.sizes: expected 2 to 19, found " + std::to_string(n));
    }
  }
  const auto texts = rule_texts(options);
  require_weights("games.size_weights", options.size_weights, options.sizes.size(), "size");
  require_weights("games.rules_weights", options.rules_weights, texts.size(), "rule set");
  for (const int n : options.sizes) {
    for (const std::string& text : texts) parse_asked(text, options, BoardSize::square(n));
  }
}

Rules asked_rules(const GameOptions& options, BoardSize size) {
  return parse_asked(rule_texts(options).front(), options, size);
}

Rules rules_of(const GameOptions& options, BoardSize size) {
  return rules_named(options, 0, size);
}

Rules rules_named(const GameOptions& options, std::size_t place, BoardSize size) {
  return played_out(parse_asked(rule_texts(options).at(place), options, size), options.play_out);
}

double balanced_komi(const SelfplaySettings& settings, const Rules& rules) {
  return settings.komi_centre + 2 * settings.games.komi_mean * (rules.handicap - 1) -
         handicap_bonus(rules);
}

Rules drawn_rules(const SelfplaySettings& settings, std::uint64_t index) {
  const GameOptions& games = settings.games;
  const auto stream = [&](GameStream s) { return stream_of(settings.seed, index, s); };
  Rng size_rng = stream(GameStream::kSize);
  const int n = games.sizes[drawn_place(games.sizes.size(), games.size_weights, size_rng)];
  Rng rules_rng = stream(GameStream::kRules);
  const auto place = drawn_place(rule_texts(games).size(), games.rules_weights, rules_rng);
  Rules rules = rules_named(games, place, BoardSize::square(n));
  Rng handicap_rng = stream(GameStream::kHandicap);
  rules.handicap = drawn_handicap(settings, rules, handicap_rng);
  const bool is_balanced =
      rules.handicap > 0 && handicap_rng.uniform() < games.handicap_balanced_share;
  Rng komi_rng = stream(GameStream::kKomi);
  const double komi = (is_balanced ? balanced_komi(settings, rules) : settings.komi_centre) +
                      komi_noise(games, komi_rng);
  rules.komi = rounded_komi(komi, rules.size);
  return rules;
}

Komi rounded_komi(double points, BoardSize size) {
  const double limit = std::min(size.area() + kKomiClipMargin, Komi::kMaxPoints);
  return Komi::from_half_points(
      static_cast<int>(std::lround(2 * std::clamp(points, -limit, limit))));
}

}  // namespace tengen
