#include "selfplay/game_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "../nn/seen_evaluator.h"
#include "elsewhere_evaluator.h"
#include "games.h"
#include "nn/cache_evaluator.h"
#include "selfplay/sample.h"

namespace tengen {
namespace {

// Hash answers under a name; may fail on the n-th call, counts rows.
class TestEvaluator : public HashEvaluator {
 public:
  TestEvaluator(std::uint64_t seed, std::string id, int fail_at = -1, int batch_size = 1)
      : HashEvaluator(seed, batch_size), id_(std::move(id)), fail_at_(fail_at) {}
  void evaluate(std::span<const EvaluationInput> inputs, std::span<Evaluation> outputs) override {
    if (calls_++ == fail_at_) throw Error("device lost");
    HashEvaluator::evaluate(inputs, outputs);
    rows += static_cast<int>(inputs.size());
  }
  std::string id() const override { return id_; }
  int rows = 0;

 private:
  std::string id_;
  int fail_at_;
  int calls_ = 0;
};

TextByIndex texts_of_pool(const SelfplaySettings& settings, int slots, std::uint64_t count) {
  TextByIndex texts;
  add_texts(games_of_pool(settings, slots, count, std::make_shared<HashEvaluator>(5)), texts);
  return texts;
}

TEST(GamePool, GamesVerifyAndEndInEveryWay) {
  SelfplaySettings settings = small_games();
  settings.games.move_cap = 1.5;
  std::map<GameEnd, int> ends;
  int openings = 0;
  for (const GameRecord& game :
       games_of_pool(settings, 32, 150, std::make_shared<HashEvaluator>(5))) {
    ASSERT_NO_THROW(verify(game)) << canonical_text(game);
    ++ends[game.end];
    openings += game.opening_moves;
    EXPECT_LE(game.moves.size(), game.rules.size.area() * 1.5 + 1);
    EXPECT_EQ(static_cast<std::int64_t>(samples_from(game).size()), row_count(game));
  }
  EXPECT_GT(ends[GameEnd::kPasses], 0);
  EXPECT_GT(ends[GameEnd::kAllPassAlive], 0);
  EXPECT_GT(ends[GameEnd::kMoveCap], 0);
  EXPECT_GT(openings, 0);
}

TEST(GamePool, RandomOpeningsAskNoNetAndAreNotRows) {
  SelfplaySettings settings = small_games();
  settings.games.random_opening_share = 1;
  settings.games.random_opening_mean = 0.5;
  const auto net = std::make_shared<HashEvaluator>(5);
  int openings = 0;
  for (const GameRecord& game : games_of_pool(settings, 16, 40, net)) {
    ASSERT_NO_THROW(verify(game)) << canonical_text(game);
    std::int64_t visits = 0;
    for (const MoveRecord& played : game.moves) visits += played.visits;
    EXPECT_LE(game.evaluations, visits + row_count(game));  // each search's root is one more
    EXPECT_EQ(static_cast<std::int64_t>(samples_from(game).size()), row_count(game));
    openings += game.opening_moves;
  }
  EXPECT_GT(openings, 200);
  EXPECT_TRUE(texts_of_pool(settings, 1, 20) == texts_of_pool(settings, 7, 20));
}

TEST(GamePool, GamesDoNotDependOnThePoolsSize) {
  const TextByIndex one = texts_of_pool(small_games(), 1, 20);
  ASSERT_EQ(one.size(), 20U);
  EXPECT_TRUE(texts_of_pool(small_games(), 7, 20) == one);
  EXPECT_TRUE(texts_of_pool(small_games(), 64, 20) == one);
  EXPECT_TRUE(texts_of_pool(small_games(8), 7, 20) != one);
}

TEST(GamePool, GamesDoNotDependOnTheBatchSize) {
  TextByIndex texts;
  add_texts(games_of_pool(small_games(), 16, 20, std::make_shared<HashEvaluator>(5, 8)), texts);
  EXPECT_TRUE(texts == texts_of_pool(small_games(), 1, 20));
}

TEST(GamePool, ACacheChangesNoGame) {
  SelfplaySettings settings = small_games();
  settings.games.komi_uniform_share = 0;  // so that games have more in common
  settings.games.sizes = {4, 3};
  TextByIndex expected, texts;
  const auto plain = std::make_shared<SeenEvaluator>(5);
  add_texts(games_of_pool(settings, 16, 40, plain), expected);
  const auto inner = std::make_shared<SeenEvaluator>(5);
  // Too small for all: entries are replaced all the time.
  const auto cache = std::make_shared<EvaluationCache>(50000, BoardSize{4, 4});
  add_texts(games_of_pool(settings, 16, 40, std::make_shared<CacheEvaluator>(inner, cache)), texts);
  EXPECT_TRUE(texts == expected);
  EXPECT_EQ(cache->counts().asked, plain->rows);
  EXPECT_EQ(cache->counts().hits, plain->rows - inner->rows);
  EXPECT_GT(cache->counts().hits, 100);
  EXPECT_GT(inner->rows, 4 * static_cast<int>(cache->entries()));
}

TEST(GamePool, ParkingAndResumingChangesNoGame) {
  const SelfplaySettings settings = small_games();
  const TextByIndex expected = texts_of_pool(settings, 4, 12);
  for (const int stretch : {1, 5, 37, 400}) {  // steps between parkings; 1 makes slow progress
    std::uint64_t next = 0;
    const auto evaluator = std::make_shared<HashEvaluator>(5);
    std::vector<GameRecord> finished;
    std::vector<GameRecord> parked;
    for (int restart = 0; restart < 2000; ++restart) {
      GamePool pool(restart % 2 == 0 ? 6 : 3, [&](std::uint64_t& index) {
        if (next == 12) return false;
        index = next++;
        return true;
      });
      pool.set_settings(settings);
      pool.set_evaluator(evaluator);
      pool.resume(std::move(parked), [&](const std::string&) { return evaluator; });
      // A parked search is redone from its beginning: a stretch must hold some whole moves.
      for (int i = 0; i < stretch + settings.search.visits + 1; ++i) pool.step(finished);
      parked = pool.park();
      if (finished.size() == 12) break;
    }
    TextByIndex texts;
    add_texts(finished, texts);
    EXPECT_TRUE(texts == expected) << stretch;
  }
}

// A step asks two nets: when one fails, the other one's device may be at work.
TEST(GamePool, AfterAnErrorOfOneNetNoDeviceIsAtWork) {
  struct Failing {
    int first_finish, second_start;
  };
  for (const auto [first_finish, second_start] : {Failing{40, -1}, {-1, 40}}) {
    SelfplaySettings settings = small_games();
    settings.games.opponent_share = 1;
    std::vector<int> events;
    const auto first = std::make_shared<ElsewhereEvaluator>(1, events, -1, first_finish, "net-1");
    const auto second = std::make_shared<ElsewhereEvaluator>(2, events, second_start, -1, "net-2");
    std::uint64_t next = 0;
    GamePool pool(8, [&](std::uint64_t& index) { return (index = next++) < 8; });
    pool.set_settings(settings);
    pool.set_evaluator(first);
    pool.set_opponent(second);
    std::vector<GameRecord> finished;
    EXPECT_THROW(while (true) pool.step(finished), Error);
    EXPECT_TRUE(first->is_idle());
    EXPECT_TRUE(second->is_idle());
    EXPECT_GT(std::ranges::count(events, 2), 20);
    while (pool.step(finished) > 0) {  // and the games go on
    }
    EXPECT_EQ(finished.size(), 8U);
    for (const GameRecord& game : finished) ASSERT_NO_THROW(verify(game));
  }
}

TEST(GamePool, AGameKeepsTheNetItBeganWith) {
  SelfplaySettings settings = small_games();
  std::uint64_t next = 0;
  GamePool pool(8, [&](std::uint64_t& index) {
    index = next++;
    return true;
  });
  pool.set_settings(settings);
  std::weak_ptr<Evaluator> old_net;
  {
    const auto first = std::make_shared<TestEvaluator>(1, "net-1");
    old_net = first;
    pool.set_evaluator(first);
  }
  std::vector<GameRecord> finished;
  for (int i = 0; i < 100; ++i) pool.step(finished);
  EXPECT_GT(pool.step(finished), 1);  // one leaf of each game under way
  const std::uint64_t begun = next;
  pool.set_evaluator(std::make_shared<TestEvaluator>(2, "net-2"));
  EXPECT_FALSE(old_net.expired());
  while (finished.size() < 60) pool.step(finished);
  EXPECT_TRUE(old_net.expired());  // let go once its last game is over
  TextByIndex texts;
  add_texts(finished, texts);
  TextByIndex old_texts;
  add_texts(games_of_pool(settings, 1, begun, std::make_shared<TestEvaluator>(1, "net-1")),
            old_texts);
  for (const GameRecord& game : finished) {
    EXPECT_EQ(game.nets.front(), game.index < begun ? "net-1" : "net-2");
  }
  for (const auto& [index, text] : old_texts) EXPECT_EQ(texts.at(index), text);
}

TEST(GamePool, RowsAreCountedAndEveryRowBelongsToAGame) {
  const auto evaluator = std::make_shared<TestEvaluator>(5, "hash");
  const std::vector<GameRecord> games = games_of_pool(small_games(), 4, 10, evaluator);
  std::int64_t evaluations = 0;
  for (const GameRecord& game : games) evaluations += game.evaluations;
  EXPECT_EQ(evaluator->rows, evaluations);
}

TEST(GamePool, AFailedEvaluationCanBeTriedAgain) {
  const SelfplaySettings settings = small_games();
  std::uint64_t next = 0;
  GamePool pool(4, [&](std::uint64_t& index) {
    if (next == 8) return false;
    index = next++;
    return true;
  });
  pool.set_settings(settings);
  pool.set_evaluator(std::make_shared<TestEvaluator>(5, "hash", 123));
  std::vector<GameRecord> finished;
  int failures = 0;
  bool is_over = false;
  while (!is_over) {
    try {
      is_over = pool.step(finished) == 0;
    } catch (const Error&) {
      ++failures;
    }
  }
  EXPECT_EQ(failures, 1);
  TextByIndex texts;
  add_texts(finished, texts);
  EXPECT_TRUE(texts == texts_of_pool(settings, 4, 8));
}

TEST(GamePool, SlotsBeginOneAfterTheOther) {
  std::uint64_t next = 0;
  GamePool pool(16, [&](std::uint64_t& index) {
    index = next++;
    return true;
  });
  SelfplaySettings settings = small_games();
  settings.games.sizes = {5};
  pool.set_settings(settings);
  pool.set_evaluator(std::make_shared<TestEvaluator>(5, "hash", -1, 4));
  std::vector<GameRecord> finished;
  EXPECT_EQ(pool.step(finished), 4);  // a whole batch
  for (int i = 0; i < 40; ++i) pool.step(finished);
  EXPECT_EQ(pool.step(finished), 8);  // one leaf of each game under way
  for (int i = 0; i < 150; ++i) pool.step(finished);
  EXPECT_EQ(pool.step(finished), 16);
}

TEST(GamePool, AParkedGameThatDoesNotReplayIsAnError) {
  GamePool pool(1, [](std::uint64_t&) { return false; });
  pool.set_settings(small_games());
  std::vector<GameRecord> parked = {begun_record(small_games(), 3, "hash")};
  parked[0].moves.resize(2, {.move = Point::at(1, 1)});
  EXPECT_THROW(pool.resume(parked, [](const auto&) { return std::make_shared<HashEvaluator>(5); }),
               Error);
}

// Games 0 to `count` - 1, parked after so many steps.
std::vector<GameRecord> parked_games(const SelfplaySettings& settings, std::uint64_t count,
                                     int steps) {
  std::uint64_t next = 0;
  GamePool pool(static_cast<int>(count), [&](std::uint64_t& index) {
    index = next++;
    return index < count;
  });
  pool.set_settings(settings);
  pool.set_evaluator(std::make_shared<HashEvaluator>(5));
  std::vector<GameRecord> finished;
  for (int i = 0; i < steps; ++i) pool.step(finished);
  return pool.park();
}

std::vector<GameRecord> games_resumed(std::vector<GameRecord> parked,
                                      const SelfplaySettings& settings) {
  GamePool pool(1, [](std::uint64_t&) { return false; });
  pool.set_settings(settings);
  const auto evaluator = std::make_shared<HashEvaluator>(5);
  pool.set_evaluator(evaluator);
  pool.resume(std::move(parked), [&](const std::string&) { return evaluator; });
  std::vector<GameRecord> finished;
  while (pool.step(finished) > 0) {
  }
  return finished;
}

TEST(GamePool, ParkedGamesBeyondALoweredMoveCapEndWhereTheyStand) {
  SelfplaySettings settings = small_games();
  const std::vector<GameRecord> parked = parked_games(settings, 16, 200);
  ASSERT_GT(parked.size(), 8U);
  settings.games.move_cap = 0.5;
  int beyond = 0;
  const std::vector<GameRecord> games = games_resumed(parked, settings);
  ASSERT_EQ(games.size(), parked.size());
  for (const GameRecord& game : games) {
    const auto before = std::ranges::find(parked, game.index, &GameRecord::index);
    const auto cap = static_cast<std::size_t>(move_cap(settings.games, game.rules.size));
    ASSERT_NO_THROW(verify(game)) << canonical_text(game);
    EXPECT_LE(game.moves.size(), std::max(cap, before->moves.size()));
    if (before->moves.size() <= cap) continue;
    ++beyond;
    EXPECT_EQ(game.moves.size(), before->moves.size());
    EXPECT_EQ(game.end, GameEnd::kMoveCap);
  }
  EXPECT_GT(beyond, 3);
}

TEST(GamePool, AParkedGameThatWasSettledBeforeEndsWhereItStands) {
  SelfplaySettings settings = small_games();
  settings.games.sizes = {4};
  settings.games.pass_alive_end_share = 1;  // it was parked under 0
  GameRecord parked = begun_record(settings, 0, "hash");
  parked.opening_moves = 0;
  int settled_plies = 0;
  Position position(parked.rules);
  for (const char* text : {"A2", "pass", "B2", "pass", "C2", "pass", "D2", "pass", "B1", "pass",
                           "C3", "pass", "B4", "pass", "B3", "pass", "C4"}) {
    const Move move = parse_move(text, parked.rules.size).value();
    parked.moves.push_back({.move = move});
    position.play(move);
    settled_plies += position.is_all_pass_alive() ? 1 : 0;
  }
  ASSERT_EQ(settled_plies, 3);
  const std::vector<GameRecord> games = games_resumed({parked}, settings);
  ASSERT_EQ(games.size(), 1U);
  EXPECT_EQ(games[0].end, GameEnd::kAllPassAlive);
  EXPECT_EQ(games[0].moves.size(), parked.moves.size());
  EXPECT_NO_THROW(verify(games[0]));
}

TEST(GamePool, TwoPoolsOnTwoThreadsShareOnlyTheIndex) {
  const SelfplaySettings settings = small_games();
  std::atomic<std::uint64_t> next = 0;
  std::array<std::vector<GameRecord>, 2> finished;
  std::vector<std::thread> threads;
  for (auto& games : finished) {
    threads.emplace_back([&] {
      GamePool pool(5, [&](std::uint64_t& index) { return (index = next++) < 20; });
      pool.set_settings(settings);
      pool.set_evaluator(std::make_shared<HashEvaluator>(5));
      while (pool.step(games) > 0) {
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  TextByIndex texts;
  for (const auto& games : finished) add_texts(games, texts);
  EXPECT_TRUE(texts == texts_of_pool(settings, 1, 20));
}

}  // namespace
}  // namespace tengen
