#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "../nn/seen_evaluator.h"
#include "elsewhere_evaluator.h"
#include "games.h"
#include "nn/cache_evaluator.h"
#include "rules/check.h"
#include "selfplay/game_file.h"
#include "selfplay/selfplay_session.h"

namespace tengen {
namespace {

std::shared_ptr<Evaluator> hash(int) {
  return std::make_shared<HashEvaluator>(5);
}

TextByIndex texts_of_session(int workers, int slots, std::uint64_t count) {
  SelfplaySession session(workers, slots);
  session.set_settings(small_games());
  session.set_evaluators(hash);
  TextByIndex texts;
  const SelfplayCounts counts = session.play(
      {.end_index = count}, [&](const std::vector<GameRecord>& games) { add_texts(games, texts); });
  EXPECT_EQ(counts.games, static_cast<std::int64_t>(count));
  EXPECT_TRUE(session.park().empty());
  EXPECT_EQ(session.next_index(), count);
  return texts;
}

TEST(SelfplaySession, GamesDoNotDependOnWorkersAndPoolSize) {
  const TextByIndex expected = texts_of_session(1, 3, 24);
  ASSERT_EQ(expected.size(), 24U);
  EXPECT_EQ(expected.begin()->first, 0U);
  EXPECT_EQ(expected.rbegin()->first, 23U);
  EXPECT_TRUE(texts_of_session(1, 16, 24) == expected);
  EXPECT_TRUE(texts_of_session(2, 3, 24) == expected);
  EXPECT_TRUE(texts_of_session(2, 16, 24) == expected);
}

TEST(SelfplaySession, StopsAfterEnoughRowsAndGoesOnWhereItStood) {
  SelfplaySession session(2, 4);
  session.set_settings(small_games());
  session.set_evaluators(hash);
  TextByIndex texts;
  const auto add = [&](const std::vector<GameRecord>& games) { add_texts(games, texts); };
  std::int64_t rows = 0;
  for (int phase = 0; phase < 3; ++phase) {
    const SelfplayCounts counts = session.play({.rows = 100}, add);
    EXPECT_GE(counts.rows, 100);
    EXPECT_GT(counts.evaluations, counts.rows);
    EXPECT_GE(counts.moves, counts.rows);
    EXPECT_GT(session.next_index(), session.totals().games);  // games are under way
    rows += counts.rows;
  }
  EXPECT_EQ(session.totals().rows, rows);
  EXPECT_EQ(session.totals().games, static_cast<std::int64_t>(texts.size()));
  // Whatever was finished is what one pool plays.
  session.play({.end_index = session.next_index()}, add);
  EXPECT_TRUE(texts == texts_of_session(1, 1, session.next_index()));
}

TEST(SelfplaySession, ParkedGamesGoThroughAFileAndFinishTheSame) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("tengen_parked_" + std::to_string(::getpid()) + ".txt");
  TextByIndex texts;
  const auto add = [&](const std::vector<GameRecord>& games) { add_texts(games, texts); };
  std::uint64_t next = 0;
  {
    SelfplaySession session(2, 4);
    session.set_settings(small_games());
    session.set_evaluators(hash);
    session.play({.games = 5}, add);
    const std::vector<GameRecord> parked = session.park();
    EXPECT_FALSE(parked.empty());
    write_games(path, parked);
    next = session.next_index();
  }
  SelfplaySession session(1, 2, next);
  session.set_settings(small_games());
  session.set_evaluators(hash);
  const int given_up = session.resume(
      read_games(path), [](int, const std::string& net) -> std::shared_ptr<Evaluator> {
        return net == "hash" ? hash(0) : nullptr;
      });
  EXPECT_EQ(given_up, 0);
  session.play({.end_index = next}, add);
  EXPECT_TRUE(texts == texts_of_session(1, 3, next));
  std::filesystem::remove(path);
}

TEST(SelfplaySession, GamesOfANetThatIsGoneAreGivenUp) {
  SelfplaySession session(1, 2);
  session.set_settings(small_games());
  std::vector<GameRecord> parked = {begun_record(small_games(), 0, "net-1"),
                                    begun_record(small_games(), 1, "hash")};
  const int given_up =
      session.resume(parked, [](int, const std::string& net) -> std::shared_ptr<Evaluator> {
        return net == "hash" ? hash(0) : nullptr;
      });
  EXPECT_EQ(given_up, 1);
  EXPECT_EQ(session.park().size(), 1U);
}

class FailingEvaluator : public HashEvaluator {
 public:
  FailingEvaluator() : HashEvaluator(5) {}
  void evaluate(std::span<const EvaluationInput> inputs, std::span<Evaluation> outputs) override {
    if (calls_++ == 200) throw Error("device lost");
    HashEvaluator::evaluate(inputs, outputs);
  }

