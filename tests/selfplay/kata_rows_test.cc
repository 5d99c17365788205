#include "selfplay/kata_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "games.h"
#include "rules/temporary_directory.h"
#include "tests/error_of.h"
#include "tests/nn/npz.h"
#include "tests/reference_data.h"

namespace tengen {
namespace {

namespace fs = std::filesystem;

// --- KataGo's own rows ---

template <class T>
std::vector<T> numbers(const NpzArray& array) {
  std::vector<T> values(array.bytes.size() / sizeof(T));
  std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
  return values;
}

// Row i of rows of `width` numbers.
template <class T>
std::span<const T> row_of(const std::vector<T>& all, std::size_t i, std::size_t width) {
  return std::span(all).subspan(i * width, width);
}

class RealKataRows : public testing::Test {
 protected:
  void SetUp() override {
    path_ = katago_data() / "training_rows_1024.npz";
    if (!fs::exists(path_)) GTEST_SKIP() << path_ << " is absent";
    rows_ = read_kata_rows(path_);
    raw_ = read_npz(path_);  // another reader
    again_.length = rows_.length;
    for (std::size_t i = 0; i < rows_.rows(); ++i) again_.append(kata_row_of(rows_.sample(i)));
  }

  fs::path path_;
  KataRows rows_, again_;
  std::map<std::string, NpzArray> raw_;
};

TEST_F(RealKataRows, AreReadAsAnotherReaderReadsThem) {
  ASSERT_EQ(rows_.rows(), 1024U);
  EXPECT_EQ(rows_.length, 19);
  EXPECT_EQ(rows_.planes, numbers<std::uint8_t>(raw_.at("binaryInputNCHWPacked")));
  EXPECT_EQ(rows_.scalars, numbers<float>(raw_.at("globalInputNC")));
  EXPECT_EQ(rows_.policies, numbers<std::int16_t>(raw_.at("policyTargetsNCMove")));
  EXPECT_EQ(rows_.globals, numbers<float>(raw_.at("globalTargetsNC")));
  EXPECT_EQ(rows_.score_bins, numbers<std::int8_t>(raw_.at("scoreDistrN")));
  EXPECT_EQ(rows_.values, numbers<std::int8_t>(raw_.at("valueTargetsNCHW")));
}

TEST_F(RealKataRows, AsSamplesAndBackAreEqualInWhatASampleHas) {
  EXPECT_EQ(again_.planes, rows_.planes);
  EXPECT_EQ(again_.scalars, rows_.scalars);
  EXPECT_EQ(again_.score_bins, rows_.score_bins);
  const std::vector<std::size_t> carried = {0,  1,  2,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,
                                            15, 20, 24, 25, 26, 27, 28, 44, 45, 46, 48, 51, 63};
  for (std::size_t i = 0; i < rows_.rows(); ++i) {
    const auto expected = row_of(rows_.globals, i, kKataGlobals);
    const auto found = row_of(again_.globals, i, kKataGlobals);
    for (const std::size_t column : carried) {
      EXPECT_EQ(found[column], expected[column]) << "row " << i << ", column " << column;
    }
    EXPECT_NEAR(found[47], expected[47], 1e-5) << i;
    const auto width = static_cast<std::size_t>(5 * rows_.area());
    const auto area = static_cast<std::size_t>(rows_.area());
    EXPECT_TRUE(std::ranges::equal(row_of(again_.values, i, width).first(area),
                                   row_of(rows_.values, i, width).first(area)))
        << "ownership of row " << i;
  }
}

TEST_F(RealKataRows, PoliciesAsSamplesAndBackAreEqualUpToTheUnit) {
  const auto entries = static_cast<std::size_t>(rows_.area() + 1);
  for (std::size_t k = 0; k < 2 * rows_.rows(); ++k) {
    const auto expected = row_of(rows_.policies, k, entries);
    const auto found = row_of(again_.policies, k, entries);
    const bool is_target = rows_.globals[k / 2 * kKataGlobals + (k % 2 == 0 ? 26 : 28)] > 0;
    if (!is_target) {
      EXPECT_EQ(std::accumulate(found.begin(), found.end(), 0), rows_.area() + 1);
      continue;
    }
    const double all = std::accumulate(expected.begin(), expected.end(), 0.0);
    for (std::size_t i = 0; i < entries; ++i) {
      EXPECT_NEAR(found[i], expected[i] / all * 32767, 0.51) << "policy " << k;
    }
  }
}

// --- our games ---

class KataRowsOfGames : public testing::Test {
 protected:
  static std::vector<GameRecord> games() {
    SelfplaySettings settings = small_games();
    settings.games.sizes = {5, 4, 7};
    return games_of_pool(settings, 8, 16, std::make_shared<HashEvaluator>(5));
  }
  TemporaryDirectory temporary_;
};

TEST_F(KataRowsOfGames, ReadBackAsTheSamplesThatTheGamesGive) {
  KataRows rows{.length = 9};
  std::vector<Sample> expected;
  for (const GameRecord& game : games()) {
    for (const KataRow& row : kata_rows_of(game)) rows.append(row);
    const auto samples = samples_from(game);
    expected.insert(expected.end(), samples.begin(), samples.end());
  }
  const fs::path path = temporary_.path() / "rows.npz";
  write_kata_rows(path, rows);
  const KataRows found = read_kata_rows(path);
  ASSERT_EQ(found.rows(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Sample sample = found.sample(i);
    const Sample& e = expected[i];
    EXPECT_EQ(sample.features, e.features);
    EXPECT_EQ(sample.win, e.win);
    EXPECT_EQ(sample.loss, e.loss);
    EXPECT_EQ(sample.score, e.score);
    EXPECT_EQ(sample.short_term, e.short_term);
    EXPECT_EQ(sample.ownership, e.ownership);
    EXPECT_EQ(sample.weight, e.weight);
    EXPECT_EQ(sample.score_weight, e.score_weight);
    EXPECT_EQ(sample.short_term_weight, e.short_term_weight);
    EXPECT_EQ(sample.game, e.game);
    EXPECT_EQ(sample.ply, e.ply);
    ASSERT_EQ(sample.policy.size(), e.policy.size());
    for (std::size_t k = 0; k < e.policy.size(); ++k) {
      EXPECT_NEAR(sample.policy[k], e.policy[k], 1e-3);
    }
    ASSERT_EQ(sample.opponent_policy.size(), e.opponent_policy.size());
    for (std::size_t k = 0; k < e.opponent_policy.size(); ++k) {
      EXPECT_NEAR(sample.opponent_policy[k], e.opponent_policy[k], 1e-3);
    }
  }
}

// The board of a plane of values, own stones X.
std::string board_text(const KataRows& rows, std::size_t row, std::size_t plane) {
  std::string text;
  const auto area = static_cast<std::size_t>(rows.area());
  const std::int8_t* values = rows.values.data() + (5 * row + plane) * area;
  for (std::size_t i = 0; i < area; ++i) {
    if (i > 0 && i % static_cast<std::size_t>(rows.length) == 0) text += '|';
    text += values[i] > 0 ? 'X' : values[i] < 0 ? 'O' : '.';
  }
  return text;
}

Rules rules_3x3() {
  Rules rules;
  rules.size = BoardSize::square(3);
  rules.komi = Komi::from_half_points(5);
  return rules;
}

TEST_F(KataRowsOfGames, AGameByHandHasWhatKataGoWrites) {
  GameRecord record = played_game(rules_3x3(), "B2 A1 pass pass");
  record.seed = 0xFEDCBA9876543210;
  record.index = 1ULL << 45;
  for (MoveRecord& move : record.moves) move.policy_surprise = 0.25F;
  KataRows rows{.length = 4};
  for (const KataRow& row : kata_rows_of(record)) rows.append(row);
  ASSERT_EQ(rows.rows(), 4U);
  // The last board, of 3 x 3 points in 4 x 4, as Black and as White; the two futures are equal.
  EXPECT_EQ(board_text(rows, 0, 2), "....|.X..|O...|....");
  EXPECT_EQ(board_text(rows, 0, 3), board_text(rows, 0, 2));
  EXPECT_EQ(board_text(rows, 1, 2), "....|.O..|X...|....");
  EXPECT_EQ(board_text(rows, 0, 1), "....|....|....|....");   // no seki
  EXPECT_EQ(board_text(rows, 0, 0), board_text(rows, 0, 4));  // scoring is ownership...
  EXPECT_EQ(rows.values[4 * 16 + 5], 120);                    // ... times 120

  const auto g =
      row_of(rows.globals, 1, kKataGlobals);  // White's, who lost by what stood at the end
  const float black_margin = static_cast<float>(record.score.black_margin());
  const std::vector<std::pair<int, float>> expected = {{0, black_margin < 0 ? 1.F : 0.F},
                                                       {1, black_margin < 0 ? 0.F : 1.F},
                                                       {2, 0},
                                                       {3, -black_margin},
                                                       {16, 0.25F},
                                                       {17, 0.75F},
                                                       {18, 0},
                                                       {19, -1.5F},
                                                       {20, -black_margin},
                                                       {24, 0},
                                                       {25, 1},
                                                       {26, 1},
                                                       {27, 1},
                                                       {28, 1},
                                                       {29, 0},
                                                       {30, 0.25F},
                                                       {33, 1},
                                                       {34, 1},
                                                       {35, 0},
                                                       {36, 1},
                                                       {40, 1},
                                                       {41, 0x143210},
                                                       {42, 0x2A61D9},
                                                       {43, 0xFEDCB},
                                                       {44, 0},
                                                       {45, 0},
                                                       {46, 2},
                                                       {47, 2.5F},
                                                       {48, 1},
                                                       {49, 0},
                                                       {51, 1},
                                                       {52, 0},
                                                       {53, 0},
                                                       {55, 0},
                                                       {60, 8},
                                                       {62, 1},
                                                       {63, 2}};
  for (const auto& [column, value] : expected) {
    EXPECT_EQ(g[static_cast<std::size_t>(column)], value) << "column " << column;
  }
  // -x ln x over 1/4 and 3/4.
  EXPECT_NEAR(g[32], 0.5623, 1e-4);
  // From 0.5 the opinions of Black are -0.5, 0.5, -0.5, 0.5 in win - loss; then the result.
  const float last = (black_margin > 0 ? 1.F : -1.F) - 0.5F;
  EXPECT_FLOAT_EQ(rows.globals[0 * kKataGlobals + 22], 1 + 2 + 3 + 4 * last * last);
  EXPECT_FLOAT_EQ(rows.globals[3 * kKataGlobals + 22], last * last);
  // The score's two bins hold 100.
  const auto bins = row_of(rows.score_bins, 1, 2 * (16 + 60));
  const auto lower = static_cast<std::size_t>(-black_margin + 76 - 0.5F);
  EXPECT_EQ(bins[lower], 100);
  EXPECT_EQ(std::accumulate(bins.begin(), bins.end(), 0), 100);
}

TEST_F(KataRowsOfGames, AForkIsOne) {
  GameRecord record = played_game(rules_3x3(), "B2 A1 pass pass");
  record.index = 7 | kForkBit;
  KataRows rows{.length = 3};
  for (const KataRow& row : kata_rows_of(record)) rows.append(row);
  EXPECT_EQ(row_of(rows.globals, 0, kKataGlobals)[55], 2);
}

TEST_F(KataRowsOfGames, AResignedGameHasNoScore) {
  GameRecord record = played_game(rules_3x3(), "B2 A1");
  Position position(record.rules);
  for (const MoveRecord& move : record.moves) position.play(move.move);
  finish(record, position, GameEnd::kResignation);
  KataRows rows{.length = 3};
  for (const KataRow& row : kata_rows_of(record)) rows.append(row);
  const auto g = row_of(rows.globals, 0, kKataGlobals);
  for (const std::size_t column : {3U, 20U, 27U, 34U}) EXPECT_EQ(g[column], 0) << column;
  EXPECT_EQ(g[62], 1);
  EXPECT_EQ(board_text(rows, 0, 0), "...|...|...");
  EXPECT_EQ(board_text(rows, 0, 4), "...|...|...");
}

TEST_F(KataRowsOfGames, ABoardThatIsTooLargeIsRefused) {
  KataRows rows{.length = 2};
  const auto all = kata_rows_of(played_game(rules_3x3(), "B2 pass pass"));
  EXPECT_NE(error_of([&] { rows.append(all.front()); }).find("found 3x3"), std::string::npos);
}

}  // namespace
}  // namespace tengen
