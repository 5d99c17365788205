#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "selfplay/record.h"

namespace tengen {

// The game as canonical text, for comparing two runs and for parking: every field, floats as the
// hexadecimal digits of their bits. Format in selfplay/README.md.
std::string canonical_text(const GameRecord& record);

// Reads any number of games written by canonical_text one after the other. Throws Error that names
// the line. Checks form, not the game: see verify.
std::vector<GameRecord> parse_canonical_text(std::string_view text);

}  // namespace tengen
