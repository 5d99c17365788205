#include "rules/ko_shape.h"

#include "rules/neighbours.h"

namespace tengen {

std::optional<Point> ko_capture(const Board& board, Point p, Color c) {
  if (board.stone_at(p) != Stone::kEmpty) return std::nullopt;
  const Stone enemy = c == Color::kBlack ? Stone::kWhite : Stone::kBlack;
  std::optional<Point> taken;
  bool is_ko = true;
  for_each_neighbour(board.size(), p, [&](Point q) {
    if (board.stone_at(q) != enemy) {
      is_ko = false;
    } else if (board.liberties(q) == 1) {
      is_ko = is_ko && !taken;
      taken = q;
    }
  });
  if (!is_ko || !taken || board.chain(*taken).count() != 1) return std::nullopt;
  return taken;
}

PointSet ko_captures(const Board& board, Color c) {
  PointSet found;
  const BoardSize size = board.size();
  const PointSet in_atari = board.stones_by_liberties()[0] & board.stones(opponent(c));
  (border(size, in_atari) & board.empty()).for_each([&](int i) {
    if (ko_capture(board, size.point(i), c)) found.insert(i);
  });
  return found;
}

}  // namespace tengen
