#include "selfplay/sample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "games.h"

namespace tengen {
namespace {

// Final position, X Black, O White. C4 touches both; Black 8, White 7.
//     . X . O
//     . X O .
//     . X O .
//     . X O .
constexpr std::string_view kMoves = "B1 C1 B2 C2 B3 C3 B4 D4 pass pass";

Rules rules_with_komi(int half_points) {
  Rules rules;
  rules.size = BoardSize::square(4);
  rules.komi = Komi::from_half_points(half_points);
  return rules;
}

std::vector<Sample> samples_with_komi(int half_points) {
  return samples_from(played_game(rules_with_komi(half_points), kMoves));
}

using Ownership = std::vector<std::int8_t>;
const Ownership kBlackView = {1, 1, 0,  -1,   //
                              1, 1, -1, -1,   //
                              1, 1, -1, -1,   //
                              1, 1, -1, -1};  //

TEST(Sample, ResultScoreAndOwnershipAreTheMoversOwn) {
  const std::vector<Sample> samples = samples_with_komi(5);  // Black loses by 1.5
  ASSERT_EQ(samples.size(), 10U);
  for (std::size_t ply = 0; ply < samples.size(); ++ply) {
    const Sample& sample = samples[ply];
    const bool is_black = ply % 2 == 0;
    EXPECT_EQ(sample.win, is_black ? 0.F : 1.F);
    EXPECT_EQ(sample.loss, is_black ? 1.F : 0.F);
    EXPECT_EQ(sample.no_result, 0.F);
    EXPECT_EQ(sample.score, is_black ? -1.5F : 1.5F);
    EXPECT_EQ(sample.features.scalars[5], is_black ? -2.5F / 20 : 2.5F / 20);  // own komi / 20
    Ownership expected = kBlackView;
    if (!is_black) {
      for (auto& o : expected) o = static_cast<std::int8_t>(-o);
    }
    EXPECT_EQ(sample.ownership, expected) << ply;
    EXPECT_EQ(sample.weight, 1.F);
    EXPECT_EQ(sample.ply, static_cast<int>(ply));
    EXPECT_EQ(sample.score_weight, 1.F);
  }
}

TEST(Sample, NegativeKomiMakesBlackWinAndADrawIsHalfAWin) {
  const std::vector<Sample> win = samples_with_komi(-6);
  EXPECT_EQ(win[0].win, 1.F);
  EXPECT_EQ(win[0].score, 4.F);
  EXPECT_EQ(win[1].win, 0.F);
  EXPECT_EQ(win[1].score, -4.F);
  const std::vector<Sample> draw = samples_with_komi(2);
  for (const Sample& sample : draw) {
    EXPECT_EQ(sample.win, 0.5F);
    EXPECT_EQ(sample.loss, 0.5F);
    EXPECT_EQ(sample.score, 0.F);
  }
}

TEST(Sample, PolicyIsTheMoversAndOpponentPolicyTheNextPlys) {
  const std::vector<Sample> samples = samples_with_komi(5);
  // B1 is index 13 seen from the top, C1 14; entry 16 is the pass.
  EXPECT_EQ(samples[0].policy[13], 0.75F);
  EXPECT_EQ(samples[0].policy[16], 0.25F);
  EXPECT_EQ(samples[0].opponent_policy[14], 0.75F);
  EXPECT_EQ(samples[0].opponent_policy[16], 0.25F);
  EXPECT_EQ(samples[8].policy[16], 1.F);  // a pass
  EXPECT_EQ(samples[8].opponent_policy[16], 1.F);
  EXPECT_EQ(samples[8].opponent_policy_weight, 1.F);
  // Nobody answers the last ply.
  EXPECT_EQ(samples[9].policy[16], 1.F);
  EXPECT_EQ(samples[9].policy_weight, 1.F);
  EXPECT_TRUE(samples[9].opponent_policy.empty());
  EXPECT_EQ(samples[9].opponent_policy_weight, 0.F);
}

TEST(Sample, AllSymmetriesOfAGameGiveTheSymmetricRows) {
  const GameRecord game = played_game(rules_with_komi(5), kMoves);
  const std::vector<Sample> samples = samples_from(game);
  for (int s = 0; s < Symmetry::kCount; ++s) {
    const Symmetry symmetry(s);
    std::string moves;
    for (const MoveRecord& move : game.moves) {
      moves += to_text(symmetry.apply(move.move, game.rules.size), game.rules.size) + " ";
    }
    moves.pop_back();
    const std::vector<Sample> mirrored = samples_from(played_game(game.rules, moves));
    ASSERT_EQ(mirrored.size(), samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const Sample turned = transformed(samples[i], symmetry);
      EXPECT_EQ(turned.policy, mirrored[i].policy);
      EXPECT_EQ(turned.opponent_policy, mirrored[i].opponent_policy);
      EXPECT_EQ(turned.ownership, mirrored[i].ownership);
      EXPECT_EQ(turned.features.planes, mirrored[i].features.planes);
      EXPECT_EQ(turned.features.scalars, mirrored[i].features.scalars);
      EXPECT_EQ(turned.score, mirrored[i].score);
      EXPECT_EQ(turned.win, mirrored[i].win);
    }
  }
}

TEST(Sample, AGameWithoutResultTeachesThatAndNoScore) {
  GameRecord game = played_game(rules_with_komi(5), kMoves);
  game.end = GameEnd::kRepetition;
  game.outcome = {std::nullopt, true};
  for (const Sample& sample : samples_from(game)) {
    EXPECT_EQ(sample.win, 0.F);
    EXPECT_EQ(sample.loss, 0.F);
    EXPECT_EQ(sample.no_result, 1.F);
    EXPECT_EQ(sample.score, 0.F);
    EXPECT_EQ(sample.weight, 0.1F);
  }
  game.outcome = {Color::kWhite};
  const std::vector<Sample> lost = samples_from(game);
  EXPECT_EQ(lost[0].win, 0.F);
  EXPECT_EQ(lost[0].loss, 1.F);
  EXPECT_EQ(lost[1].win, 1.F);
  game.outcome = {};
  EXPECT_EQ(samples_from(game)[0].win, 0.5F);
}

TEST(Sample, OpeningMovesGiveNoRowsAndTheFirstRowKeepsItsReply) {
  GameRecord game = played_game(rules_with_komi(5), kMoves);
  for (int ply = 0; ply < 3; ++ply) {
    game.moves[static_cast<std::size_t>(ply)] = {
        .move = game.moves[static_cast<std::size_t>(ply)].move};
  }
  game.opening_moves = 3;
  const std::vector<Sample> samples = samples_from(game);
  ASSERT_EQ(samples.size(), 7U);
  EXPECT_EQ(samples[0].ply, 3);
  EXPECT_EQ(samples[0].win, 1.F);  // White to move
  EXPECT_EQ(samples[0].policy, game.moves[3].policy);
  EXPECT_EQ(samples[0].opponent_policy, game.moves[4].policy);
}

TEST(Sample, CheapMovesGiveNoRowAndNoReply) {
  GameRecord game = played_game(rules_with_komi(5), kMoves);
  for (const std::size_t ply : {2, 3, 7}) {
    game.moves[ply].weight = 0;
    game.moves[ply].policy.clear();
  }
  game.moves[4].weight = 0.25F;
  verify(game);
  const std::vector<Sample> samples = samples_from(game);
  std::vector<int> plies, with_reply;
  for (const Sample& sample : samples) {
    plies.push_back(sample.ply);
    if (sample.opponent_policy_weight > 0) with_reply.push_back(sample.ply);
    EXPECT_EQ(sample.weight, sample.ply == 4 ? 0.25F : 1.F);
  }
  EXPECT_EQ(plies, (std::vector<int>{0, 1, 4, 5, 6, 8, 9}));
  EXPECT_EQ(with_reply, (std::vector<int>{0, 4, 5, 8}));
  EXPECT_EQ(row_count(game), 7);
}

// Against the sum in which the average of the later values is defined: each ply has its share of
// what the earlier ones left, and the result the rest.
TEST(Sample, ShortTermValuesAreAveragesOfLaterSearchesAndTheResult) {
  GameRecord game = played_game(rules_with_komi(5), kMoves);
  for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
    game.moves[ply].root_win = 0.1F * static_cast<float>(ply);
    game.moves[ply].root_no_result = 0.05F;
    game.moves[ply].root_score = static_cast<float>(ply) - 3.F;
  }
  game.moves[5].visits = 0;  // no search, no opinion
  const std::vector<Sample> samples = samples_from(game);
  for (std::size_t ply = 0; ply < samples.size(); ++ply) {
    for (std::size_t k = 0; k < kShortTermFactors.size(); ++k) {
      const double now = 1 / (1 + kShortTermFactors[k] * 16);
      double left = 1, win = 0, no_result = 0, score = 0;
      for (std::size_t later = ply; later < samples.size(); ++later) {
        if (game.moves[later].visits == 0) continue;
        const bool is_mine = (later - ply) % 2 == 0;
        const double w = game.moves[later].root_win, s = game.moves[later].root_score;
        win += left * now * ((is_mine ? w : 1 - w) - 0.025);
        no_result += left * now * 0.05;
        score += left * now * (is_mine ? s : -s);
        left *= 1 - now;
      }
      win += left * samples[ply].win;
      score += left * samples[ply].score;
      const ShortTermTarget& found = samples[ply].short_term[k];
      EXPECT_NEAR(found.win, win, 0.6 / 4096) << ply << ' ' << k;
      EXPECT_NEAR(found.no_result, no_result, 0.6 / 4096);
      EXPECT_EQ(found.win + found.loss + found.no_result, 1.F);
      EXPECT_NEAR(found.score, score, 0.6 / 32);
      EXPECT_EQ(samples[ply].short_term_weight, 1.F);
    }
  }
  // The shorter the horizon, the nearer to the ply's own search.
  EXPECT_LT(std::abs(samples[0].short_term[2].win - 0.F),
            std::abs(samples[0].short_term[0].win - 0.F));
}

TEST(Sample, HandicapGamesBeginWithWhite) {
  Rules rules = rules_with_komi(0.5);
  rules.size = BoardSize::square(9);
  rules.handicap = 2;
  const GameRecord game = played_game(rules, "E5 D5 pass pass");
  verify(game);
  const std::vector<Sample> samples = samples_from(game);
  EXPECT_EQ(samples[0].win, game.outcome.winner == Color::kWhite ? 1.F : 0.F);
  EXPECT_NEAR(samples[3].short_term[2].win,
              (game.moves[3].root_win + 0.016 * 81 * samples[3].win) / (1 + 0.016 * 81), 1e-3);
}

TEST(Sample, WhatAResignationEndsSaysNothingOfTheScore) {
  GameRecord game = played_game(rules_with_komi(5), "B1 C1 B2 C2 B3 C3 B4 D4");
  Position position(game.rules);
  for (const MoveRecord& played : game.moves) position.play(played.move);
  finish(game, position, GameEnd::kResignation);
  verify(game);
  for (const Sample& sample : samples_from(game)) {
    EXPECT_EQ(sample.weight, 1.F);
    EXPECT_EQ(sample.score_weight, 0.F);
    EXPECT_EQ(sample.win, sample.ply % 2 == 0 ? 0.F : 1.F);  // Black resigned
  }
  // The last search's score, not that of the board.
  EXPECT_EQ(samples_from(game).back().short_term[0].score, -1.5F);
}

TEST(Sample, GamesCutByTheCapWeighATenth) {
  const std::vector<Sample> samples =
      samples_from(played_game(rules_with_komi(5), "B1 C1 B2 C2 B3 C3 B4 D4"));
  for (const Sample& sample : samples) EXPECT_EQ(sample.weight, 0.1F);
}

TEST(Sample, BootstrapRowsTrainNoPolicy) {
  SelfplaySettings settings = small_games();
  for (std::uint64_t index = 0; index < 20; ++index) {
    const GameRecord game = random_game(settings, index);
    verify(game);
    EXPECT_EQ(game.nets.front(), kRandomNet);
    const std::vector<Sample> samples = samples_from(game);
    EXPECT_EQ(samples.size(), game.moves.size());
    for (const Sample& sample : samples) EXPECT_EQ(sample.short_term_weight, 0.F);
    for (const Sample& sample : samples) {
      EXPECT_EQ(sample.policy_weight, 0.F);
      EXPECT_EQ(sample.opponent_policy_weight, 0.F);
      EXPECT_TRUE(sample.policy.empty());
      EXPECT_EQ(sample.ownership.size(), static_cast<std::size_t>(game.rules.size.area()));
      EXPECT_EQ(sample.win + sample.loss, 1.F);
    }
  }
}

TEST(QuantisedPolicy, SumsExactlyAndIsOffByLessThanAUnit) {
  Rng rng(3);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<float> policy(1 + rng.below(362));
    for (float& p : policy) {
      p = rng.below(3) == 0 ? 0.F : static_cast<float>(std::pow(rng.uniform(), 8));
    }
    policy[0] += 1e-3F;
    const float sum = std::accumulate(policy.begin(), policy.end(), 0.F);
    for (float& p : policy) p /= sum;
    const std::vector<std::uint16_t> units = quantised_policy(policy);
    EXPECT_EQ(std::accumulate(units.begin(), units.end(), 0), kPolicyUnit);
    const std::vector<float> back = policy_from_quantised(units);
    for (std::size_t i = 0; i < policy.size(); ++i) {
      EXPECT_NEAR(back[i], policy[i], 1.01 / kPolicyUnit);
      if (policy[i] == 0) {
        EXPECT_EQ(units[i], 0);
      }
    }
    EXPECT_EQ(quantised_policy(back), units);  // what was read is written unchanged
  }
}

TEST(QuantisedPolicy, LargestRemainderWinsAndTiesGoToTheLowerIndex) {
  const std::vector<float> even = {0.25F, 0.25F, 0.25F, 0.25F};  // 16383.75 each
  EXPECT_EQ(quantised_policy(even), (std::vector<std::uint16_t>{16384, 16384, 16384, 16383}));
}

TEST(Holdout, TakesItsShareByGame) {
  int held = 0;
  for (std::uint64_t game = 0; game < 20000; ++game) held += is_holdout(5, game, 0.02) ? 1 : 0;
  EXPECT_NEAR(held, 400, 60);
  EXPECT_FALSE(is_holdout(5, 1, 0));
  EXPECT_TRUE(is_holdout(5, 1, 1));
}

TEST(Holdout, AForkIsHeldOutWithItsParentWhosePositionsItHas) {
  for (std::uint64_t game = 0; game < 2000; ++game) {
    EXPECT_EQ(is_holdout(5, game | kForkBit, 0.3), is_holdout(5, game, 0.3)) << game;
  }
}

}  // namespace
}  // namespace tengen
