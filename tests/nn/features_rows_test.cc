// Our features against rows that KataGo wrote: each row's position is rebuilt as far as the row
// carries it, its features computed afresh and compared plane by plane.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "nn/features.h"
#include "rules/ladder.h"
#include "rules/neighbours.h"
#include "tests/nn/npz.h"

namespace tengen {
namespace {

constexpr int kRowLength = 19;  // rows are padded to 19 x 19, the board in the top-left corner

std::filesystem::path data_dir() {
  const char* dir = std::getenv("TENGEN_TEST_DATA");
  return dir != nullptr ? std::filesystem::path(dir)
                        : std::filesystem::path(TENGEN_SOURCE_DIR) / ".." / "shared" / "data";
}

// A row's planes and scalars. The size comes from plane 0, and nothing lies outside the board.
Features unpack(const unsigned char* packed, int bytes_per_plane, const float* scalars) {
  const auto bit = [&](int plane, int row, int column) {
    const int i = row * kRowLength + column;
    return (packed[plane * bytes_per_plane + i / 8] >> (7 - i % 8)) & 1;
  };
  Features f;
  int width = 0;
  int height = 0;
  while (width < kRowLength && bit(0, 0, width)) ++width;
  while (height < kRowLength && bit(0, height, 0)) ++height;
  f.size = {static_cast<std::int8_t>(width), static_cast<std::int8_t>(height)};
  std::copy_n(scalars, kScalars, f.scalars.begin());
  for (int plane = 0; plane < kPlanes; ++plane) {
    for (int row = 0; row < kRowLength; ++row) {
      for (int column = 0; column < kRowLength; ++column) {
        if (!bit(plane, row, column)) continue;
        EXPECT_TRUE(f.size.contains(Point::at(row, column))) << "plane " << plane;
        f.planes[plane].insert(f.size.index(Point::at(row, column)));
      }
    }
  }
  return f;
}

std::vector<Features> read_rows(const std::filesystem::path& path) {
  const auto arrays = read_npz(path);
  const NpzArray& packed = arrays.at("binaryInputNCHWPacked");
  const NpzArray& global = arrays.at("globalInputNC");
  EXPECT_EQ(packed.type, "|u1");
  EXPECT_EQ(global.type, "<f4");
  EXPECT_EQ(global.shape, (std::vector<std::int64_t>{packed.shape[0], kScalars}));
  const auto rows = static_cast<std::size_t>(packed.shape[0]);
  const auto bytes = static_cast<int>(packed.shape[2]);
  EXPECT_EQ(packed.bytes.size(), rows * kPlanes * bytes);
  std::vector<float> scalars(rows * kScalars);
  std::memcpy(scalars.data(), global.bytes.data(), global.bytes.size());
  std::vector<Features> result;
  for (std::size_t i = 0; i < rows; ++i) {
    result.push_back(unpack(&packed.bytes[i * kPlanes * bytes], bytes, &scalars[i * kScalars]));
  }
  return result;
}

bool is_territory(const Features& row) {
  return row.scalars[9] != 0;
}
bool is_encore(const Features& row) {
  return row.scalars[12] != 0;
}
int phase_of(const Features& row) {
  return row.scalars[kScalarPhase + 1] != 0 ? 2 : row.scalars[kScalarPhase] != 0 ? 1 : 0;
}

// Komi in half points, unless it has a fraction (rows with uneven values of a draw have).
std::optional<int> self_komi_half_points(const Features& row) {
  const double half_points = 40.0 * row.scalars[kScalarSelfKomi];
  const double rounded = std::round(half_points);
  if (std::abs(half_points - rounded) > 2e-5) return std::nullopt;
  return static_cast<int>(rounded);
}

Rules rules_of(const Features& row, Color own) {
  Rules rules;
  rules.size = row.size;
  rules.ko = row.scalars[kScalarSuperko] == 0      ? Ko::kSimple
             : row.scalars[kScalarSuperkoKind] > 0 ? Ko::kPositional
                                                   : Ko::kSituational;
  rules.multi_stone_suicide = row.scalars[kScalarMultiStoneSuicide] != 0;
  rules.scoring = is_territory(row) ? Scoring::kTerritory : Scoring::kArea;
  rules.dead_stones = is_territory(row) ? DeadStones::kPlayedOut : DeadStones::kPassDead;
  rules.tax = row.scalars[kScalarTax + 1] != 0 ? Tax::kAll
              : row.scalars[kScalarTax] != 0   ? Tax::kSeki
                                               : Tax::kNone;
  rules.button = row.scalars[kScalarButton] != 0;
  const int self_komi = self_komi_half_points(row).value_or(0);
  rules.komi = Komi::from_half_points(own == Color::kWhite ? self_komi : -self_komi);
  return rules;
}

// The row's position as a set-up. Its komi is what the row's self komi leaves for it, as stones
// count into that under territory scoring.
Position set_up(const Features& row, Color own, const Board& board) {
  Rules rules = rules_of(row, own);
  const Position plain(rules, board, own);
  rules.komi = Komi::from_half_points(rules.komi.half_points() - plain.white_bonus_half_points());
  return Position(rules, board, own);
}

Board board_of(const Features& row, Color own) {
  std::string text;
  for (int i = 0; i < row.size.area(); ++i) {
    const bool is_own = row.planes[kPlaneOwnStones].contains(i);
    const bool is_opponents = row.planes[kPlaneOpponentStones].contains(i);
    text += !is_own && !is_opponents ? '.' : is_own == (own == Color::kBlack) ? 'X' : 'O';
    if (i % row.size.width == row.size.width - 1) text += '\n';
  }
  return board_from_text(text);
}

// The moves of a row's history planes, the latest first, as far as they go.
std::vector<Move> history_of(const Features& row) {
  std::vector<Move> moves;
  for (int back = 0; back < kHistoryPlies; ++back) {
    const PointSet& plane = row.planes[kPlaneMove1 + back];
    if (row.scalars[kScalarPass1 + back] != 0) {
      moves.push_back(Move::pass());
    } else if (!plane.is_empty()) {
      plane.for_each([&](int i) { moves.push_back(row.size.point(i)); });
    } else {
      break;
    }
  }
  return moves;
}

// The row's position with its last moves played: takes the stones of the history off the board,
// the latest first, puts back a stone taken by a simple ko, and plays forward again. nullopt if
// stones were captured that the row does not tell of.
std::optional<Position> with_history(const Features& row, Color own) {
  const Board now = board_of(row, own);
  const std::vector<Move> history = history_of(row);
  Features before = row;  // only its stones are used
  int mover_plane = kPlaneOpponentStones;
  for (std::size_t back = 0; back < history.size(); ++back) {
    if (!history[back].is_pass()) {
      const int i = row.size.index(history[back].point());
      if (!before.planes[mover_plane].contains(i)) return std::nullopt;
      before.planes[mover_plane].erase(i);
      const PointSet& banned = row.planes[kPlaneKoBanned];
      const bool took_ko = back == 0 && banned.count() == 1 &&
                           now.chain(history[back].point()).count() == 1 &&
                           now.liberties(history[back].point()) == 1;
      if (took_ko) before.planes[kPlaneOwnStones] |= banned;
    }
    mover_plane = kPlaneOwnStones + kPlaneOpponentStones - mover_plane;
  }
  Position position(rules_of(row, own), board_of(before, own),
                    history.size() % 2 == 0 ? own : opponent(own));
  for (auto move = history.rbegin(); move != history.rend(); ++move) {
    if (!position.is_legal(*move)) return std::nullopt;
    position.play(*move);
  }
  if (!(position.board() == now)) return std::nullopt;
  return position;
}

// Compares, and counts what was compared.
class Tally {
 public:
  void plane(int plane, const Features& ours, const Features& row, int index) {
    ++planes_[plane];
    if (!row.planes[plane].is_empty()) ++not_empty_[plane];
    EXPECT_EQ(ours.planes[plane], row.planes[plane]) << "row " << index << " plane " << plane;
  }
  void scalar(int scalar, const Features& ours, const Features& row, int index) {
    ++scalars_[scalar];
    EXPECT_NEAR(ours.scalars[scalar], row.scalars[scalar], 1e-6)
        << "row " << index << " scalar " << scalar;
  }
  int planes(int plane) const { return planes_[plane]; }
  int scalars(int scalar) const { return scalars_[scalar]; }
  // Comparisons of a plane with a row's that was not empty.
  int not_empty(int plane) const { return not_empty_[plane]; }

