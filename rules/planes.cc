#include "rules/planes.h"

#include <algorithm>
#include <span>

#include "rules/ladder.h"

namespace tengen {
namespace {

void add_stones(const Board& board, Color own, Planes& planes) {
  planes[kPlaneOwnStones] = board.stones(own);
  planes[kPlaneOpponentStones] = board.stones(opponent(own));
  planes[kPlaneOnBoard] = board.empty() | planes[kPlaneOwnStones] | planes[kPlaneOpponentStones];
  const auto by_liberties = board.stones_by_liberties();
  std::copy(by_liberties.begin(), by_liberties.end(), planes.begin() + kPlaneLiberties1);
}

// What counts at present as KataGo sees it, whatever the game's own rules do with dead stones: a
// net sees one meaning, and an exported one sees it in KataGo too. Under territory scoring nothing
// counts before clean-up phase 2.
std::array<PointSet, 2> counted_area(const Position& position) {
  Rules rules = position.rules();
  if (rules.scoring == Scoring::kTerritory) {
    return position.phase() < 2 ? std::array<PointSet, 2>() : position.score_sheet().owned;
  }
  if (rules.tax == Tax::kNone) {
    return area_pass_dead_removed(position.board(), rules.multi_stone_suicide);
  }
  rules.dead_stones = DeadStones::kPassDead;
  return count_score(position.board(), rules, position.play_count(), PointSet()).owned;
}

// Of earlier boards those are shown whose moves are; where one is missing the next stands for it.
void add_ladders(const Position& position, int shown, Planes& planes) {
  const auto past = position.past_boards();
  const std::size_t boards = std::min<std::size_t>(shown, past.size());
  const Ladders ladders =
      read_ladders(position.board(), position.to_move(), std::span(past).first(boards));
  std::copy(ladders.captured.begin(), ladders.captured.end(), planes.begin() + kPlaneLadders);
  planes[kPlaneLadderMoves] = ladders.working;
}

}  // namespace

int shown_moves(const Position& position) {
  const int limit = position.is_over() ? 1 : Position::kRecent;
  const int most = std::min(position.plies_in_phase(), limit);
  Color expected = opponent(position.to_move());
  int shown = 0;
  while (shown < most && position.recent(shown).color == expected) {
    ++shown;
    expected = opponent(expected);
  }
  return shown;
}

Planes input_planes(const Position& position, LadderPlanes ladders) {
  Planes planes;
  const Color own = position.to_move();
  add_stones(position.board(), own, planes);
  planes[kPlaneKoBanned] = position.ko_banned();
  const int shown = shown_moves(position);
  for (int back = 0; back < shown; ++back) {
    const Move move = position.recent(back).move;
    if (!move.is_pass()) planes[kPlaneMove1 + back].insert(position.size().index(move.point()));
  }
  if (ladders == LadderPlanes::kYes) add_ladders(position, shown, planes);
  const auto counted = counted_area(position);
  planes[kPlaneOwnArea] = counted[index_of(own)];
  planes[kPlaneOpponentArea] = counted[index_of(opponent(own))];
  if (position.phase() > 0) planes[kPlaneKoBlocked] = position.ko_blocked();
  if (position.phase() == 2) {
    planes[kPlaneOwnPhaseTwoStart] = position.phase_two_start(own);
    planes[kPlaneOpponentPhaseTwoStart] = position.phase_two_start(opponent(own));
  }
  return planes;
}

}  // namespace tengen
