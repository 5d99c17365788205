#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "oracle.h"
#include "rules/position.h"
#include "rules/rng.h"

namespace tengen {

// What the games of a test came by, so that it is sure to have tested it.
struct Seen {
  int positions = 0, scores = 0, settled = 0, clean_up = 0, phase_two = 0;
  int banned = 0, banned_in_clean_up = 0, blocked = 0, lifted = 0, buttons = 0;
  std::map<std::string, int> endings;

  void print() const;
};

// One game played by rules/ and by the naive rules. What differs fails the running test.
class Comparison {
 public:
  // `rng` draws dead stones.
  Comparison(const Position& start, Rng rng, Seen& seen);

  const Position& position() const { return position_; }
  void play(Move move);
  void set_to_move(Color c);

  // All that is said of the position; of large boards scores only now and then.
  void compare();
  void compare_legality();
  void compare_outcome();  // requires the game's end

 private:
  std::string where() const;
  void compare_course();
  void compare_chains(const Board& board);
  void compare_hashes(const Board& board);
  void compare_life(const Board& board);
  void compare_sheet(const ScoreSheet& sheet, const Oracle::Count& count);
  std::set<int> drawn_dead();
  void compare_scores();

  BoardSize size_;
  Rng rng_;
  Position position_;
  Oracle oracle_;
  Seen& seen_;
  std::map<std::uint64_t, std::string> boards_;
  std::map<std::string, std::uint64_t> hashes_;
};

}  // namespace tengen
