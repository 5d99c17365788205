#pragma once

#include <array>
#include <cstdint>

#include "rules/bitboard.h"
#include "rules/board_state.h"
#include "rules/chain_roots.h"
#include "rules/past.h"
#include "rules/point_set.h"

namespace tengen::TENGEN_INSTRUCTION_SET {

struct Suicide {
  bool multi_stone = false;
  bool single_stone = false;
  bool is_allowed() const { return multi_stone || single_stone; }
};

// The board proper: what can be asked of a BoardState and done to it. Functions take the state, so
// that several games can be played in turn, their waits overlapping (RandomMoves).
//
// `atari` is kept so that the exact legal moves are one dilation, see unsuicidal(). Every change of
// it lies around one point.
template <int kPitchValue>
class PitchBoard {
 public:
  static constexpr int kPitch = kPitchValue;
  using L = Layout<kPitch>;
  using State = BoardState<kPitch>;
  using Words = typename L::Words;
  using Bits = BitsFor<L::kWords>;
  using Roots = ChainRoots<kPitch>;

  static Bits on_board(const State& s) { return Bits::load(s.shape->on); }
  static Bits stones(const State& s, int c) { return Bits::load(s.stones[c]); }
  static Bits ever(const State& s, int c) { return Bits::load(s.ever[c]); }
  static Bits empty(const State& s) { return on_board(s).without(stones(s, 0) | stones(s, 1)); }
  static bool has(const Words& words, int p) { return ((words[p >> 6] >> (p & 63)) & 1) != 0; }

  static Bits dilate(const Bits& b) {
    return (b.template up<1>() | b.template down<1>()) |
           (b.template up<kPitch>() | b.template down<kPitch>());
  }
  // All points of `within` that connect to `from` through `within`, and `from`.
  static Bits spread(Bits from, const Bits& within) {
    while (true) {
      const Bits next = from | (dilate(from) & within);
      if (next == from) return from;
      from = next;
    }
  }

  // Empty points where a stone of `c` has a liberty afterwards: beside an empty point, an own chain
  // not in atari or an enemy chain in atari. Stones of a chain in atari that do not touch its
  // liberty touch no empty point at all, so they need no mark.
  static Bits unsuicidal(const State& s, int c) {
    const Bits e = empty(s);
    const Bits atari = Bits::load(s.atari);
    return e & dilate(e | stones(s, c).without(atari) | (stones(s, c ^ 1) & atari));
  }
  // Legal but for the ko.
  static Bits playable(const State& s, int c, Suicide suicide) {
    Bits result = unsuicidal(s, c);
    if (suicide.is_allowed()) [[unlikely]] {
      const Bits joins = dilate(stones(s, c));
      if (suicide.multi_stone) result = result | (empty(s) & joins);
      if (suicide.single_stone) result = result | empty(s).without(joins);
    }
    return result;
  }
  // The ko point if it is closed to `c`. Bit 0 is never a point.
  static Bits ko(const State& s, int c) {
    return Bits::one(s.ko & opaque(-static_cast<int>(s.ko_color == c)));
  }
  static Bits legal(const State& s, int c, Suicide suicide) {
    return playable(s, c, suicide).without(ko(s, c));
  }
  // What a random player does not see as an own eye: a point with an enemy stone or an empty point
  // beside it, or enough enemy diagonals to break it.
  static Bits no_single_point_eyes(const State& s, int c) {
    const Bits enemy = stones(s, c ^ 1);
    const Bits a = enemy.template up<kPitch + 1>();
    const Bits b = enemy.template up<kPitch - 1>();
    const Bits x = enemy.template down<kPitch + 1>();
    const Bits y = enemy.template down<kPitch - 1>();
    const Bits above = a | b;
    const Bits below = x | y;
    const Bits two = (a & b) | (x & y) | (above & below);
    return dilate(empty(s) | enemy) | two | ((above | below) & Bits::load(s.shape->edge));
  }