 private:
  int calls_ = 0;
};

TEST(SelfplaySession, AnExceptionInAWorkerReachesTheCaller) {
  SelfplaySession session(2, 4);
  session.set_settings(small_games());
  session.set_evaluators([](int worker) -> std::shared_ptr<Evaluator> {
    if (worker == 1) return std::make_shared<FailingEvaluator>();
    return hash(worker);
  });
  EXPECT_THROW(session.play({}, [](const std::vector<GameRecord>&) {}), Error);
  EXPECT_GT(session.totals().evaluations, 0);
  EXPECT_FALSE(session.park().empty());
}

TEST(SelfplaySession, PoolsTakeTurnsWhileTheDeviceIsAtWork) {
  SelfplaySession session(1, 16, 0, 2);
  ASSERT_EQ(session.pools(), 2);
  session.set_settings(small_games());
  std::vector<int> events;
  session.set_evaluators(
      [&](int pool) { return std::make_shared<ElsewhereEvaluator>(pool + 1, events); });
  TextByIndex texts;
  session.play({.end_index = 24},
               [&](const std::vector<GameRecord>& games) { add_texts(games, texts); });
  EXPECT_TRUE(texts == texts_of_session(1, 3, 24));
  // Each begins before the other is done.
  const std::vector<int> turns = {1, 2, -1, 1, -2, 2, -1, 1, -2, 2};
  ASSERT_GT(events.size(), 400U);
  EXPECT_TRUE(std::equal(turns.begin(), turns.end(), events.begin()));
  int alone = 0;
  for (std::size_t i = 0; i + 1 < events.size(); ++i)
    alone += events[i] > 0 && events[i + 1] == -events[i];
  EXPECT_LT(alone, 100) << "only when the other pool has no games left";
}

TEST(SelfplaySession, TwoThreadsWithTwoPoolsEachPlayTheSameGames) {
  SelfplaySession session(2, 10, 0, 2);
  session.set_settings(small_games());
  std::vector<int> events[4];
  session.set_evaluators(
      [&](int pool) { return std::make_shared<ElsewhereEvaluator>(pool + 1, events[pool]); });
  TextByIndex texts;
  session.play({.end_index = 30},
               [&](const std::vector<GameRecord>& games) { add_texts(games, texts); });
  EXPECT_TRUE(texts == texts_of_session(1, 3, 30));
  for (const auto& of_pool : events) EXPECT_GT(of_pool.size(), 50U);
}

TEST(SelfplaySession, AfterAnErrorOfADeviceNothingIsUnderWayAndNoGameIsLost) {
  for (const auto& [start_fails_at, finish_fails_at] : {std::pair{60, -1}, {-1, 60}}) {
    SelfplaySession session(1, 8, 0, 2);
    session.set_settings(small_games());
    std::vector<int> events;
    std::vector<std::shared_ptr<ElsewhereEvaluator>> devices = {
        std::make_shared<ElsewhereEvaluator>(1, events),
        std::make_shared<ElsewhereEvaluator>(2, events, start_fails_at, finish_fails_at)};
    session.set_evaluators([&](int pool) { return devices[static_cast<std::size_t>(pool)]; });
    TextByIndex texts;
    const auto add = [&](const std::vector<GameRecord>& games) { add_texts(games, texts); };
    EXPECT_THROW(session.play({.end_index = 12}, add), Error);
    for (const auto& device : devices) EXPECT_TRUE(device->is_idle());
    auto parked = session.park();
    EXPECT_GT(parked.size(), 2U);
    EXPECT_EQ(texts.size() + parked.size(), session.next_index());
    session.resume(std::move(parked), [](int, const std::string&) { return hash(0); });
    session.set_evaluators(hash);
    session.play({.end_index = 12}, add);
    EXPECT_TRUE(texts == texts_of_session(1, 3, 12));
  }
}

TEST(SelfplaySession, AnExceptionInTheCallbackStopsTheWorkers) {
  SelfplaySession session(2, 4);
  session.set_settings(small_games());
  session.set_evaluators(hash);
  EXPECT_THROW(session.play({}, [](const std::vector<GameRecord>&) { throw Error("disk full"); }),
               Error);
}

TEST(SelfplaySession, StopsWhenAsked) {
  SelfplaySession session(2, 4);
  session.set_settings(small_games());
  session.set_evaluators(hash);
  int asked = 0;
  std::int64_t seen = 0;
  session.play({.should_stop =
                    [&] {
                      EXPECT_GE(session.totals().evaluations, seen);
                      seen = session.totals().evaluations;  // up to date while playing
                      return ++asked >= 3 && seen > 0;
                    }},
               [](const std::vector<GameRecord>&) {});
  EXPECT_GE(asked, 3);
  EXPECT_GT(seen, 0);
  EXPECT_GE(session.totals().evaluations, seen);
}

// All that threads share at once: a cache, two pools each, new nets and earlier ones between
// stretches, forks, games that are parked and taken up. For one second, or as many as
// TENGEN_SELFPLAY_SECONDS says: under the thread sanitizer it is to be a minute.
TEST(SelfplaySession, AWholeRunOnTwoThreads) {
  const char* given = std::getenv("TENGEN_SELFPLAY_SECONDS");
  const std::chrono::duration<double> seconds(given == nullptr ? 1.0 : std::atof(given));
  const auto end = std::chrono::steady_clock::now() + seconds;
  SelfplaySettings settings = small_games();
  settings.games.sizes = {5, 7, 9};
  settings.games.opponent_share = 0.3;
  settings.games.fork_share = 0.3;
  settings.games.change_nets_at = "move";
  settings.search.visits = 12;
  const auto cache = std::make_shared<EvaluationCache>(1 << 20, BoardSize::square(9));
  const auto net = [&](int number) {
    return std::make_shared<CacheEvaluator>(
        std::make_shared<SeenEvaluator>(static_cast<std::uint64_t>(number),
                                        "net-" + std::to_string(number)),
        cache);
  };
  SelfplaySession session(2, 24, 0, 2);
  std::int64_t games = 0;
  int stretch = 0;
  do {
    session.set_settings(settings);
    session.set_evaluators([&](int) { return net(stretch + 1); });
    session.set_opponents([&](int) { return stretch > 0 ? net(stretch) : nullptr; });
    session.play({.games = 20}, [&](const std::vector<GameRecord>& finished) {
      for (const GameRecord& game : finished) ASSERT_NO_THROW(verify(game));
      games += std::ssize(finished);
    });
    if (++stretch % 3 == 0) {
      const int given_up = session.resume(session.park(), [&](int, const std::string& id) {
        return net(std::stoi(id.substr(std::string_view("net-").size())));
      });
      EXPECT_EQ(given_up, 0);
    }
  } while (std::chrono::steady_clock::now() < end);
  EXPECT_GE(games, 20 * stretch);
  EXPECT_GT(cache->counts().hits, 0);
}

TEST(GameFile, DamageIsAnErrorThatNamesTheFile) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("tengen_games_" + std::to_string(::getpid()) + ".txt");
  EXPECT_THROW(read_games(path), Error);
  const std::vector<GameRecord> games = {random_game(small_games(), 0)};
  write_games(path, games);
  EXPECT_EQ(canonical_text(read_games(path).at(0)), canonical_text(games[0]));
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  try {
    read_games(path);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos);
  }
  std::filesystem::remove(path);
  EXPECT_THROW(write_games("/nonexistent/games.txt", games), Error);
}

}  // namespace
}  // namespace tengen
