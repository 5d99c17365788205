#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "selfplay/sample.h"

namespace tengen {

// KataGo's training rows: what its self-play writes as .npz and its trainer reads
// (cpp/dataio/trainingwrite.h), data version 2. selfplay/README.md says array by array and column
// by column what is filled. All for the side to move.
inline constexpr int kKataGlobals = 64;      // columns of globalTargetsNC
inline constexpr int kKataExtraScores = 60;  // points beyond the area that scoreDistrN reaches

// A row: a sample, and what only a whole game knows.
struct KataRow {
  Sample sample;
  std::array<float, kKataGlobals> globals{};  // globalTargetsNC
  // The boards 8 and 32 plies later, or the last one: +1 own stones, -1 the opponent's. Empty: not
  // known.
  std::array<std::vector<std::int8_t>, 2> future = {};  // [2][area]
};

// A row of what the sample says; for the rest the weights in `globals` are 0.
KataRow kata_row_of(const Sample& sample);
// The rows of a game, those of samples_from with all of V7's features.
std::vector<KataRow> kata_rows_of(const GameRecord& record);

// Rows as the arrays of a file. Boards stand in the upper left corner of `length` x `length`
// points.
struct KataRows {
  int length = 0;                            // KataGo's pos_len
  std::vector<std::uint8_t> planes = {};     // binaryInputNCHWPacked
  std::vector<float> scalars = {};           // globalInputNC
  std::vector<std::int16_t> policies = {};   // policyTargetsNCMove
  std::vector<float> globals = {};           // globalTargetsNC
  std::vector<std::int8_t> score_bins = {};  // scoreDistrN
  std::vector<std::int8_t> values = {};      // valueTargetsNCHW

  std::size_t rows() const { return globals.size() / kKataGlobals; }
  int area() const { return length * length; }
  // Throws Error for a board that is longer or wider than `length`.
  void append(const KataRow& row);
  // What a sample has of row i; Sample::game is the second half of the game's hash. Throws Error
  // naming the row for values that no sample has: a board that is no rectangle in the corner, what
  // is not finite, a policy without an entry or with one off the board.
  Sample sample(std::size_t i) const;
};

// Throws Error as write_npz_file.
void write_kata_rows(const std::filesystem::path& path, const KataRows& rows);
// Data versions 2 and 3, of which it keeps the columns of version 2; values of moves and other
// arrays are left. Throws Error that names the file, the array and its shape.
KataRows read_kata_rows(const std::filesystem::path& path);

}  // namespace tengen