  // A play in two steps. place() does what every play needs, without a branch; settle() does what
  // only some plays need: joins chains, marks chains in atari, takes stones off. Between them
  // another game's place() may run. Together they return the number of stones captured.
  struct Placed {
    unsigned own;         // which neighbours are own stones; bits in the order of neighbours()
    unsigned to_join;     // which of them belong to further chains
    unsigned threatened;  // which are stones of enemy chains with one liberty or none
    int root;             // of the chain of the new stone
  };
  [[gnu::always_inline]] static inline Placed place(State& s, int p, int c);
  [[gnu::always_inline]] static inline int settle(State& s, int p, int c, Placed placed);
  static int play(State& s, int p, int c) { return settle(s, p, c, place(s, p, c)); }

  // Replaces the stones. False, with the board unusable, if a chain has no liberty.
  static bool set_up(State& s, const Bits& black, const Bits& white);

  static std::uint64_t hash_after(const State& s, int p, int c);
  static Bits chain(const State& s, int root) {
    return Bits::from_words(Roots::points_of(s.root.data(), root));
  }
  // At most this many liberties, without looking: each counts for one to four stones.
  static int pseudo_liberties(const State& s, int root) {
    return static_cast<int>(s.record[root] >> 52);
  }

  // Whether superko forbids a play that is otherwise legal, and the points in `candidates` where it
  // does. Only a point that held the colour before can bring a state back, or a suicide: after any
  // other play the board has a stone it never had.
  static bool is_repetition(const State& s, int p, int c, Suicide suicide, const Past& past) {
    if (!past.is_kept()) return false;
    const std::uint64_t key = s.hash ^ kPitchTables<kPitch>.zobrist[c][p] ^ side(past, c ^ 1);
    const unsigned captures = cross(s.stones[c ^ 1], p) & cross(s.atari, p);
    const auto suspect = opaque(
        static_cast<unsigned>(has(s.ever[c], p)) &
        (static_cast<unsigned>(captures != 0) | static_cast<unsigned>(filter_hit(past, key))));
    if (suspect == 0 && !suicide.is_allowed()) [[likely]]
      return false;
    return is_suspect_repetition(s, p, c, suicide, past);
  }
  static Bits repetitions(const State& s, const Bits& candidates, int c, Suicide suicide,
                          const Past& past);

  // Row-major sets without guards, and back: the order of the points is the same.
  static PointSet to_set(const State& s, const Bits& bits);
  static Bits from_set(const State& s, const PointSet& set);

  static std::uint64_t side(const Past& past, int to_move) {
    return past.white_to_move & -static_cast<std::uint64_t>(to_move);
  }
  static std::uint64_t filter_hit(const Past& past, std::uint64_t key) {  // 0 or 1
    const std::uint64_t word = past.filter[filter_word(key, past.filter_mask)];
    return (word >> (key & 63)) & (word >> ((key >> 6) & 63)) & 1;
  }

 private:
  static constexpr std::array<int, 4> neighbours(int p) {
    return {p - kPitch, p - 1, p + 1, p + kPitch};
  }
  // From a point to its neighbours, and to itself.
  static constexpr std::array<int, 5> kSteps = {-kPitch, -1, 1, kPitch, 0};
  static constexpr std::uint64_t kCross =
      1ULL | 1ULL << (kPitch - 1) | 1ULL << (kPitch + 1) | 1ULL << (2 * kPitch);

  // Four bits in the order of neighbours(), from and to a window that begins kPitch before a point.
  static unsigned from_cross(std::uint64_t window) {
    if constexpr (kHasPack) {
      return static_cast<unsigned>(pack_bits(window, kCross));
    } else {
      return static_cast<unsigned>((window & 1) | ((window >> (kPitch - 1)) & 1) << 1 |
                                   ((window >> (kPitch + 1)) & 1) << 2 |
                                   ((window >> (2 * kPitch)) & 1) << 3);
    }
  }
  static std::uint64_t to_cross(unsigned bits) {
    if constexpr (kHasPack) {
      return unpack_bits(bits, kCross);
    } else {
      const std::uint64_t b = bits;
      return (b & 1) | ((b >> 1) & 1) << (kPitch - 1) | ((b >> 2) & 1) << (kPitch + 1) |
             ((b >> 3) & 1) << (2 * kPitch);
    }
  }
  // Which of the four neighbours of p are in the set.
  static unsigned cross(const Words& words, int p) {
    const int first = p - kPitch;
    int byte = first >> 3;
    if constexpr (L::kWords == 2) byte = byte < 8 ? byte : 8;  // the load ends within the set
    std::uint64_t window;
    std::memcpy(&window, reinterpret_cast<const char*>(words.data()) + byte, sizeof window);
    return from_cross(window >> (first - 8 * byte));
  }

