#include <gtest/gtest.h>

#include <cmath>

#include "rules/playout.h"
#include "rules/rng.h"
#include "selfplay/search.h"
#include "solver.h"

namespace tengen {
namespace {

// Small boards after `plies` random moves, with komi near the score so that the result is open.
struct Source {
  int width, height, plies;
};
constexpr Source kSources[] = {{2, 2, 0},  {2, 2, 1},  {2, 2, 2},  {2, 2, 3},
                               {2, 2, 4},  {3, 2, 4},  {3, 2, 6},  {3, 3, 8},
                               {3, 3, 10}, {4, 3, 12}, {4, 4, 15}, {4, 4, 18}};

std::optional<Position> contested_position(const Source& source, std::uint64_t seed) {
  Rng rng(seed, 5);
  Rules rules;
  rules.size = {static_cast<std::int8_t>(source.width), static_cast<std::int8_t>(source.height)};
  Position drawn(rules);
  for (int i = 0; i < source.plies; ++i) drawn.play(random_move(drawn, rng));
  const int spread = static_cast<int>(rng.below(7)) - 3;
  const int margin = drawn.score().black_margin_half_points() + rules.komi.half_points();
  rules.komi = Komi::from_half_points((margin + spread) | 1);  // never a draw
  Position position(rules);
  Rng again(seed, 5);
  for (int i = 0; i < source.plies && !position.is_over(); ++i) {
    position.play(random_move(position, again));
  }
  if (position.is_over()) return std::nullopt;
  return position;
}

struct Tally {
  int solved = 0;     // positions within the solver's reach
  int on_4x4 = 0;     // of them
  int contested = 0;  // of them, won ones in which some move loses
  int right_move = 0;
  int right_sign = 0;
  double win_error = 0;       // |win probability - result|, over solved positions
  double winning_policy = 0;  // on winning moves, over contested positions
  double winning_prior = 0;
};

void judge(const Position& position, const std::string& algorithm, int visits, Tally& tally) {
  Solver solver(20000);
  const std::optional<int> result = solver.result(position);
  if (!result) return;
  UniformEvaluator evaluator;
  SearchOptions options;
  options.visits = visits;
  options.gumbel_scale = 0;
  options.algorithm = algorithm;
  const SearchResult found = search_position(options, position, 1, evaluator);
  ++tally.solved;
  tally.on_4x4 += position.size() == BoardSize::square(4) ? 1 : 0;
  tally.right_move += solver.result_after(position, found.move) == result ? 1 : 0;
  tally.right_sign += (found.utility > 0) == (*result > 0) ? 1 : 0;
  tally.win_error += std::abs(found.win - 0.5 * (1 + *result));

  double policy = 0;
  double prior = 0;
  for (int i = 0; i <= position.size().area(); ++i) {
    const auto entry = static_cast<std::size_t>(i);
    if (found.prior[entry] == 0) continue;
    const std::optional<int> after = solver.result_after(position, move_at(i, position.size()));
    if (!after) return;
    if (*after > 0) policy += found.policy[entry], prior += found.prior[entry];
  }
  if (*result < 0 || prior > 0.999) return;
  ++tally.contested;
  tally.winning_policy += policy;
  tally.winning_prior += prior;
}

Tally tally_of(const std::string& algorithm, int visits) {
  Tally tally;
  for (const Source& source : kSources) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const std::optional<Position> position = contested_position(source, seed);
      if (position) judge(*position, algorithm, visits, tally);
    }
  }
  return tally;
}

// Without any knowledge, by exact ends of games alone, superko included.
class SearchOnSolvedPositions : public testing::TestWithParam<std::string_view> {
 protected:
  std::string algorithm() const { return std::string(GetParam()); }
};

TEST_P(SearchOnSolvedPositions, ManyVisitsFindTheResultAndAMoveThatKeepsIt) {
  const Tally tally = tally_of(algorithm(), 1000);
  RecordProperty("solved", tally.solved);
  RecordProperty("contested", tally.contested);
  EXPECT_GE(tally.on_4x4, 10);
  EXPECT_GE(tally.solved, 100);
  EXPECT_GE(tally.contested, 40);
  EXPECT_GE(tally.right_move, 0.97 * tally.solved);
  EXPECT_GE(tally.right_sign, 0.97 * tally.solved);
}

TEST_P(SearchOnSolvedPositions, TheValueConvergesToTheResult) {
  const double few = tally_of(algorithm(), 30).win_error;
  const Tally some = tally_of(algorithm(), 300);
  const Tally many = tally_of(algorithm(), 3000);
  EXPECT_LT(some.win_error, 0.7 * few);
  EXPECT_LT(many.win_error, 0.7 * some.win_error);
  EXPECT_LT(many.win_error, 0.07 * many.solved);
}

TEST_P(SearchOnSolvedPositions, EvenFewVisitsImproveThePolicy) {
  const Tally tally = tally_of(algorithm(), 16);
  EXPECT_GT(tally.winning_policy, tally.winning_prior + 0.1 * tally.contested);
}

INSTANTIATE_TEST_SUITE_P(AllAlgorithms, SearchOnSolvedPositions,
                         testing::ValuesIn(kSearchAlgorithms),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace tengen
