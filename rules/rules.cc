#include "rules/rules.h"

#include <algorithm>
#include <string_view>

#include "rules/check.h"
#include "rules/handicap.h"
#include "rules/rules_text.h"

namespace tengen {
namespace {

constexpr int kPointsPerFreeStone = 9;

}  // namespace

void validate(const Rules& rules) {
  const auto require = [&](bool holds, std::string_view field, const char* expected) {
    if (holds) return;
    const auto fields = rule_fields();
    const auto found = std::ranges::find(fields, field, &RuleField::name);
    throw Error("rules, " + std::string(field) + ": expected " + expected + ", found " +
                (found == fields.end() ? to_text(rules.size) : found->get(rules)));
  };
  require(rules.size.is_playable(), "size", "2x2 to 19x19");
  require(rules.scoring == Scoring::kArea ? rules.dead_stones != DeadStones::kPlayedOut
                                          : rules.dead_stones >= DeadStones::kMarked,
          "dead", "marked, automatic or played-out with territory, any but played-out with area");
  require(!rules.button || rules.scoring == Scoring::kArea, "button", "no with territory");
  require(!rules.three_ko_draw || rules.ko != Ko::kSimple, "three-kos",
          "play-on with simple ko, as nothing refuses a retake there");
  require(rules.move_cap >= 0, "cap", "a number of moves, or 0 for none");
  const int most = max_handicap(rules);
  if (rules.handicap < 0 || rules.handicap > most) {
    throw Error("rules, handicap: expected 0" +
                (most > 0 ? " to " + std::to_string(most) : std::string()) + " on " +
                to_text(rules.size) + ", found " + std::to_string(rules.handicap));
  }
}

Rules played_out(Rules rules, bool and_automatic) {
  if (rules.dead_stones == DeadStones::kMarked ||
      (and_automatic && rules.dead_stones == DeadStones::kAutomatic)) {
    rules.dead_stones =
        rules.scoring == Scoring::kArea ? DeadStones::kPassDead : DeadStones::kPlayedOut;
  }
  return rules;
}

int handicap_bonus(const Rules& rules) {
  if (rules.handicap < 2 || rules.handicap_bonus == HandicapBonus::kNone) return 0;
  return rules.handicap - (rules.handicap_bonus == HandicapBonus::kStonesButOne ? 1 : 0);
}

int max_handicap(const Rules& rules) {
  const BoardSize size = rules.size;
  if (rules.handicap_placement == HandicapPlacement::kFree) {
    return size.area() / kPointsPerFreeStone;
  }
  return max_fixed_handicap(size);
}

}  // namespace tengen