  // One liberty at most: exact for any chain, also true without any.
  static bool has_one_liberty(std::uint64_t record) {
    const std::uint64_t n = record >> 52;
    const std::uint64_t sum = (record >> 32) & 0xFFFFF;
    const std::uint64_t squares = record & 0xFFFFFFFF;
    return n * squares == sum * sum;
  }
  // The same of four records at once, one bit each.
  static unsigned have_one_liberty(const std::array<std::uint64_t, 4>& records) {
#ifdef __AVX2__
    const auto at = [&](int i) { return static_cast<long long>(records[i]); };
    const __m256i r = _mm256_set_epi64x(at(3), at(2), at(1), at(0));
    const __m256i n = _mm256_srli_epi64(r, 52);
    const __m256i sum = _mm256_and_si256(_mm256_srli_epi64(r, 32), _mm256_set1_epi64x(0xFFFFF));
    const __m256i one = _mm256_cmpeq_epi64(_mm256_mul_epu32(n, r), _mm256_mul_epu32(sum, sum));
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(one)));
#else
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) {
      result |= static_cast<unsigned>(has_one_liberty(records[i])) << i;
    }
    return result;
#endif
  }
  static int only_liberty(std::uint64_t record) {  // the sum divided by 1 ... 4
    constexpr std::array<std::uint32_t, 8> kReciprocal = {0, 65536, 32768, 21846, 16384};
    const auto sum = static_cast<std::uint32_t>((record >> 32) & 0xFFFFF);
    return static_cast<int>((sum * kReciprocal[(record >> 52) & 7]) >> 16);
  }
  // The record of a lone stone at p whose liberties are the neighbours in `free`. A neighbour at a
  // distance d adds 1, p + d and p^2 + 2 p d + d^2.
  static std::uint64_t record_of(int p, unsigned free) {
    struct Sums {
      std::array<std::uint64_t, 16> count{};
      std::array<std::uint64_t, 16> steps{};
      std::array<std::uint64_t, 16> twice{};
      constexpr Sums() {
        for (unsigned set = 0; set < 16; ++set) {
          for (unsigned i = 0; i < 4; ++i) {
            if ((set >> i & 1) == 0) continue;
            const auto d = static_cast<std::uint64_t>(static_cast<std::int64_t>(kSteps[i]));
            count[set] += 1;
            steps[set] += (d << 32) + d * d;
            twice[set] += 2 * d;
          }
        }
      }
    };
    static constexpr Sums kSums;
    return kSums.count[free] * kPitchTables<kPitch>.unit[p] + kSums.steps[free] +
           kSums.twice[free] * static_cast<std::uint64_t>(p);
  }

  // Marks the stones of the chain `root` around its only liberty.
  static void mark_atari(State& s, int liberty, int root) {
    const auto near = neighbours(liberty);
    unsigned mine = 0;
    for (int i = 0; i < 4; ++i) mine |= static_cast<unsigned>(s.root[near[i]] == root) << i;
    (Bits::load(s.atari) | Bits::window(to_cross(mine), liberty - kPitch)).store(s.atari);
  }
  static int remove_chain(State& s, int root, int c, int played, int played_root);
  static void unmark_freed(State& s, int c);
  static bool is_suspect_repetition(const State& s, int p, int c, Suicide suicide,
                                    const Past& past);
  static std::uint64_t hash_of_chains(const State& s, int p, unsigned at, int c);
  static bool is_in(const Past& past, std::uint64_t key);
};

template <int kPitch>
bool PitchBoard<kPitch>::set_up(State& s, const Bits& black, const Bits& white) {
  const auto& tables = kPitchTables<kPitch>;
  s = State(s.shape->size);
  black.store(s.stones[0]);
  white.store(s.stones[1]);
  s.ever = s.stones;
  const Words free = empty(s).words();
  bool alive = true;
  for (int c = 0; c < 2; ++c) {
    for_each_bit(stones(s, c), [&](int start) {
      if (s.root[start] != 0) return;
      std::uint64_t record = 0;
      for_each_bit(spread(Bits::one(start), stones(s, c)), [&](int p) {
        s.root[p] = static_cast<typename L::Root>(start);
        s.hash ^= tables.zobrist[c][p];
        for (const int q : neighbours(p)) record += has(free, q) ? tables.unit[q] : 0;
      });
      s.record[start] = record;
      alive = alive && record != 0;
      if (has_one_liberty(record) && record != 0) mark_atari(s, only_liberty(record), start);
    });
  }
  return alive;
}

