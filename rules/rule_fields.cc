#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "rules/check.h"
#include "rules/rules_text.h"

// The one list of all fields of Rules, their values and what these mean.
namespace tengen {
namespace {

// The values of a field in the order of the enumerators.
constexpr std::array<RuleValue, 3> kKo = {{
    {"simple", "a ko, by retaking its stone at once"},
    {"positional", "any earlier position of the board, whoever is to move"},
    {"situational", "any earlier position with the same side to move"},
}};
constexpr std::array<RuleValue, 4> kSuicide = {{
    {"none", "forbidden"},
    {"multi", "allowed for chains of two or more stones: they are taken off"},
    {"single", "allowed for a lone stone only: it is taken off"},
    {"all", "allowed: a chain left without liberties is taken off, own or not"},
}};
constexpr std::array<RuleValue, 4> kRepetition = {{
    {"play-on", "changes nothing"},
    {"no-result", "ends the game without result"},
    {"draw", "ends the game as a draw"},
    {"loss", "loses the game for who brings it about"},
}};
constexpr std::array<RuleValue, 2> kThreeKos = {{
    {"play-on", "changes nothing"},
    {"draw", "is a draw, once a retake is refused"},
}};
constexpr std::array<RuleValue, 2> kPlayEnd = {{
    {"two-passes", "two passes in a row"},
    {"same-pass", "two passes in a row, or one where this side passed before"},
}};
constexpr std::array<RuleValue, 2> kScoring = {{
    {"area", "stones on the board and empty points they surround"},
    {"territory", "surrounded empty points, opponent's stones taken or dead"},
}};
constexpr std::array<RuleValue, 3> kTax = {{
    {"none", "nothing"},
    {"seki", "empty points in seki"},
    {"all", "empty points in seki, and two points of each living group"},
}};
constexpr std::array<RuleValue, 5> kDead = {{
    {"as-they-stand", "none are removed, all stones on the board count"},
    {"pass-dead", "removed inside territory that even passing keeps (KataGo's)"},
    {"marked", "both players mark and confirm them; programs play on"},
    {"automatic", "a judge finds and removes them"},
    {"played-out", "taken in two more phases of play, the last free of charge"},
}};
constexpr std::array<RuleValue, 2> kButton = {{
    {"no", "there is none"},
    {"yes", "the first pass earns half a point and does not count towards the end"},
}};
constexpr std::array<RuleValue, 3> kBonus = {{
    {"none", "White gets nothing for them"},
    {"n", "White gets a point for each handicap stone"},
    {"n-1", "White gets a point for each handicap stone but one"},
}};
constexpr std::array<RuleValue, 3> kPlacement = {{
    {"centre", "on star points, the fifth and seventh in the centre"},
    {"sides", "on star points, the centre for the ninth only"},
    {"free", "where Black likes"},
}};

constexpr std::string_view kKomiExpected = "a multiple of 0.5 within +-400";
constexpr std::string_view kCountExpected = "a whole number from 0 to 100000";

// Place of a name among the values.
std::optional<std::size_t> place_of(std::span<const RuleValue> values, std::string_view name) {
  const auto found = std::ranges::find(values, name, &RuleValue::name);
  if (found == values.end()) return std::nullopt;
  return found - values.begin();
}

template <auto kMember, auto& kValues>
std::string get_choice(const Rules& rules) {
  const auto place = static_cast<std::size_t>(rules.*kMember);
  check(place < kValues.size(), "a value has a name");
  return std::string(kValues[place].name);
}

template <auto kMember, auto& kValues>
bool set_choice(Rules& rules, std::string_view name) {
  const auto place = place_of(kValues, name);
  if (place) rules.*kMember = static_cast<std::decay_t<decltype(rules.*kMember)>>(*place);
  return place.has_value();
}

template <auto kMember>
std::string get_count(const Rules& rules) {
  return std::to_string(rules.*kMember);
}

template <auto kMember>
bool set_count(Rules& rules, std::string_view text) {
  constexpr int kMost = 100'000;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0 || value > kMost) {
    return false;
  }
  rules.*kMember = value;
  return true;
}

std::string get_suicide(const Rules& rules) {
  const int place = (rules.multi_stone_suicide ? 1 : 0) + (rules.single_stone_suicide ? 2 : 0);
  return std::string(kSuicide[place].name);
}

bool set_suicide(Rules& rules, std::string_view name) {
  const auto place = place_of(kSuicide, name);
  if (!place) return false;
  rules.multi_stone_suicide = (*place & 1) != 0;
  rules.single_stone_suicide = (*place & 2) != 0;
  return true;
}

std::string get_komi(const Rules& rules) {
  return to_text(rules.komi);
}

bool set_komi(Rules& rules, std::string_view text) {
  const auto komi = parse_komi(text);
  if (komi) rules.komi = *komi;
  return komi.has_value();
}

template <auto kMember, auto& kValues>
constexpr RuleField choice(std::string_view name, std::string_view meaning) {
  return {name, meaning, kValues, {}, get_choice<kMember, kValues>, set_choice<kMember, kValues>};
}

template <auto kMember>
constexpr RuleField count(std::string_view name, std::string_view meaning) {
  return {name, meaning, {}, kCountExpected, get_count<kMember>, set_count<kMember>};
}

constexpr std::array kFields = {
    choice<&Rules::ko, kKo>("ko", "may not come back"),
    RuleField{"suicide", "suicide", kSuicide, {}, get_suicide, set_suicide},
    choice<&Rules::scoring, kScoring>("scoring", "what counts"),
    choice<&Rules::dead_stones, kDead>("dead", "dead stones"),
    RuleField{"komi", "points for White", {}, kKomiExpected, get_komi, set_komi},
    choice<&Rules::repetition, kRepetition>("repetition", "the same position a third time"),
    choice<&Rules::three_ko_draw, kThreeKos>("three-kos", "three kos open at once"),
    choice<&Rules::play_end, kPlayEnd>("end", "what ends play"),
    count<&Rules::move_cap>("cap", "moves after which the game is scored as it is; 0: no limit"),
    choice<&Rules::tax, kTax>("tax", "not counted"),
    choice<&Rules::button, kButton>("button", "the button"),
    count<&Rules::handicap>("handicap", "black stones on the board before White moves first"),
    choice<&Rules::handicap_bonus, kBonus>("bonus", "for handicap stones"),
    choice<&Rules::handicap_placement, kPlacement>("placement", "handicap stones go"),
};

}  // namespace

std::span<const RuleField> rule_fields() {
  return kFields;
}

}  // namespace tengen
