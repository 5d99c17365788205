#pragma once

#include <string>
#include <string_view>

#include "rules/dead_stones.h"
#include "rules/symmetry.h"

namespace tengen {

// A diagram in which x and o are dead stones, b and w unsettled ones of Black and White.
struct Case {
  Board board;
  DeadStonesVerdict expected;

  static Case of(std::string_view diagram);
  std::string draw(const DeadStonesVerdict& verdict) const;  // the diagram of a verdict
};

Board image_of(const Board& board, Symmetry s, bool swaps);
Rules rules_for(const Board& board);  // with a judge

// Judges the diagram in all its images, with colours exchanged too; returns the level.
JudgeLevel expect_verdict(std::string_view diagram, const JudgeOptions& options = {});

}  // namespace tengen
