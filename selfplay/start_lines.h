#pragma once

#include <filesystem>
#include <vector>

#include "rules/move.h"
#include "rules/point.h"

namespace tengen {

// Moves from the empty board, Black first and in turn, from a position of which games may begin.
struct StartLine {
  BoardSize size{};
  std::vector<Move> moves;
};

// The main lines of an SGF file, or of all *.sgf files in a folder and below, in the order of their
// paths. Games with set-up stones or two moves in a row by one side are left out. Throws Error
// naming the file if one cannot be read, and UsageError if the path or every game is missing.
std::vector<StartLine> read_start_lines(const std::filesystem::path& path);

}  // namespace tengen
