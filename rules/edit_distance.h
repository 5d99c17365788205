#pragma once

#include <string_view>

namespace tengen {

// Insertions, deletions and replacements of characters that turn a into b (Levenshtein): finds the
// name that a misspelt one was meant to be.
int edit_distance(std::string_view a, std::string_view b);

}  // namespace tengen