template <int kPitch>
[[gnu::always_inline]] auto PitchBoard<kPitch>::place(State& s, int p, int c) -> Placed {
  const auto& tables = kPitchTables<kPitch>;
  const unsigned own = cross(s.stones[c], p);
  const unsigned enemy = cross(s.stones[c ^ 1], p);
  const unsigned free = cross(s.shape->on, p) & ~(own | enemy);
  const auto near = neighbours(p);
  const std::uint64_t unit = tables.unit[p];
  std::array<std::uint64_t, 4> records;
  for (int i = 0; i < 4; ++i) {  // one after the other: two may be of the same chain
    std::uint64_t& record = s.record[s.root[near[i]]];  // the dummy takes what is no chain
    records[i] = record -= unit;
  }
  const unsigned threatened = have_one_liberty(records) & enemy;
  s.hash ^= tables.zobrist[c][p];
  const Bits bit = Bits::one(p);
  (Bits::load(s.stones[c]) | bit).store(s.stones[c]);
  s.last = static_cast<std::int16_t>(p);
  s.ever_before = s.ever[c][p >> 6];
  (Bits::load(s.ever[c]) | bit).store(s.ever[c]);
  // An own chain in atari beside p had p as its liberty and is joined; an enemy one is captured.
  Bits::load(s.atari).without(Bits::window(kCross, p - kPitch)).store(s.atari);

  // The root of the first own neighbour, or p: as p is empty, its own root is still 0.
  int root = s.root[p + kSteps[std::countr_zero(own | 16U)]];
  root |= p & opaque(-static_cast<int>(own == 0));
  s.record[p] = 0;
  s.record[root] += record_of(p, free);
  unsigned others = 0;
  for (int i = 0; i < 4; ++i) others |= static_cast<unsigned>(s.root[near[i]] != root) << i;
  return {own, own & opaque(others), threatened, root};
}

template <int kPitch>
[[gnu::always_inline]] inline int PitchBoard<kPitch>::settle(State& s, int p, int c,
                                                             Placed placed) {
  const int root = placed.root;
  for (unsigned left = placed.to_join; left != 0; left &= left - 1) {
    const int other = s.root[p + kSteps[std::countr_zero(left)]];
    if (other == root) continue;  // a chain that touches p twice, already joined
    Roots::replace(s.root.data(), other, root);
    s.record[root] += s.record[other];
  }
  int captured = 0;
  int last_captured = 0;
  for (unsigned left = placed.threatened; left != 0; left &= left - 1) {
    const int q = p + kSteps[std::countr_zero(left)];
    const int enemy = s.root[q];
    if (enemy == 0) continue;  // a chain that touches p twice, already gone
    const std::uint64_t record = s.record[enemy];
    if (record >> 52 != 0) {
      mark_atari(s, only_liberty(record), enemy);
    } else {
      last_captured = q;
      captured += remove_chain(s, enemy, c ^ 1, p, root);
    }
  }
  s.root[p] = static_cast<typename L::Root>(root);
  s.ko = 0;
  const std::uint64_t record = s.record[root];
  if (has_one_liberty(record)) {
    if (record >> 52 == 0) [[unlikely]] {
      remove_chain(s, root, c, 0, 0);  // suicide
    } else {
      mark_atari(s, only_liberty(record), root);
      if (captured == 1 && placed.own == 0) {
        s.ko = static_cast<std::int16_t>(last_captured);
        s.ko_color = static_cast<std::int8_t>(c ^ 1);
      }
    }
  }
  return captured;
}

