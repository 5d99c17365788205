#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include "rules/engine.h"
#include "rules/ladder_reader.h"

namespace tengen::TENGEN_INSTRUCTION_SET {

// Ladders of a board and of those before it. A play changes few chains, so most answers of one
// board are those of the one before, too: a chain is read once and its answer carried back as far
// as nothing that the reading looked at is different.
template <int kPitch>
class LadderBoards {
 public:
  using Board = PitchBoard<kPitch>;
  using State = typename Board::State;
  using Words = typename Board::Words;
  using Bits = typename Board::Bits;
  using Reader = LadderReader<kPitch>;

  static void read(const State& now, const LadderInputs& in, LadderSets& out) {
    std::array<Bits, kLadderBoards> changed;   // between a board and the one before it
    std::array<Bits, kLadderBoards> open;      // stones whose chains have no answer yet
    std::array<Bits, kLadderBoards> captured;  // stones of chains that are
    Bits working;
    std::array<State, kLadderBoards> boards = {now, now, now};
    const int last = std::min(in.earlier_count, kLadderBoards - 1);
    open[0] = Board::stones(now, 0) | Board::stones(now, 1);
    for (int i = 0; i < last; ++i) {
      if (i > 0) boards[i + 1] = boards[i];
      open[i + 1] = changed[i] = rewind(boards[i + 1], in.earlier[i]);
    }
    for (int i = 0; i <= last; ++i) {
      Reader reader(boards[i]);
      for_each_weak_chain(
          boards[i], open[i], [&](const Bits& chain, const Bits& liberties, int n, int c) {
            const bool shows_moves = i == 0 && c != in.to_move;
            const auto answer = n == 1 ? reader.read_in_atari(chain, c)
                                       : reader.read_attack(chain, liberties, c, shows_moves);
            if (shows_moves) working = working | answer.working;
            int j = i;
            for (;; ++j) {
              if (answer.is_captured) captured[j] = captured[j] | chain;
              if (j == last || (answer.seen & changed[j]).any()) break;
            }
            if (j < last) open[j + 1] = open[j + 1] | chain;
          });
    }
    for (int i = 0; i < kLadderBoards; ++i) {
      out.captured[i] = i <= last ? Board::to_set(now, captured[i]) : out.captured[last];
    }
    out.working = Board::to_set(now, working);
  }

 private:
  // Calls visit(chain, liberties, how many, colour) for the chains in `open` that have one or two.
  template <class Visit>
  static void for_each_weak_chain(const State& s, const Bits& open, Visit visit) {
    constexpr int kMaxPseudo = 4 * 2;
    const Bits free = Board::empty(s);
    for (int c = 0; c < 2; ++c) {
      for_each_bit(Board::stones(s, c) & open, [&](int p) {
        if (s.root[p] != p || Board::pseudo_liberties(s, p) > kMaxPseudo) return;
        const Bits chain = Board::chain(s, p);
        const Bits liberties = Board::dilate(chain) & free;
        const int n = count_bits(liberties);
        if (n <= 2) visit(chain, liberties, n, c);
      });
    }
  }

  // Makes of a board an earlier one (hash, `ever` and `last` are lost). Returns the points that
  // differ and the chains at or beside them on either board; also the kos.
  static Bits rewind(State& s, const PastBoard& past) {
    Bits changed = Bits::one(s.ko) | Bits::one(past.ko);  // no ko is bit 0, which is no point
    s.ko = past.ko;
    std::array<Bits, 2> stones;
    for (int c = 0; c < 2; ++c) {
      Words words;
      std::memcpy(&words, &past.stones[c], sizeof words);
      stones[c] = Bits::load(words);
    }
    const Bits now = Board::stones(s, 0) | Board::stones(s, 1);
    const Bits then = stones[0] | stones[1];
    const Bits points = now.without(then) | then.without(now);
    if (!points.any()) return changed;
    Bits affected = points;
    for_each_bit((points | Board::dilate(points)) & now, [&](int p) {
      if (s.root[p] == 0) return;  // its chain is off already
      affected = affected | Bits::from_words(Reader::Roots::take(s.root.data(), s.root[p]));
    });
    Bits::load(s.atari).without(affected).store(s.atari);
    for (int c = 0; c < 2; ++c) stones[c].store(s.stones[c]);
    const Words free = Board::empty(s).words();
    for (int c = 0; c < 2; ++c) {
      for_each_bit(affected & stones[c], [&](int p) {
        if (s.root[p] == 0) Board::found_chain(s, p, c, free);
      });
    }
    return changed | affected;
  }
};

}  // namespace tengen::TENGEN_INSTRUCTION_SET
