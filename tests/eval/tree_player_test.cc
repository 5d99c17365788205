#include <gtest/gtest.h>

#include <set>

#include "rules/check.h"
#include "tests/eval/players.h"

namespace tengen {
namespace {

// Hash answers, counted; every call from the `failing`-th on throws, and the `stopping`-th asks for
// a stop.
class CountingEvaluator : public Evaluator {
 public:
  void evaluate(std::span<const EvaluationInput> inputs, std::span<Evaluation> outputs) override {
    if (fails) throw Error("the device is gone");
    rows += static_cast<int>(inputs.size());
    most = std::max(most, static_cast<int>(inputs.size()));
    hash_.evaluate(inputs, outputs);
    if (rows >= stops_at) stop.request_stop();
  }
  int batch_size() const override { return 1; }
  std::string id() const override { return "counting"; }

  bool fails = false;
  int rows = 0;
  int most = 0;
  int stops_at = 1 << 30;
  std::stop_source stop;

 private:
  HashEvaluator hash_{5};
};

SearchOptions puct(int visits) {
  return {.visits = visits, .gumbel_scale = 0, .algorithm = "puct"};
}

// A game in which a player is asked for moves.
class Game {
 public:
  Game() : position(rules_on(5, 0.5)) {}
  MoveRequest request() const { return {.position = &position, .seed = 1, .moves = played}; }
  Move ask(Player& player) const {
    const MoveRequest asked = request();
    MoveChoice choice;
    player.choose({&asked, 1}, {&choice, 1});
    return choice.move;
  }
  void play(Move move) {
    played.push_back({position.to_move(), move});
    position.play(move);
  }

  Position position;
  std::vector<Position::Played> played;
};

TEST(TreePlayer, KeepsWhatIsLeftOfItsTree) {
  const auto counting = std::make_shared<CountingEvaluator>();
  const auto player = make_tree_player(counting, puct(200));
  Game game;
  game.play(game.ask(*player));
  const int first = counting->rows;
  game.play(game.ask(*player));  // for the other side: the likeliest answer
  EXPECT_GT(first, 150);
  EXPECT_LT(counting->rows - first, first - 20);
}

TEST(TreePlayer, ChoosesAsASearchDoesWhereNothingIsKept) {
  const auto plain = make_search_player(std::make_shared<CountingEvaluator>(), puct(60));
  const auto player = make_tree_player(std::make_shared<CountingEvaluator>(), puct(60));
  Game game;
  const Move first = game.ask(*player);
  EXPECT_EQ(first, game.ask(*plain));
  game.play(first);
  game.ask(*player);
  Game other;  // another game, then the first one taken back
  other.play(Move(Point::at(4, 4)));
  EXPECT_EQ(other.ask(*player), other.ask(*plain));
  EXPECT_EQ(Game().ask(*player), first);
}

// Two set-ups have as many moves, none: their trees are told apart by the board.
TEST(TreePlayer, BeginsAnewOnAnotherSetUp) {
  const Rules rules = rules_on(5, 0.5);
  const auto set_up = [&](const char* text) {
    return Position(rules, board_from_text(text), Color::kWhite);
  };
  const Position first = set_up(R"(
      . . . . X
      . . . . .
      . . . . .
      . . . . .
      X . . . .)");
  const Position second = set_up(R"(
      . . . . .
      . . . . .
      . X X . .
      . . . . .
      . . . . .)");
  const auto ask = [](Player& player, const Position& position) {
    const MoveRequest request{.position = &position, .seed = 1, .moves = {}};
    MoveChoice choice;
    player.choose({&request, 1}, {&choice, 1});
    return choice.move;
  };
  const auto counting = std::make_shared<CountingEvaluator>();
  const auto player = make_tree_player(counting, puct(60), 1);
  ask(*player, first);
  counting->rows = 0;
  const Move again = ask(*player, second);
  EXPECT_GT(counting->rows, 50);
  const auto fresh = make_tree_player(std::make_shared<CountingEvaluator>(), puct(60), 1);
  EXPECT_EQ(again, ask(*fresh, second));
}

TEST(TreePlayer, PondersUntilItIsToldToStopAndProfits) {
  const auto counting = std::make_shared<CountingEvaluator>();
  const auto player = make_tree_player(counting, puct(100));
  Game game;
  game.play(game.ask(*player));
  counting->stops_at = counting->rows + 700;
  player->ponder(game.request(), counting->stop.get_token());
  EXPECT_EQ(counting->rows, counting->stops_at);
  const int before = counting->rows;
  game.play(game.ask(*player));  // the most visited reply: hardly anything is left to search
  EXPECT_EQ(counting->rows, before);
  game.ask(*player);
  EXPECT_LT(counting->rows - before, 60);
}

TEST(TreePlayer, PonderingEndsByItself) {
  const auto counting = std::make_shared<CountingEvaluator>();
  const auto player = make_tree_player(counting, puct(10));
  Game game;
  game.play(game.ask(*player));
  player->ponder(game.request(), {});
  EXPECT_LE(counting->rows, 11 + kPonderFactor * 10);
  EXPECT_GT(counting->rows, kPonderFactor * 10 / 2);
}

TEST(TreePlayer, PlaysOnAfterAFailure) {
  const auto counting = std::make_shared<CountingEvaluator>();
  const auto player = make_tree_player(counting, puct(30), 4);
  Game game;
  const Move first = game.ask(*player);
  game.play(first);
  counting->fails = true;
  EXPECT_THROW(game.ask(*player), Error);
  counting->fails = false;
  EXPECT_TRUE(game.position.is_legal(game.ask(*player)));
}

TEST(TreePlayer, PlaysWholeGamesOfEveryAlgorithm) {
  for (const std::string algorithm : {"gumbel", "puct", "hybrid"}) {
    SearchOptions options = puct(12);
    options.algorithm = algorithm;
    const auto player = make_tree_player(std::make_shared<CountingEvaluator>(), options, 3);
    Game game;
    for (int ply = 0; ply < 200 && !game.position.is_over(); ++ply) {
      const Move move = game.ask(*player);
      ASSERT_TRUE(game.position.is_legal(move));
      game.play(move);
      if (ply % 3 == 0) player->ponder(game.request(), {});
    }
    EXPECT_TRUE(game.position.is_over());
  }
}

TEST(SearchPlayer, WithSeveralLeavesPlaysTheSameByGumbelInFewerCalls) {
  const auto counting = std::make_shared<CountingEvaluator>();
  const SearchOptions options{.visits = 32, .gumbel_scale = 0};
  const auto one = make_search_player(std::make_shared<CountingEvaluator>(), options);
  const auto several = make_search_player(counting, options, 8);
  Game game;
  for (int ply = 0; ply < 10; ++ply) {
    const Move move = game.ask(*one);
    EXPECT_EQ(game.ask(*several), move);
    game.play(move);
  }
  EXPECT_EQ(counting->most, 8);
}

}  // namespace
}  // namespace tengen
