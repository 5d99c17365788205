#include "rules/legality.h"

#include "rules/board_access.h"

namespace tengen {
namespace {

constexpr std::uint64_t kWhiteToMove = mix64(0x746F6D6F7665ULL);

SuicideRule suicide_rule(const Rules& rules) {
  return {rules.multi_stone_suicide, rules.single_stone_suicide};
}

}  // namespace

std::uint64_t white_to_move_key(Ko ko) {
  return ko == Ko::kSituational ? kWhiteToMove : 0;
}

std::uint64_t state_key(std::uint64_t board_hash, Color to_move, Ko ko) {
  return to_move == Color::kWhite ? board_hash ^ white_to_move_key(ko) : board_hash;
}

Past superko_past(const Rules& rules, const History& history) {
  if (rules.ko == Ko::kSimple) return {};
  Past past = history.past();
  past.white_to_move = white_to_move_key(rules.ko);
  return past;
}

bool is_legal(const Board& board, Point p, Color c, const Rules& rules, const History& history) {
  if (!board.size().contains(p)) return false;
  return BoardAccess::visit(
      board, [&]<int kPitch>(const BoardState<kPitch>& s, const PitchEngine<kPitch>& engine) {
        return engine.is_legal(s, Layout<kPitch>::point_of(p), index_of(c), suicide_rule(rules),
                               superko_past(rules, history));
      });
}

PointSet legal_points(const Board& board, Color c, const Rules& rules, const History& history) {
  return BoardAccess::visit(board, [&](const auto& s, const auto& engine) {
    return engine.legal(s, index_of(c), suicide_rule(rules), superko_past(rules, history));
  });
}

PointSet ko_banned(const Board& board, Color c, const Rules& rules, const History& history) {
  return BoardAccess::visit(board, [&](const auto& s, const auto& engine) {
    return engine.ko_banned(s, index_of(c), suicide_rule(rules), superko_past(rules, history));
  });
}

}  // namespace tengen
