#pragma once

#include <cstdint>

#include "rules/history.h"
#include "rules/pitch_board.h"
#include "rules/rules.h"

namespace tengen {

// What superko compares: the stones and, under situational superko, the side to move.
constexpr std::uint64_t state_key(std::uint64_t board_hash, int to_move, Ko ko) {
  constexpr std::uint64_t kWhiteToMove = mix64(0x746F6D6F7665ULL);
  return ko == Ko::kSituational && to_move == 1 ? board_hash ^ kWhiteToMove : board_hash;
}

// Whether `c`, playing at the empty point p, would bring an earlier state back.
template <class Layout>
bool repeats(const Layout& board, int p, int c, Ko ko, const History& history) {
  return history.has(state_key(board.hash_after(p, c), c ^ 1, ko));
}

// Whether superko forbids a play that is otherwise legal. Only a point that held the colour before
// can bring a state back, or a suicide: after any other play the board has a stone it never had.
template <class Layout>
bool is_repetition(const Layout& board, int p, int c, const Rules& rules, const History& history) {
  if (rules.ko == Ko::kSimple) return false;
  const bool may_be_suicide = rules.multi_stone_suicide || rules.single_stone_suicide;
  if (!board.ever(c).has(p) && !(may_be_suicide && !board.unsuicidal(c).has(p))) return false;
  return repeats(board, p, c, rules.ko, history);
}

// Of the points in `candidates`, otherwise legal, those that superko forbids.
template <class Layout>
typename Layout::Bits repetitions(const Layout& board, const typename Layout::Bits& candidates,
                                  int c, const Rules& rules, const History& history) {
  typename Layout::Bits banned;
  if (rules.ko == Ko::kSimple) return banned;
  const auto suicides = candidates.without(board.unsuicidal(c));
  for_each_bit((candidates & board.ever(c)) | suicides, [&](int p) {
    if (repeats(board, p, c, rules.ko, history)) banned = banned | Layout::Bits::one(p);
  });
  return banned;
}

}  // namespace tengen
