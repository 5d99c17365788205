#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rules/batch.h"
#include "rules/board_access.h"
#include "rules/chunks.h"
#include "rules/legality.h"

// How GameBatch keeps its games: for its sources only.
namespace tengen {

inline SuicideRule suicide_rule(const Rules& rules) {
  return {rules.multi_stone_suicide, rules.single_stone_suicide};
}

// What moves touch; the keys of earlier positions lie elsewhere.
template <int kPitch>
struct GameBatch::Game {
  static constexpr int kFilterWords = kPitch == 10 ? 8 : kPitch == 14 ? 16 : 32;
  static constexpr int kRecent = 8;

  explicit Game(BoardSize size) : board(size) {}
  explicit Game(const BoardState<kPitch>& start) : board(start) {}

  BoardState<kPitch> board;
  std::array<std::uint64_t, kFilterWords> filter{};
  std::int32_t ply = 0;
  std::int32_t key_count = 0;
  std::array<std::int16_t, kRecent> recent{};  // move n at n % kRecent: a point, or 0 for a pass
  std::int8_t to_move = 0;
  std::int8_t passes = 0;
};

struct GameBatch::Storage {
  struct Place {
    int pitch;              // 0: a Position
    int index;              // among the games of this pitch
    std::size_t first_key;  // in `keys`
    std::size_t key_room;   // 0 where nothing is kept
  };
  std::vector<Place> places;
  std::vector<Game<10>> small;
  std::vector<Game<14>> medium;
  std::vector<Game<20>> large;
  std::vector<Position> positions;  // of pitch 0
  std::vector<std::uint64_t> keys;
  Chunks chunks;

  explicit Storage(int threads) : chunks(threads) {}

  template <int kPitch>
  std::vector<Game<kPitch>>& games() {
    if constexpr (kPitch == 10) return small;
    if constexpr (kPitch == 14) return medium;
    if constexpr (kPitch == 20) return large;
  }

  template <int kPitch>
  Past past(const Game<kPitch>& game, const Place& place, const Rules& rules) const {
    if (place.key_room == 0) return {};
    return {game.filter.data(),
            Game<kPitch>::kFilterWords - 1,
            keys.data() + place.first_key,
            game.key_count,
            nullptr,
            white_to_move_key(rules.ko)};
  }
  template <int kPitch>
  void push_key(Game<kPitch>& game, const Place& place, const Rules& rules) {
    if (place.key_room == 0) return;
    const std::uint64_t key =
        game.board.hash ^ (game.to_move == 1 ? white_to_move_key(rules.ko) : 0);
    keys[place.first_key + game.key_count++] = key;
    game.filter[filter_word(key, Game<kPitch>::kFilterWords - 1)] |= filter_bits(key);
  }
  template <int kPitch>
  void begin(Game<kPitch>& game, const Place& place, const Rules& rules,
             const BoardState<kPitch>& board, Color to_move) {
    game = Game<kPitch>(board);
    game.to_move = static_cast<std::int8_t>(index_of(to_move));
    push_key(game, place, rules);
  }

  template <int kPitch>
  RandomLane lane(Game<kPitch>& game, const Place& place, const Rules& rules) {
    RandomLane lane;
    lane.state = &game.board;
    lane.past = past(game, place, rules);
    lane.filter = game.filter.data();
    lane.keys = keys.data() + place.first_key;
    lane.key_room = static_cast<int>(place.key_room);
    lane.suicide = suicide_rule(rules);
    lane.to_move = game.to_move;
    lane.passes = game.passes;
    lane.moves = game.ply;
    lane.recent = game.recent;
    return lane;
  }
  template <int kPitch>
  static void leave(Game<kPitch>& game, const RandomLane& lane) {
    game.key_count = lane.past.count;
    game.to_move = static_cast<std::int8_t>(lane.to_move);
    game.passes = static_cast<std::int8_t>(lane.passes);
    game.ply = lane.moves;
    game.recent = lane.recent;
  }
};

// Returns f(game, its place, the engine of its pitch).
template <class F>
decltype(auto) GameBatch::visit(int game, F f) const {
  Storage& s = *storage_;
  const auto& place = s.places[game];
  switch (place.pitch) {
    case 10:
      return f(s.small[place.index], place, engine().small);
    case 14:
      return f(s.medium[place.index], place, engine().medium);
    default:
      return f(s.large[place.index], place, engine().large);
  }
}

}  // namespace tengen
