#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "games.h"
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