  void print() const {
    for (int i = 0; i < kPlanes; ++i) {
      std::printf("plane %2d: %4d compared, %4d of them not empty\n", i, planes_[i], not_empty_[i]);
    }
    for (int i = 0; i < kScalars; ++i) std::printf("scalar %2d: %4d compared\n", i, scalars_[i]);
  }

 private:
  std::array<int, kPlanes> planes_{};
  std::array<int, kPlanes> not_empty_{};
  std::array<int, kScalars> scalars_{};
};

void compare_stones_and_rules(const Features& row, const Features& ours, int index, Tally& tally) {
  for (const int plane : {0, 1, 2, 3, 4, 5, 8}) tally.plane(plane, ours, row, index);
  for (const int scalar : {6, 7, 8}) tally.scalar(scalar, ours, row, index);
  if (self_komi_half_points(row)) tally.scalar(kScalarSelfKomi, ours, row, index);
  if (!is_territory(row) && self_komi_half_points(row)) {
    tally.scalar(kScalarParityWave, ours, row, index);
  }
  for (const int scalar : {kScalarTerritory, kScalarTax, kScalarTax + 1, kScalarButton}) {
    tally.scalar(scalar, ours, row, index);
  }
  if (is_encore(row)) return;
  for (const int plane : {kPlaneKoBlocked, kPlaneOwnArea, kPlaneOpponentArea,
                          kPlaneOwnPhaseTwoStart, kPlaneOpponentPhaseTwoStart}) {
    tally.plane(plane, ours, row, index);
  }
  if (row.scalars[15] == 0) {
    for (const int s : {12, 13, 15, 16}) tally.scalar(s, ours, row, index);
  }
}

// Whether the stone just played may have taken stones: those would be a whole part of the empty
// points, with nothing but the taker's stones around it.
bool may_have_captured(const PointSet& stone, const PointSet& empty, const PointSet& others,
                       BoardSize size) {
  bool may = false;
  for_each_part(size, empty, [&](const PointSet& part) {
    const PointSet around = border(size, part);
    may = may || (!(around & stone).is_empty() && (around & others).is_empty());
  });
  return may;
}

// How many of the last two moves certainly took nothing, so that the boards before them are the
// row's without their stones.
int plies_without_captures(const Features& row, const Position& position) {
  PointSet empty = position.board().empty();
  std::array<PointSet, 2> stones = {row.planes[kPlaneOpponentStones], row.planes[kPlaneOwnStones]};
  for (int back = 0; back < 2; ++back) {
    if (back == shown_moves(position)) return 2;  // nothing earlier is shown
    const PointSet& stone = row.planes[kPlaneMove1 + back];
    if (may_have_captured(stone, empty, stones[1 - back], row.size)) return back;
    empty |= stone;
    stones[back] -= stone;
  }
  return 2;
}

void compare_history(const Features& row, const Position& position, int index, Tally& tally) {
  const Features ours = features_of(position, FeatureSchema::kV7);
  const int boards = 1 + plies_without_captures(row, position);
  for (int i = 0; i < boards; ++i) tally.plane(kPlaneLadders + i, ours, row, index);
  tally.plane(kPlaneLadderMoves, ours, row, index);
  for (int back = 0; back < kHistoryPlies; ++back) {
    tally.plane(kPlaneMove1 + back, ours, row, index);
    tally.scalar(kScalarPass1 + back, ours, row, index);
  }
  // What a pass ends and what superko bans may depend on moves before the five that a row keeps.
  const bool simple = position.rules().ko == Ko::kSimple;
  if (simple || row.planes[kPlaneKoBanned].is_empty() || position.board().ko_point()) {
    tally.plane(kPlaneKoBanned, ours, row, index);
  }
  if (!simple) tally.scalar(kScalarPassEnds, ours, row, index);
}

TEST(FeaturesRows, EqualThoseOfTrainingRows) {
  const auto path = data_dir() / "katago" / "training_rows_1024.npz";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent";
  const std::vector<Features> rows = read_rows(path);
  Tally tally;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto index = static_cast<int>(i);
    for (const Color own : {Color::kBlack, Color::kWhite}) {  // a row does not tell the colour
      const Position bare = set_up(rows[i], own, board_of(rows[i], own));
      compare_stones_and_rules(rows[i], features_of(bare), index, tally);
      if (is_encore(rows[i])) continue;
      if (const auto position = with_history(rows[i], own)) {
        compare_history(rows[i], *position, index, tally);
      }
    }
  }
  std::printf("%zu rows, each as Black's and as White's\n", rows.size());
  tally.print();
  EXPECT_EQ(rows.size(), 1024U);
  for (const int plane : {0, 1, 2, 3, 4, 5}) EXPECT_EQ(tally.planes(plane), 2048);
  for (const int plane : {6, 9, 10, 11, 12, 13}) EXPECT_GE(tally.planes(plane), 1800);
  for (const int plane : {18, 19}) EXPECT_GE(tally.not_empty(plane), 400);
  for (const int plane : {14, 15, 16, 17}) EXPECT_GE(tally.not_empty(plane), 1000);
  EXPECT_GE(tally.not_empty(kPlaneKoBanned), 90);
  EXPECT_GE(tally.scalars(kScalarSelfKomi), 900);
  EXPECT_GE(tally.scalars(kScalarParityWave), 450);
  EXPECT_GE(tally.scalars(kScalarPassEnds), 1000);
}

// Clean-up phases, too, under all scorings and taxes.
TEST(FeaturesRows, CountedPointsEqualThoseOfEveryRow) {
  const auto path = data_dir() / "katago" / "training_rows_1024.npz";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent";
  std::map<std::pair<int, Tax>, int> compared;  // by phase or -1 for area, and tax
  for (const Features& row : read_rows(path)) {
    if (is_territory(row) && phase_of(row) < 2) {
      EXPECT_TRUE((row.planes[kPlaneOwnArea] | row.planes[kPlaneOpponentArea]).is_empty());
      continue;
    }
    const Rules rules = rules_of(row, Color::kBlack);
    PlayCount play;
    play.phase = phase_of(row);
    play.phase_two_start = {row.planes[kPlaneOwnPhaseTwoStart],
                            row.planes[kPlaneOpponentPhaseTwoStart]};
    const Board board = board_of(row, Color::kBlack);
    const ScoreSheet sheet = count_score(board, rules, play, PointSet());
    EXPECT_EQ(sheet.owned[0], row.planes[kPlaneOwnArea]) << board.to_text();
    EXPECT_EQ(sheet.owned[1], row.planes[kPlaneOpponentArea]) << board.to_text();
    ++compared[{is_territory(row) ? play.phase : -1, rules.tax}];
  }
  int total = 0;
  for (const auto& [kind, count] : compared) {
    std::printf("%s, tax %d: %d rows\n", kind.first < 0 ? "area" : "territory",
                static_cast<int>(kind.second), count);
    total += count;
  }
  EXPECT_EQ(compared.size(), 6U);
  EXPECT_GE(total, 500);
}

// The row's board; if its last move took a ko, with the ko.
Board board_with_ko(const Features& row, Color own) {
  const PointSet last = row.planes[kPlaneMove1];
  Board now = board_of(row, own);
  if (is_encore(row) || last.is_empty() || row.planes[kPlaneKoBanned].is_empty()) return now;
  const Point taker = first_point(last, row.size);
  if (now.stone_at(taker) == Stone::kEmpty || now.chain(taker).count() > 1) return now;
  const PointSet taken = border(row.size, last) & now.empty() & row.planes[kPlaneKoBanned];
  if (taken.count() != 1) return now;
  Features before = row;
  before.planes[kPlaneOwnStones] |= taken;
  before.planes[kPlaneOpponentStones] -= last;
  Board board = board_of(before, own);
  board.play(taker, opponent(own));
  return board == now ? board : now;
}

// Every row as a set-up of either colour.
TEST(FeaturesRows, LaddersEqualThoseOfEveryRow) {
  const auto path = data_dir() / "katago" / "training_rows_1024.npz";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent";
  int weak_chains = 0;
  int captured = 0;
  int moves = 0;
  for (const Features& row : read_rows(path)) {
    const PointSet weak = row.planes[kPlaneLiberties1] | row.planes[kPlaneLiberties1 + 1];
    for (const int own : {kPlaneOwnStones, kPlaneOpponentStones}) {
      for_each_part(row.size, weak & row.planes[own], [&](const PointSet& chain) {
        ++weak_chains;
        captured += (chain & row.planes[kPlaneLadders]).is_empty() ? 0 : 1;
      });
    }
    moves += row.planes[kPlaneLadderMoves].count();
    for (const Color own : {Color::kBlack, Color::kWhite}) {
      const Board board = board_with_ko(row, own);
      const Ladders ladders = read_ladders(board, own);
      EXPECT_EQ(ladders.captured[0], row.planes[kPlaneLadders]) << board.to_text();
      EXPECT_EQ(ladders.working, row.planes[kPlaneLadderMoves]) << board.to_text();
    }
  }
  std::printf("%d chains of one or two liberties, %d of them captured; %d working moves\n",
              weak_chains, captured, moves);
  EXPECT_EQ(weak_chains, 13513);
  EXPECT_EQ(moves, 1830);
}

TEST(FeaturesRows, ParityWaveEqualsThatOfEveryAreaRow) {
  const auto path = data_dir() / "katago" / "training_rows_1024.npz";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent";
  int compared = 0;
  for (const Features& row : read_rows(path)) {
    if (is_territory(row) && row.scalars[13] == 0) {
      EXPECT_EQ(row.scalars[kScalarParityWave], 0.F);
      continue;
    }
    const double self_komi = 20.0 * row.scalars[kScalarSelfKomi];
    EXPECT_NEAR(komi_parity_wave(self_komi, row.size.area()), row.scalars[kScalarParityWave], 2e-5);
    ++compared;
  }
  std::printf("%d parity waves compared\n", compared);
  EXPECT_GE(compared, 500);
}

}  // namespace
}  // namespace tengen
