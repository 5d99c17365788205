#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "rules/board_state.h"
#include "rules/past.h"
#include "rules/past_board.h"
#include "rules/point_set.h"
#include "rules/rng.h"

// The board's code exists once per instruction set in one binary; the fastest that this processor
// knows is chosen at the start. All work on the same BoardState and give the same results bit by
// bit, so that it is only a matter of speed. For sources of rules/ and their tests.
namespace tengen {

enum class InstructionSet {
  kPortable,  // what the compiler makes of plain C++ for any processor of the family
  kAvx2,      // x86-64 with AVX2, BMI2: registers of 256 bits
  kAvx512,    // and AVX-512 F, BW, DQ, VL, VBMI2, VPOPCNTDQ: registers of 512 bits
};
inline constexpr std::array<std::string_view, 3> kInstructionSetNames = {"portable", "avx2",
                                                                         "avx512"};

// Those that this binary has and this processor knows, the fastest last.
std::vector<InstructionSet> available_instruction_sets();
InstructionSet instruction_set_in_use();
// For tests and benchmarks; not while another thread plays. The environment variable
// TENGEN_INSTRUCTION_SET=portable, avx2 or avx512 chooses at the start; what is not available is
// passed over.
void use_instruction_set(InstructionSet set);

// Which own plays may take off own stones.
struct SuicideRule {
  bool multi_stone = false;
  bool single_stone = false;
};

// A game of uniformly random moves in progress: what moves need beside the board, and room for the
// state keys they make. `past` is the reading side of `filter` and `keys`.
struct RandomLane {
  void* state = nullptr;  // a BoardState of the engine's pitch
  Rng* rng = nullptr;
  Past past;
  std::uint64_t* filter = nullptr;
  std::uint64_t* keys = nullptr;
  int key_room = 0;  // moves stop when this many keys are there; keys[past.count] is the next
  SuicideRule suicide;
  int to_move = 0;
  int passes = 0;  // in a row; moves stop at two
  int moves = 0;   // played
  int max_moves = 0;
  std::array<std::int16_t, 8> recent{};  // move n at n % 8: a point of the layout, or 0 for a pass

  bool is_over() const { return passes >= 2 || moves >= max_moves; }
  bool must_stop() const { return is_over() || (past.is_kept() && past.count >= key_room); }
};

// What the input planes of a position need beside its board.
inline constexpr int kInputPlanes = 22;
struct PlaneInputs {
  int to_move;
  SuicideRule suicide;
  Past past;
  const std::int16_t* recent;  // move n at n % 8: a point of the layout, or 0 for a pass
  int shown_moves;             // of the last moves, 0 ... 5
  int ply;
  bool has_area;  // whether planes 18 and 19 are wanted
};

// Ladders of a board and of the two before it (ladder.h).
inline constexpr int kLadderBoards = 3;
struct LadderInputs {
  int to_move;               // whose working moves are wanted
  const PastBoard* earlier;  // one ply ago, two plies ago
  int earlier_count;         // 0 ... 2 of them are there
};
struct LadderSets {
  std::array<PointSet, kLadderBoards> captured;
  PointSet working;
};

template <int kPitch>
struct PitchEngine {
  using State = BoardState<kPitch>;

  // Replaces the stones. False, with the board unusable, if a chain has no liberty.
  bool (*set_up)(State&, const PointSet& black, const PointSet& white);
  // Plays at the empty point `p` of the layout; returns the number of stones captured.
  int (*play)(State&, int p, int c);
  std::uint64_t (*hash_after)(const State&, int p, int c);
  PointSet (*stones)(const State&, int c);
  PointSet (*empty)(const State&);
  PointSet (*chain)(const State&, int p);
  PointSet (*liberties)(const State&, int p);
  PointSet (*single_point_eyes)(const State&, int c);
  std::array<PointSet, 3> (*stones_by_liberties)(const State&);
  // Legal by board and `past`; empty points that only a ko rule forbids; one point.
  PointSet (*legal)(const State&, int c, SuicideRule, const Past&);
  PointSet (*ko_banned)(const State&, int c, SuicideRule, const Past&);
  bool (*is_legal)(const State&, int p, int c, SuicideRule, const Past&);
  std::array<PointSet, 2> (*area)(const State&);
  // Stones that live whatever happens, and their territory; the area that pass_alive.cc describes.
  std::array<PointSet, 2> (*alive)(const State&, int c, bool multi_stone_suicide);
  std::array<PointSet, 2> (*area_without_dead)(const State&, bool multi_stone_suicide);
  // The planes of GameBatch::encode(), and the same as numbers, a plane's rows `width` apart.
  void (*planes)(const State&, const PlaneInputs&, std::array<PointSet, kInputPlanes>&);
  void (*ladders)(const State&, const LadderInputs&, LadderSets&);
  void (*to_floats)(const std::array<PointSet, kInputPlanes>&, BoardSize, int height, int width,
                    float* out);
  // A uniform draw from the legal moves of lane.to_move that fill no own eye; 0 for a pass.
  int (*random_move)(const RandomLane&, Rng&);
  // Plays random moves in two games in turn, or one, until one of them must stop.
  void (*random_moves_of_two)(RandomLane&, RandomLane&);
  void (*random_moves)(RandomLane&);
  // Plays one in a game or in two, drawn from the whole set of legal moves, which it leaves.
  void (*random_step)(RandomLane&, PointSet& legal);
  void (*random_step_of_two)(RandomLane& a, RandomLane& b, PointSet& legal_of_a,
                             PointSet& legal_of_b);
};

struct Engine {
  PitchEngine<10> small;
  PitchEngine<14> medium;
  PitchEngine<20> large;

  template <int kPitch>
  const PitchEngine<kPitch>& at() const {
    if constexpr (kPitch == 10) return small;
    if constexpr (kPitch == 14) return medium;
    if constexpr (kPitch == 20) return large;
  }
};

const Engine& engine();  // of the instruction set in use

}  // namespace tengen
