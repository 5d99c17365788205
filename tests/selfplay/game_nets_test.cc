// Several nets in one game: earlier ones as opponents, new ones that take over.

#include <gtest/gtest.h>

#include "games.h"

namespace tengen {
namespace {

class NamedEvaluator : public HashEvaluator {
 public:
  NamedEvaluator(std::uint64_t seed, std::string id) : HashEvaluator(seed), id_(std::move(id)) {}
  std::string id() const override { return id_; }

 private:
  std::string id_;
};

std::shared_ptr<Evaluator> net(int number) {
  return std::make_shared<NamedEvaluator>(number, "net-" + std::to_string(number));
}

// Games below `count`, with net 1 against net 2; parked and resumed every `stretch` steps.
std::vector<GameRecord> games_with_opponent(const SelfplaySettings& settings, int slots,
                                            std::uint64_t count, int stretch = 1 << 30) {
  std::uint64_t next = 0;
  std::vector<GameRecord> finished, parked;
  const auto first = net(1), second = net(2);
  while (true) {
    GamePool pool(slots, [&](std::uint64_t& index) {
      if (next == count) return false;
      index = next++;
      return true;
    });
    pool.set_settings(settings);
    pool.set_evaluator(first);
    pool.set_opponent(second);
    pool.resume(std::move(parked),
                [&](const std::string& id) { return id == "net-1" ? first : second; });
    for (int i = 0; i < stretch; ++i) {
      if (pool.step(finished) == 0) return finished;
    }
    parked = pool.park();
  }
}

TEST(GameNets, AnEarlierNetPlaysOneSideAndGivesNoRows) {
  SelfplaySettings settings = small_games();
  settings.games.opponent_share = 0.5;
  int against = 0, as_black = 0;
  for (const GameRecord& game : games_with_opponent(settings, 8, 60)) {
    ASSERT_NO_THROW(verify(game)) << canonical_text(game);
    const auto side = drawn_opponent(settings, game.index);
    against += side ? 1 : 0;
    as_black += side == Color::kBlack ? 1 : 0;
    for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
      const MoveRecord& played = game.moves[ply];
      const bool is_searched = static_cast<int>(ply) >= game.opening_moves;
      const Color mover = ply % 2 == 0 ? Color::kBlack : Color::kWhite;
      const bool is_opponents = is_searched && side == mover;
      EXPECT_EQ(game.nets.at(static_cast<std::size_t>(played.net)),
                is_opponents ? "net-2" : "net-1");
      EXPECT_EQ(played.weight, is_searched && !is_opponents ? 1 : 0);
      EXPECT_EQ(played.policy.empty(), played.weight == 0);
    }
  }
  EXPECT_NEAR(against, 30, 20);
  EXPECT_NEAR(as_black, against / 2.0, 14);
}

TEST(GameNets, GamesAgainstEarlierNetsDoNotDependOnPoolSizeOrParking) {
  SelfplaySettings settings = small_games();
  settings.games.opponent_share = 0.7;
  TextByIndex one, many, parked;
  add_texts(games_with_opponent(settings, 1, 16), one);
  add_texts(games_with_opponent(settings, 9, 16), many);
  add_texts(games_with_opponent(settings, 4, 16, 50), parked);
  EXPECT_TRUE(one == many);
  EXPECT_TRUE(one == parked);
}

// The share of such games may change while they are parked: who plays them may not.
TEST(GameNets, AParkedGameKeepsItsOpponentUnderOtherSettings) {
  for (const double later : {0.0, 1.0}) {
    SelfplaySettings settings = small_games();
    settings.games.opponent_share = 0.7;
    const auto first = net(1), second = net(2);
    std::uint64_t next = 0;
    const auto some = [&](std::uint64_t& index) { return (index = next++) < 24; };
    std::vector<GameRecord> finished, parked;
    {
      GamePool pool(12, some);
      pool.set_settings(settings);
      pool.set_evaluator(first);
      pool.set_opponent(second);
      for (int i = 0; i < 90; ++i) pool.step(finished);
      parked = pool.park();
    }
    ASSERT_GT(parked.size(), 3U);
    finished.clear();
    std::string text;
    for (const GameRecord& game : parked) text += canonical_text(game);
    settings.games.opponent_share = later;
    settings.seed += 1;
    GamePool pool(12, [](std::uint64_t&) { return false; });
    pool.set_settings(settings);
    pool.set_evaluator(first);
    pool.resume(parse_canonical_text(text),
                [&](const std::string& id) { return id == "net-1" ? first : second; });
    while (pool.step(finished) > 0) {
    }
    SelfplaySettings before = small_games();
    before.games.opponent_share = 0.7;
    int against = 0;
    for (const GameRecord& game : finished) {
      ASSERT_NO_THROW(verify(game));
      EXPECT_FALSE(game.opponent);
      const auto side = drawn_opponent(before, game.index);
      against += side ? 1 : 0;
      for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
        const bool is_searched = static_cast<int>(ply) >= game.opening_moves;
        const bool is_opponents =
            is_searched && side == (ply % 2 == 0 ? Color::kBlack : Color::kWhite);
        EXPECT_EQ(game.nets.at(static_cast<std::size_t>(game.moves[ply].net)),
                  is_opponents ? "net-2" : "net-1");
        EXPECT_EQ(game.moves[ply].weight, is_searched && !is_opponents ? 1 : 0);
      }
    }
    EXPECT_GT(against, 0);
  }
}

