#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "rules/komi.h"
#include "rules/point.h"

namespace tengen {

// Which earlier whole-board positions a play may not bring back.
enum class Ko {
  kSimple,       // only the immediate recapture of a single stone
  kPositional,   // any earlier position, whoever is to move
  kSituational,  // any earlier position with the same side to move
};

// Area scoring counts stones and the empty points that reach only one colour. `kAsItStands` removes
// nothing (Tromp-Taylor). `kPassDeadRemoved` takes enemy stones inside pass-alive territory as
// dead, as KataGo's area score does.
enum class AreaScoring { kAsItStands, kPassDeadRemoved };

// The rules of one game as plain data. Every record, shard and net carries them.
struct Rules {
  BoardSize size;
  Ko ko = Ko::kPositional;
  bool multi_stone_suicide = false;   // a chain of two or more own stones may be taken off
  bool single_stone_suicide = false;  // a lone stone may be; KataGo never allows it. With
                                      // positional superko it is a repetition all the same.
  AreaScoring scoring = AreaScoring::kAsItStands;
  Komi komi;

  friend bool operator==(const Rules&, const Rules&) = default;
};

// One line, exact: "9x9 ko=positional suicide=none scoring=area komi=7.5". parse_rules reads it
// back and throws Error naming the field on anything else.
std::string to_text(const Rules& rules);
Rules parse_rules(std::string_view text);

// Names in that text and in config files, in the order of the enumerators.
inline constexpr std::array<std::string_view, 3> kKoNames = {"simple", "positional", "situational"};
inline constexpr std::array<std::string_view, 2> kScoringNames = {"area", "area-pass-dead-removed"};
std::string_view name_of(Ko ko);
std::string_view name_of(AreaScoring scoring);
std::optional<Ko> parse_ko(std::string_view name);
std::optional<AreaScoring> parse_scoring(std::string_view name);

}  // namespace tengen