// Takes the chain `root` of colour `c` off and gives its points to the neighbours as liberties.
// Returns the number of stones. The root of the point just played is set here only, after all roots
// were read at once: a read that spans a write just made waits for it.
template <int kPitch>
[[gnu::noinline]] int PitchBoard<kPitch>::remove_chain(State& s, int root, int c, int played,
                                                       int played_root) {
  const auto& tables = kPitchTables<kPitch>;
  const Words gone = Roots::take(s.root.data(), root);
  Bits::load(s.stones[c]).without(Bits::from_words(gone)).store(s.stones[c]);
  s.root[played] = static_cast<typename L::Root>(played_root);
  int n = 0;
  unsigned freed = 0;
  std::uint64_t hash = s.hash;
  for (int i = 0; i < L::kWords; ++i) {
    for (std::uint64_t w = gone[i]; w != 0; w &= w - 1) {
      const int p = 64 * i + std::countr_zero(w);
      hash ^= tables.zobrist[c][p];
      std::array<std::uint64_t, 4> before;
      const auto near = neighbours(p);
      for (int j = 0; j < 4; ++j) {
        std::uint64_t& record = s.record[s.root[near[j]]];
        before[j] = record;
        record += tables.unit[p];
      }
      freed |= have_one_liberty(before);
      ++n;
    }
  }
  s.hash = hash;
  if (freed != 0) unmark_freed(s, c ^ 1);
  return n;
}

// Some chains of `c` in atari may have gained a liberty.
template <int kPitch>
void PitchBoard<kPitch>::unmark_freed(State& s, int c) {
  const Words marked = (Bits::load(s.atari) & stones(s, c)).words();
  Words unmarked{};
  for (int i = 0; i < L::kWords; ++i) {
    for (std::uint64_t w = marked[i]; w != 0; w &= w - 1) {
      const int p = 64 * i + std::countr_zero(w);
      if (!has_one_liberty(s.record[s.root[p]])) unmarked[i] |= w & -w;
    }
  }
  Bits::load(s.atari).without(Bits::from_words(unmarked)).store(s.atari);
}

// What the hash loses with the chains at those neighbours of p that are in `at`, all of colour `c`,
// each once.
template <int kPitch>
std::uint64_t PitchBoard<kPitch>::hash_of_chains(const State& s, int p, unsigned at, int c) {
  const auto& keys = kPitchTables<kPitch>.zobrist[c];
  std::uint64_t result = 0;
  while (at != 0) {
    const int q = p + kSteps[std::countr_zero(at)];
    const int root = s.root[q];
    if (cross(s.stones[c], q) == 0) {  // a lone stone, as most are
      result ^= keys[q];
    } else {
      for_each_bit(chain(s, root), [&](int stone) { result ^= keys[stone]; });
    }
    for (unsigned rest = at; rest != 0; rest &= rest - 1) {
      if (s.root[p + kSteps[std::countr_zero(rest)]] == root) at &= ~(rest & -rest);
    }
  }
  return result;
}

template <int kPitch>
std::uint64_t PitchBoard<kPitch>::hash_after(const State& s, int p, int c) {
  const unsigned own = cross(s.stones[c], p);
  const unsigned enemy = cross(s.stones[c ^ 1], p);
  const std::uint64_t result = s.hash ^ kPitchTables<kPitch>.zobrist[c][p];
  const unsigned captured = enemy & cross(s.atari, p);
  if (captured != 0) return result ^ hash_of_chains(s, p, captured, c ^ 1);
  if (cross(s.shape->on, p) != (own | enemy) || (own & ~cross(s.atari, p)) != 0) return result;
  return s.hash ^ hash_of_chains(s, p, own, c);  // suicide
}

// All keys of a run are compared: an early end saves less than a loop without one gains.
inline bool holds(const std::uint64_t* keys, int count, std::uint64_t key) {
  std::uint64_t found = 0;
  for (int i = 0; i < count; ++i) found |= static_cast<std::uint64_t>(keys[i] == key);
  return found != 0;
}

template <int kPitch>
bool PitchBoard<kPitch>::is_in(const Past& past, std::uint64_t key) {
  if (filter_hit(past, key) == 0) return false;
  if (holds(past.keys, past.count, key)) return true;
  for (const PastBlock* block = past.older; block != nullptr; block = block->older) {
    if (holds(block->keys.data(), PastBlock::kKeys, key)) return true;
  }
  return false;
}

