#include "rules/presets.h"

#include <algorithm>
#include <array>

#include "rules/check.h"
#include "rules/edit_distance.h"

namespace tengen {
namespace {

constexpr std::array kNine = {9};
constexpr std::array kClubSizes = {9, 13, 19};
constexpr std::array kTraditionalSizes = {19, 9};
constexpr std::array kThreeSizes = {9, 13, 19};
constexpr std::array kClubKomi = {Komi::from_half_points(13), Komi::from_half_points(11),
                                  Komi::from_half_points(1)};
constexpr std::array kThreeKomi = {Komi::from_half_points(13)};

constexpr Komi kSevenAndHalf = Komi::from_half_points(15);
constexpr Komi kSeven = Komi::from_half_points(14);
constexpr Komi kSixAndHalf = Komi::from_half_points(13);
constexpr Komi kFiveAndHalf = Komi::from_half_points(11);
constexpr Komi kNone = Komi::from_half_points(0);

// Under simple ko KataGo ends a game without result at the third repetition, and at a pass in a
// position where the same player passed before.
constexpr Rules with_katago_ko(Rules rules) {
  rules.ko = Ko::kSimple;
  rules.repetition = Repetition::kNoResult;
  rules.play_end = PlayEnd::kTwoPassesOrSamePass;
  return rules;
}

constexpr Rules kKataArea = {.dead_stones = DeadStones::kPassDead, .komi = kSevenAndHalf};

constexpr Rules kTrompTaylor = {.multi_stone_suicide = true, .komi = kSevenAndHalf};

constexpr Rules chinese() {
  Rules rules = with_katago_ko(kKataArea);
  rules.handicap_bonus = HandicapBonus::kStones;
  rules.handicap_placement = HandicapPlacement::kFree;
  return rules;
}

constexpr Rules japanese() {
  Rules rules = with_katago_ko({});
  rules.scoring = Scoring::kTerritory;
  rules.tax = Tax::kSeki;
  rules.dead_stones = DeadStones::kPlayedOut;
  rules.komi = kSixAndHalf;
  return rules;
}

constexpr Rules aga() {
  Rules rules = kKataArea;
  rules.ko = Ko::kSituational;
  rules.handicap_bonus = HandicapBonus::kStonesButOne;
  return rules;
}

constexpr Rules new_zealand() {
  Rules rules = kKataArea;
  rules.ko = Ko::kSituational;
  rules.multi_stone_suicide = true;
  rules.komi = kSeven;
  rules.handicap_placement = HandicapPlacement::kFree;
  return rules;
}

constexpr Rules ing() {
  Rules rules = kKataArea;
  rules.multi_stone_suicide = true;
  rules.handicap_placement = HandicapPlacement::kFree;
  return rules;
}

constexpr Rules stone_scoring() {
  Rules rules = with_katago_ko(kKataArea);
  rules.tax = Tax::kAll;
  return rules;
}

constexpr Rules kClubArea = {
    .size = BoardSize::square(9), .dead_stones = DeadStones::kMarked, .komi = kSevenAndHalf};

constexpr Rules kTraditional = {.three_ko_draw = true,
                                .scoring = Scoring::kTerritory,
                                .tax = Tax::kSeki,
                                .dead_stones = DeadStones::kMarked,
                                .komi = kNone};

constexpr Rules kCasual = {.size = BoardSize::square(9),
                           .ko = Ko::kSimple,
                           .repetition = Repetition::kNoResult,
                           .play_end = PlayEnd::kTwoPassesOrSamePass,
                           .komi = kFiveAndHalf};

constexpr Rules kThreeRules = {.size = BoardSize::square(9),
                               .multi_stone_suicide = true,
                               .single_stone_suicide = true,
                               .scoring = Scoring::kTerritory,
                               .dead_stones = DeadStones::kPlayedOut,
                               .komi = kNone,
                               .handicap_placement = HandicapPlacement::kSides};

constexpr Rules japanese_9x9() {
  Rules rules = japanese();
  rules.size = BoardSize::square(9);
  rules.dead_stones = DeadStones::kAutomatic;
  return rules;
}

constexpr std::array kPresets = {
    Preset{"tromp-taylor", "The logical rules: area as it stands", kTrompTaylor, {}, {}},
    Preset{"chinese", "Area with simple ko, as KataGo plays Chinese rules", chinese(), {}, {}},
    Preset{
        "japanese", "Territory, seki without points; the game is played out", japanese(), {}, {}},
    Preset{"korean", "The same as japanese", japanese(), {}, {}},
    Preset{
        "aga", "Area with situational superko, as in the American Go Association", aga(), {}, {}},
    Preset{"new-zealand", "Area with situational superko and suicide", new_zealand(), {}, {}},
    Preset{"ing",
           "Area with positional superko and suicide, as KataGo plays Ing's rules",
           ing(),
           {},
           {}},
    Preset{"stone-scoring",
           "As in old China: area, and each living group pays two points",
           stone_scoring(),
           {},
           {}},
    Preset{"club-area", "Area with superko; the players agree on dead stones", kClubArea,
           kClubSizes, kClubKomi},
    Preset{"traditional",
           "Territory without komi, equal counts and three kos a draw",
           kTraditional,
           kTraditionalSizes,
           {}},
    Preset{"casual-9x9", "Area as it stands on a small board, simple ko", kCasual, kNine, {}},
    Preset{"three-rules", "Territory from three rules: suicide allowed, nothing may be repeated",
           kThreeRules, kThreeSizes, kThreeKomi},
    Preset{"japanese-9x9",
           "Territory on a small board, dead stones removed by a judge",
           japanese_9x9(),
           kNine,
           {}},
};

}  // namespace

std::span<const Preset> presets() {
  return kPresets;
}

const Preset& preset_named(std::string_view name) {
  const auto found = std::ranges::find(kPresets, name, &Preset::name);
  if (found != kPresets.end()) return *found;
  const auto nearest = std::ranges::min_element(
      kPresets, {}, [name](const Preset& p) { return edit_distance(name, p.name); });
  throw Error("unknown rules '" + std::string(name) + "'; the nearest is '" +
              std::string(nearest->name) + "'");
}

void check_size(const Preset& preset, BoardSize size) {
  if (preset.sizes.empty()) return;
  if (size.is_square() && std::ranges::count(preset.sizes, size.width) != 0) return;
  std::string boards;
  for (const int n : preset.sizes) {
    (boards += boards.empty() ? "" : ", ") += to_text(BoardSize::square(n));
  }
  throw Error("rules " + std::string(preset.name) + " are not played on " + to_text(size) +
              ": expected " + boards);
}

Rules preset_rules(std::string_view name, BoardSize size) {
  const Preset& preset = preset_named(name);
  check_size(preset, size);
  Rules rules = preset.rules;
  rules.size = size;
  validate(rules);
  return rules;
}

}  // namespace tengen
