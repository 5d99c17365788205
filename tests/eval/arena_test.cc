#include "eval/arena.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ranges>
#include <set>

#include "rules/check.h"
#include "rules/presets.h"
#include "rules/rules_text.h"
#include "tests/eval/players.h"

namespace tengen {
namespace {

ArenaOptions small_match() {
  return {.rules = rules_on(5, 0.5), .pairs = 12, .opening_moves = 3, .seed = 7};
}

FunctionPlayer passer() {
  return {"passer", [](const MoveRequest&) { return MoveChoice{}; }};
}

TEST(Arena, GivesTheSameMatchForAnyNumberOfPairsInFlight) {
  const auto a = make_rollout_player(20), b = make_random_player();
  ArenaOptions options = small_match();
  options.parallel_pairs = 1;
  const std::string one = to_json(play_match(*a, *b, options), options);
  for (const int parallel : {3, 64}) {
    options.parallel_pairs = parallel;
    EXPECT_EQ(to_json(play_match(*a, *b, options), options), one);
  }
}

TEST(Arena, StopsAtTheSamePairForAnyNumberOfPairsInFlight) {
  const auto a = make_rollout_player(20), b = make_random_player();
  ArenaOptions options = small_match();
  const auto stop = [](const MatchScore& score) { return score.pair_count() == 5; };
  options.parallel_pairs = 1;
  const std::string one = to_json(play_match(*a, *b, options, stop), options);
  options.parallel_pairs = 64;
  const MatchResult match = play_match(*a, *b, options, stop);
  EXPECT_EQ(match.games.size(), 10U);
  EXPECT_EQ(to_json(match, options), one);
}

TEST(Arena, PairsGoOverTheBoardsInTurn) {
  ArenaOptions options = small_match();
  options.pairs = 3;
  options.sizes = {BoardSize::square(3), {5, 4}};
  const auto player = make_random_player();
  const MatchResult match = play_match(*player, *player, options);
  ASSERT_EQ(match.games.size(), 6U);
  for (const ArenaGame& game : match.games) {
    EXPECT_EQ(game.size, options.sizes[static_cast<std::size_t>(game.pair % 2)]);
  }
  EXPECT_EQ(nlohmann::json::parse(to_json(match, options))["record"][2]["size"], "5x4");
}

TEST(Arena, SwappedPlayersGiveTheSwappedScore) {
  const auto a = make_rollout_player(20), b = make_random_player();
  const MatchResult ab = play_match(*a, *b, small_match()), ba = play_match(*b, *a, small_match());
  EXPECT_EQ(ab.score.wins, ba.score.losses);
  EXPECT_EQ(ab.score.draws, ba.score.draws);
  EXPECT_TRUE(std::ranges::equal(ab.score.pairs, std::views::reverse(ba.score.pairs)));
  EXPECT_NE(ab.score.wins, ab.score.losses);
}

TEST(Arena, PlaysEachOpeningWithBothColours) {
  const auto a = make_random_player(), b = make_random_player();
  const MatchResult match = play_match(*a, *b, small_match());
  ASSERT_EQ(match.games.size(), 24U);
  for (std::size_t i = 0; i < match.games.size(); i += 2) {
    const ArenaGame &first = match.games[i], &second = match.games[i + 1];
    EXPECT_EQ(first.pair, static_cast<int>(i / 2));
    EXPECT_EQ(second.pair, first.pair);
    EXPECT_TRUE(first.a_is_black);
    EXPECT_FALSE(second.a_is_black);
    for (int ply = 0; ply < 3; ++ply) EXPECT_EQ(first.moves[ply], second.moves[ply]);
  }
  EXPECT_GT(distinct_games(match.games), 8);
}

TEST(Arena, PlaysGivenOpeningsAtTheirKomi) {
  auto a = passer(), b = passer();
  ArenaOptions options{.rules = rules_on(5, 0.5), .pairs = 3};
  options.openings = {{Point::at(2, 2)}, {Point::at(2, 2), Point::at(0, 0)}};
  options.komis = {Komi::from_half_points(49), Komi::from_half_points(0)};
  const MatchResult match = play_match(a, b, options);
  // Black alone owns the board: 25 - 24.5. With a White stone there is no territory: 1 - 1.
  EXPECT_EQ(match.games[0].black_margin, 0.5);
  EXPECT_EQ(match.games[1].black_margin, 0.5);
  EXPECT_EQ(match.games[2].black_margin, 0);
  EXPECT_EQ(match.games[2].a_points, 0.5);
  EXPECT_EQ(match.games[4].black_margin, 0.5);
  EXPECT_EQ(match.score.pairs, (std::array{0, 0, 3, 0, 0}));
}

TEST(Arena, EndsAGameAtTheMoveCapAndScoresItAsItStands) {
  const auto random = make_random_player();
  ArenaOptions options = small_match();
  options.move_cap = 0.4;  // 10 plies
  for (const ArenaGame& game : play_match(*random, *random, options).games) {
    EXPECT_EQ(game.end, ArenaEnd::kMoveCap);
    EXPECT_EQ(game.moves.size(), 10U);
    Position position(options.rules);
    for (const Move move : game.moves) position.play(move);
    EXPECT_EQ(game.black_margin, position.score().black_margin());
  }
}

TEST(Arena, EndsAGameWhenEverythingIsPassAlive) {
  const auto random = make_random_player();
  int settled = 0;
  const ArenaOptions options = small_match();
  for (const ArenaGame& game : play_match(*random, *random, options).games) {
    if (game.end != ArenaEnd::kAllPassAlive) continue;
    ++settled;
    Position position(options.rules);
    for (const Move move : game.moves) {
      EXPECT_FALSE(position.is_all_pass_alive());
      position.play(move);
    }
    EXPECT_TRUE(position.is_all_pass_alive());
  }
  EXPECT_GT(settled, 0);
}

TEST(Arena, CountsAResignationForTheOpponent) {
  FunctionPlayer coward("coward", [](const MoveRequest&) { return MoveChoice{.resign = true}; });
  const auto other = make_random_player();
  const MatchResult match = play_match(coward, *other, small_match());
  EXPECT_EQ(match.score.losses, 24);
  EXPECT_EQ(match.games[0].end, ArenaEnd::kResignation);
}

TEST(Arena, MakesAPlayersFailureAnErrorThatNamesIt) {
  FunctionPlayer broken("broken net",
                        [](const MoveRequest&) -> MoveChoice { throw std::runtime_error("gone"); });
  const auto other = make_random_player();
  try {
    play_match(*other, broken, small_match());
    FAIL() << "a crash is not a win";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("broken net failed: gone"), std::string::npos) << e.what();
  }
}

TEST(Arena, RefusesIllegalMoves) {
  FunctionPlayer corner("corner",
                        [](const MoveRequest&) { return MoveChoice{.move = Point::at(0, 0)}; });
  const auto other = make_random_player();
  EXPECT_THROW(play_match(corner, *other, small_match()), Error);
  ArenaOptions options = small_match();
  options.openings = {{Point::at(1, 1), Point::at(1, 1)}};
  EXPECT_THROW(play_match(*other, *other, options), Error);
}

TEST(Arena, TellsPlayersTheGameSoFar) {
  FunctionPlayer historian("historian", [](const MoveRequest& request) {
    Position position(request.position->rules());
    for (const auto& played : request.moves) {
      EXPECT_EQ(played.color, position.to_move());
      position.play(played.move);
    }
    EXPECT_EQ(position.board(), request.position->board());
    EXPECT_EQ(position.ply(), request.position->ply());
    return MoveChoice{};
  });
  const auto other = make_random_player();
  play_match(historian, *other, small_match());
}

TEST(Arena, WritesAMatchAsJsonThatReplays) {
  const auto a = make_rollout_player(10), b = make_random_player();
  const ArenaOptions options = small_match();
  const MatchResult match = play_match(*a, *b, options);
  const auto json = nlohmann::json::parse(to_json(match, options));
  EXPECT_EQ(json["games"], 24);
  EXPECT_EQ(json["a_wins"], match.score.wins);
  EXPECT_EQ(parse_rules(json["rules"].get<std::string>()), options.rules);
  ASSERT_EQ(json["record"].size(), 24U);
  Position position(options.rules);
  std::istringstream moves(json["record"][0]["moves"].get<std::string>());
  for (std::string text; moves >> text;) {
    const auto move = parse_move(text, options.rules.size);
    ASSERT_TRUE(move && position.is_legal(*move)) << text;
    position.play(*move);
  }
  EXPECT_EQ(position.ply(), static_cast<int>(match.games[0].moves.size()));
}

TEST(Arena, AGameEndsByAllThatItsRulesKnow) {
  // Under simple ko and with suicide of lone stones allowed, random play repeats itself.
  const auto a = make_random_player(), b = make_random_player();
  const auto results_of = [&](const char* repetition) {
    ArenaOptions options{
        .rules = parse_rules(std::string("5x5 ko=simple suicide=all repetition=") + repetition),
        .pairs = 60,
        .opening_moves = 0};
    const MatchResult match = play_match(*a, *b, options);
    const auto json = nlohmann::json::parse(to_json(match, options));
    std::set<std::string> results;
    for (std::size_t i = 0; i < match.games.size(); ++i) {
      const ArenaGame& game = match.games[i];
      if (game.end != ArenaEnd::kRepetition) continue;
      EXPECT_EQ(game.a_points, !game.outcome.winner                                        ? 0.5
                               : (game.outcome.winner == Color::kBlack) == game.a_is_black ? 1
                                                                                           : 0);
      results.insert(json["record"][i]["result"].get<std::string>());
    }
    return results;
  };
  EXPECT_EQ(results_of("no-result"), (std::set<std::string>{"Void"}));
  EXPECT_EQ(results_of("draw"), (std::set<std::string>{"0"}));
  const auto lost = results_of("loss");
  EXPECT_FALSE(lost.empty());
  for (const std::string& result : lost) EXPECT_TRUE(result.ends_with("+F")) << result;
}

TEST(Arena, GamesUnderEveryPresetEnd) {
  const auto a = make_rollout_player(4), b = make_random_player();
  for (const Preset& preset : presets()) {
    ArenaOptions options{.rules = preset.rules, .pairs = 1, .opening_moves = 2};
    options.rules.size = BoardSize::square(9);
    const MatchResult match = play_match(*a, *b, options);
    EXPECT_EQ(match.games.size(), 2U) << preset.name;
  }
}

TEST(PairMargins, AreTheMarginsOfBothGamesTogether) {
  const auto game = [](bool a_is_black, double black_margin) {
    ArenaGame g;
    g.a_is_black = a_is_black;
    g.black_margin = black_margin;
    return g;
  };
  // A takes all as Black and loses by half a point as White; the same in both; loses more than it
  // wins; loses little as Black and wins much as White.
  const std::vector<ArenaGame> games = {game(true, 24.5), game(false, 0.5),  game(true, 0.5),
                                        game(false, 0.5), game(true, 1.5),   game(false, 2.5),
                                        game(true, -3.5), game(false, -20.5)};
  const PairMargins points = pair_margins(games);
  EXPECT_EQ(points.won, 2);
  EXPECT_EQ(points.even, 1);
  EXPECT_EQ(points.lost, 1);
  EXPECT_DOUBLE_EQ(points.share(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(pair_margins(std::span(games).subspan(2, 2)).share(), 0.5);
}

}  // namespace
}  // namespace tengen
