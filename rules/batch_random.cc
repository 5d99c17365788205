#include <algorithm>

#include "rules/batch_storage.h"
#include "rules/check.h"
#include "rules/playout.h"

// The random moves of GameBatch.
namespace tengen {

template <int kPitch>
void GameBatch::play_random_chunk(int begin, int end, int moves) {
  Storage& s = *storage_;
  const PitchEngine<kPitch>& functions = engine().at<kPitch>();
  // Two lanes; whichever ends makes way for the next game of this pitch.
  std::array<RandomLane, 2> lanes;
  std::array<Game<kPitch>*, 2> games{};
  int next = begin;
  const auto fill = [&](int i) {
    games[i] = nullptr;
    for (; next < end; ++next) {
      prefetch(next + kAhead);
      const auto& place = s.places[next];
      if (place.pitch != kPitch || is_done(next)) continue;
      games[i] = &s.games<kPitch>()[place.index];
      lanes[i] = s.lane(*games[i], place, rules_[next]);
      lanes[i].rng = &rngs_[next];
      lanes[i].max_moves = std::min(max_moves_[next], games[i]->ply + moves);
      ++next;
      return;
    }
  };
  fill(0);
  fill(1);
  while (games[0] != nullptr && games[1] != nullptr) {
    functions.random_moves_of_two(lanes[0], lanes[1]);
    for (int i = 0; i < 2; ++i) {
      if (!lanes[i].must_stop()) continue;
      Storage::leave(*games[i], lanes[i]);
      fill(i);
    }
  }
  for (int i = 0; i < 2; ++i) {
    if (games[i] == nullptr) continue;
    functions.random_moves(lanes[i]);
    Storage::leave(*games[i], lanes[i]);
  }
}

void GameBatch::play_random(int moves) {
  auto job = [&](int begin, int end) {
    for (int i = begin; i < end && !storage_->positions.empty(); ++i) {
      Position* const p = position_of(i);
      if (p == nullptr || is_done(i)) continue;
      play_random_game(*p, rngs_[i], std::min(moves, max_moves_[i] - p->ply()));
    }
    if (!storage_->small.empty()) play_random_chunk<10>(begin, end, moves);
    if (!storage_->medium.empty()) play_random_chunk<14>(begin, end, moves);
    if (!storage_->large.empty()) play_random_chunk<20>(begin, end, moves);
  };
  storage_->chunks.run(size(), job);
}

template <int kPitch>
void GameBatch::step_chunk(int begin, int end, std::span<PointSet> legal) {
  Storage& s = *storage_;
  const PitchEngine<kPitch>& functions = engine().at<kPitch>();
  std::array<RandomLane, 2> lanes;
  std::array<int, 2> waiting{};  // games in the lanes
  int filled = 0;
  for (int i = begin; i < end; ++i) {
    prefetch(i + kAhead);
    const auto& place = s.places[i];
    if (place.pitch != kPitch || is_done(i)) continue;
    lanes[filled] = s.lane(s.games<kPitch>()[place.index], place, rules_[i]);
    lanes[filled].rng = &rngs_[i];
    waiting[filled++] = i;
    if (filled < 2) continue;
    functions.random_step_of_two(lanes[0], lanes[1], legal[waiting[0]], legal[waiting[1]]);
    for (filled = 2; filled > 0; --filled) {
      const int game = waiting[filled - 1];
      Storage::leave(s.games<kPitch>()[s.places[game].index], lanes[filled - 1]);
    }
  }
  if (filled == 1) {
    functions.random_step(lanes[0], legal[waiting[0]]);
    Storage::leave(s.games<kPitch>()[s.places[waiting[0]].index], lanes[0]);
  }
}

void GameBatch::step_random(std::span<PointSet> legal) {
  check(std::ssize(legal) == size(), "one entry a game");
  auto job = [&](int begin, int end) {
    std::fill(legal.begin() + begin, legal.begin() + end, PointSet());
    for (int i = begin; i < end && !storage_->positions.empty(); ++i) {
      Position* const p = position_of(i);
      if (p == nullptr || is_done(i)) continue;
      legal[i] = p->legal_points();
      p->play(random_move(*p, rngs_[i]));
    }
    if (!storage_->small.empty()) step_chunk<10>(begin, end, legal);
    if (!storage_->medium.empty()) step_chunk<14>(begin, end, legal);
    if (!storage_->large.empty()) step_chunk<20>(begin, end, legal);
  };
  storage_->chunks.run(size(), job);
}

void GameBatch::random_moves(std::span<MoveIndex> moves) {
  check(std::ssize(moves) == size(), "one entry a game");
  auto job = [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      if (is_done(i)) {
        moves[i] = kNoMove;
        continue;
      }
      if (const Position* p = position_of(i)) {
        const Move move = random_move(*p, rngs_[i]);
        const BoardSize size = rules_[i].size;
        moves[i] = static_cast<MoveIndex>(move.is_pass() ? size.area() : size.index(move.point()));
        continue;
      }
      visit(i, [&]<int kPitch>(Game<kPitch>& g, const Storage::Place& place,
                               const PitchEngine<kPitch>& engine) {
        const int p = engine.random_move(storage_->lane(g, place, rules_[i]), rngs_[i]);
        const BoardSize size = rules_[i].size;
        moves[i] =
            static_cast<MoveIndex>(p == 0 ? size.area() : size.index(Layout<kPitch>::to_point(p)));
      });
    }
  };
  storage_->chunks.run(size(), job);
}

}  // namespace tengen
