#include "rules/clean_up.h"

#include "rules/check.h"
#include "rules/ko_shape.h"
#include "rules/neighbours.h"
#include "rules/rng.h"

namespace tengen {

std::uint64_t CleanUp::blocked_hash() const {
  constexpr std::uint64_t kStream = 0x626C6F636B;  // "block"
  std::uint64_t hash = 0;
  blocked_.for_each([&](int i) { hash ^= mix64(kStream, static_cast<std::uint64_t>(i)); });
  return hash;
}

int CleanUp::block_at(const Board& board, Point p, Color c) const {
  if (blocked_.is_empty()) return -1;
  const BoardSize size = board.size();
  const int i = size.index(p);
  if (blocked_.contains(i)) {
    const bool is_enemy = board.stones(opponent(c)).contains(i);
    return is_enemy && board.chain(p).count() == 1 && board.liberties(p) == 1 ? i : -1;
  }
  const auto taken = ko_capture(board, p, c);
  return taken && blocked_.contains(size.index(*taken)) ? size.index(*taken) : -1;
}

PointSet CleanUp::lifting_points(const Board& board, Color c) const {
  PointSet points;
  const BoardSize size = board.size();
  (blocked_ | (border(size, blocked_) & board.empty())).for_each([&](int i) {
    if (lifts_block(board, size.point(i), c)) points.insert(i);
  });
  return points;
}

void CleanUp::lift_block(const Board& board, Point p, Color c) {
  const int i = block_at(board, p, c);
  check(i >= 0, "a block that is there is lifted");
  blocked_.erase(i);
}

PointSet CleanUp::spent(const Board& board, Color c) const {
  PointSet points;
  for (const KoCapture& capture : captures_) {
    if (capture.color == c && capture.hash_before == board.hash()) {
      points.insert(board.size().index(capture.point));
    }
  }
  return points;
}

void CleanUp::note_ko_capture(std::uint64_t hash_before, Point p, Color c, BoardSize size) {
  blocked_.insert(size.index(p));
  captures_.push_back({hash_before, p, c});
}

}  // namespace tengen