TEST(GameNets, APoolNamesTheNetsThatItsGamesMayStillAsk) {
  SelfplaySettings settings = small_games();
  settings.games.opponent_share = 1;
  std::uint64_t next = 0;
  GamePool pool(8, [&](std::uint64_t& index) { return (index = next++) < 8; });
  pool.set_settings(settings);
  pool.set_evaluator(net(1));
  using Ids = std::vector<std::string>;
  EXPECT_EQ(pool.nets(), (Ids{"net-1"}));
  pool.set_opponent(net(2));
  std::vector<GameRecord> finished;
  for (int i = 0; i < 40; ++i) pool.step(finished);
  pool.set_evaluator(net(3));
  pool.set_opponent(nullptr);
  EXPECT_EQ(pool.nets(), (Ids{"net-1", "net-2", "net-3"}));
  while (pool.step(finished) > 0) {
  }
  EXPECT_EQ(pool.nets(), (Ids{"net-3"}));
}

TEST(GameNets, ANewNetTakesOverAtTheNextSearchIfAsked) {
  for (const char* change : {"game", "move"}) {
    SelfplaySettings settings = small_games();
    settings.games.change_nets_at = change;
    std::uint64_t next = 0;
    GamePool pool(8, [&](std::uint64_t& index) { return (index = next++) < 30; });
    pool.set_settings(settings);
    const auto first = net(1);
    const std::weak_ptr<Evaluator> watched = first;
    pool.set_evaluator(first);
    std::vector<GameRecord> finished;
    for (int i = 0; i < 60; ++i) pool.step(finished);
    pool.set_evaluator(net(2));
    while (pool.step(finished) > 0) {
    }
    int changed = 0;
    for (const GameRecord& game : finished) {
      ASSERT_NO_THROW(verify(game));
      int latest = 0;
      for (const MoveRecord& played : game.moves) {
        EXPECT_GE(played.net, latest);
        latest = std::max(latest, played.net);
      }
      EXPECT_EQ(latest, static_cast<int>(game.nets.size()) - 1);
      changed += latest;
    }
    if (change == std::string("game")) {
      EXPECT_EQ(changed, 0);
    } else {
      EXPECT_GT(changed, 3);
    }
  }
}

TEST(GameNets, ANetThatNoGameNeedsIsLetGo) {
  SelfplaySettings settings = small_games();
  settings.games.change_nets_at = "move";
  std::uint64_t next = 0;
  GamePool pool(8, [&](std::uint64_t& index) { return (index = next++) < 1000; });
  pool.set_settings(settings);
  std::weak_ptr<Evaluator> watched;
  {
    const auto first = net(1);
    watched = first;
    pool.set_evaluator(first);
  }
  std::vector<GameRecord> finished;
  for (int i = 0; i < 60; ++i) pool.step(finished);
  pool.set_evaluator(net(2));
  EXPECT_FALSE(watched.expired());
  for (int i = 0; i < 20; ++i) pool.step(finished);  // all have begun another search
  EXPECT_TRUE(watched.expired());
}

TEST(GameNets, AGameWhoseNetsAreGoneIsGivenUp) {
  SelfplaySettings settings = small_games();
  settings.games.opponent_share = 1;
  GameRecord parked = begun_record(settings, 3, "net-1");
  parked.nets.push_back("net-2");
  parked.opponent = Color::kWhite;
  GamePool pool(1, [](std::uint64_t&) { return false; });
  pool.set_settings(settings);
  const auto only_first = [](const std::string& id) { return id == "net-1" ? net(1) : nullptr; };
  EXPECT_EQ(pool.resume({parked}, only_first), 1);
  parked.nets.pop_back();
  parked.opponent.reset();
  EXPECT_EQ(pool.resume({parked}, only_first), 0);
  parked.moves.push_back({.move = Point::at(1, 1), .net = 2});
  EXPECT_THROW(pool.resume({parked}, only_first), Error);
}

}  // namespace
}  // namespace tengen
