#include "rules/legality.h"

#include "rules/board_layout.h"
#include "rules/superko.h"

namespace tengen {
namespace {

// Legal but for superko.
template <class Layout>
auto board_legal(const Layout& b, Color c, const Rules& rules) {
  return b.legal(index_of(c), rules.multi_stone_suicide, rules.single_stone_suicide);
}

}  // namespace

std::uint64_t state_key(std::uint64_t board_hash, Color to_move, Ko ko) {
  return state_key(board_hash, index_of(to_move), ko);
}

bool is_legal(const Board& board, Point p, Color c, const Rules& rules, const History& history) {
  if (!board.size().contains(p)) return false;
  return BoardLayout::visit(board, [&](const auto& b) {
    const int point = b.point_of(p);
    return board_legal(b, c, rules).has(point) &&
           !is_repetition(b, point, index_of(c), rules, history);
  });
}

PointSet legal_points(const Board& board, Color c, const Rules& rules, const History& history) {
  return BoardLayout::visit(board, [&](const auto& b) {
    const auto legal = board_legal(b, c, rules);
    return b.to_set(legal.without(repetitions(b, legal, index_of(c), rules, history)));
  });
}

PointSet ko_banned(const Board& board, Color c, const Rules& rules, const History& history) {
  return BoardLayout::visit(board, [&](const auto& b) {
    const auto legal = board_legal(b, c, rules);
    const auto simple = b.ko(index_of(c)) & b.playable(index_of(c), rules.multi_stone_suicide,
                                                       rules.single_stone_suicide);
    return b.to_set(simple | repetitions(b, legal, index_of(c), rules, history));
  });
}

}  // namespace tengen