template <int kPitch>
bool PitchBoard<kPitch>::is_suspect_repetition(const State& s, int p, int c, Suicide suicide,
                                               const Past& past) {
  if (!has(s.ever[c], p) && !(suicide.is_allowed() && !has(unsuicidal(s, c).words(), p))) {
    return false;
  }
  return is_in(past, hash_after(s, p, c) ^ side(past, c ^ 1));
}

template <int kPitch>
auto PitchBoard<kPitch>::repetitions(const State& s, const Bits& candidates, int c, Suicide suicide,
                                     const Past& past) -> Bits {
  Bits banned;
  if (!past.is_kept()) return banned;
  const auto test = [&](int p, std::uint64_t key) {
    if (is_in(past, key ^ side(past, c ^ 1))) [[unlikely]]
      banned = banned | Bits::one(p);
  };
  const Bits retakes = candidates & ever(s, c);
  if (suicide.is_allowed()) [[unlikely]] {
    const Bits suicides = candidates.without(unsuicidal(s, c));
    for_each_bit(retakes | suicides, [&](int p) { test(p, hash_after(s, p, c)); });
    return banned;
  }
  // No earlier board had the stone played last if its colour never stood there before, and without
  // suicide it is still there. So only a play that captures it can bring one back.
  if (const int p = s.last; ((s.ever_before >> (p & 63)) & 1) == 0) {
    const std::uint64_t record = s.record[s.root[p]];
    const int liberty = only_liberty(record);
    if (has_one_liberty(record) && has(retakes.words(), liberty) && has(s.stones[c ^ 1], p))
      test(liberty, hash_after(s, liberty, c));
    return banned;
  }
  if (!retakes.any()) return banned;
  // A play that captures nothing changes the hash by its own stone.
  const Bits captures = dilate(stones(s, c ^ 1) & Bits::load(s.atari));
  const auto& keys = kPitchTables<kPitch>.zobrist[c];
  const std::uint64_t base = s.hash ^ side(past, c ^ 1);
  for_each_bit(retakes.without(captures), [&](int p) {
    if (filter_hit(past, base ^ keys[p]) != 0) test(p, s.hash ^ keys[p]);
  });
  for_each_bit(retakes & captures, [&](int p) { test(p, hash_after(s, p, c)); });
  return banned;
}

template <int kPitch>
PointSet PitchBoard<kPitch>::to_set(const State& s, const Bits& bits) {
  PointSet result;
  auto& to = result.words();
  const Words from = bits.words();
  [[maybe_unused]] const BoardSize size = s.shape->size;
  std::uint64_t filling = 0;  // the word of `to` that is not full yet
  int word = 0;
  int filled = 0;
  const auto append = [&](std::uint64_t packed, int n) {
    filling |= packed << filled;
    filled += n;
    if (filled < 64) return;
    to[word++] = filling;
    filled -= 64;
    filling = filled == 0 ? 0 : packed >> (n - filled);
  };
  if constexpr (kHasPack) {
    for (int i = 0; i < L::kWords; ++i) {
      const std::uint64_t mask = s.shape->on[i];
      append(pack_bits(from[i], mask), std::popcount(mask));
    }
  } else {
    const std::uint64_t row_mask = (1ULL << size.width) - 1;
    for (int row = 0; row < size.height; ++row) {
      const int first = L::point_at(row, 0);
      std::uint64_t w = from[first >> 6] >> (first & 63);
      if ((first >> 6) + 1 < L::kWords) w |= (from[(first >> 6) + 1] << 1) << (63 - (first & 63));
      append(w & row_mask, size.width);
    }
  }
  if (filled != 0) to[word] = filling;
  return result;
}

template <int kPitch>
auto PitchBoard<kPitch>::from_set(const State& s, const PointSet& set) -> Bits {
  const auto& words = set.words();
  Words result{};
  int at = 0;
  for (int i = 0; i < L::kWords && at < s.shape->size.area(); ++i) {
    const std::uint64_t mask = s.shape->on[i];
    const int shift = at & 63;
    std::uint64_t next = words[at >> 6] >> shift;
    if (shift != 0 && (at >> 6) + 1 < PointSet::kWords)
      next |= words[(at >> 6) + 1] << (64 - shift);
    result[i] = unpack_bits(next, mask);
    at += std::popcount(mask);
  }
  return Bits::from_words(result);
}

}  // namespace tengen::TENGEN_INSTRUCTION_SET
