#pragma once

#include <span>
#include <string>
#include <string_view>

#include "rules/rules.h"

namespace tengen {

// A rule set by name. Those of the game's associations are as KataGo defines them (its rules.cpp),
// but for plain Tromp-Taylor; five are of our own, from five texts that each tell the game a little
// differently.
struct Preset {
  std::string_view name;
  std::string_view summary;          // one line
  Rules rules;                       // on the first of its boards
  std::span<const int> sizes;        // of square boards; empty: any board
  std::span<const Komi> other_komi;  // that the rule set names beside its own
};
std::span<const Preset> presets();

// Throws Error "unknown rules 'japanes'; the nearest is 'japanese'" if there is none.
const Preset& preset_named(std::string_view name);

// Throws Error if the rule set is not played on that board.
void check_size(const Preset& preset, BoardSize size);
// The rules of a preset on a board. Throws Error if it is not played there.
Rules preset_rules(std::string_view name, BoardSize size);

}  // namespace tengen
