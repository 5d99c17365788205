#include "peer/peer.h"

#include <memory>
#include <vector>

#include "peer/prototype.h"

namespace tengen::peer {
namespace {

template <int N>
using Board = Go2<N>;

template <int N>
void begin(Board<N>& board) {
  board.reset();
  board.to = 0;
  board.passes = 0;
}

template <int N>
void move(Board<N>& board, XRng& rng) {
  const int c = board.to;
  auto candidates = board.legalMask(c).andn(board.eyeMask(c));
  while (true) {
    const int p = Board<N>::pick(candidates, rng);
    if (p < 0 || !board.superko(p, c)) return board.play(p);
    candidates = candidates.andn(decltype(candidates)::one(p));
  }
}

template <int N>
void step(Board<N>& board, XRng& rng) {
  const int c = board.to;
  auto legal = board.legalMask(c);
  const auto retakes = legal & board.ever[c];
  for (int i = 0; i < decltype(legal)::W; ++i) {
    for (std::uint64_t w = retakes.word(i); w != 0; w &= w - 1) {
      const int p = 64 * i + __builtin_ctzll(w);
      if (board.superko(p, c)) legal = legal.andn(decltype(legal)::one(p));
    }
  }
  board.play(Board<N>::pick(legal.andn(board.eyeMask(c)), rng));
}

template <int N>
bool is_over(const Board<N>& board) {
  return board.passes >= 2 || board.nmoves >= 3 * N * N;
}

template <int N, class Move>
Played games_of(int games, Move move_of) {
  static const auto board = std::make_unique<Board<N>>();
  static XRng rng;
  Played played;
  for (; played.games < games; ++played.games) {
    begin(*board);
    while (!is_over(*board)) move_of(*board, rng);
    played.moves += board->nmoves;
  }
  return played;
}

template <int N>
Played turns_of(int games, int rounds) {
  static std::vector<Board<N>> boards;
  static XRng rng;
  if (std::ssize(boards) != games) {
    boards.resize(games);
    for (auto& board : boards) begin(board);
  }
  Played played;
  for (int round = 0; round < rounds; ++round) {
    for (auto& board : boards) {
      move(board, rng);
      ++played.moves;
      if (!is_over(board)) continue;
      ++played.games;
      begin(board);
    }
  }
  return played;
}

// Returns f of the size as a constant.
template <class F>
Played by_size(int size, F f) {
  if (size == 9) return f(std::integral_constant<int, 9>());
  if (size == 13) return f(std::integral_constant<int, 13>());
  return f(std::integral_constant<int, 19>());
}

}  // namespace

bool is_available() {
  return __builtin_cpu_supports("avx512vbmi2") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
         __builtin_cpu_supports("bmi2") != 0;
}

Played play_games(int size, int games) {
  return by_size(size, [&](auto n) {
    return games_of<n()>(games, [](auto& board, XRng& rng) { move(board, rng); });
  });
}

Played play_steps(int size, int games) {
  return by_size(size, [&](auto n) {
    return games_of<n()>(games, [](auto& board, XRng& rng) { step(board, rng); });
  });
}

Played play_in_turn(int size, int games, int rounds) {
  return by_size(size, [&](auto n) { return turns_of<n()>(games, rounds); });
}

}  // namespace tengen::peer
