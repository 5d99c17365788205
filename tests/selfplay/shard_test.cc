#include "selfplay/shard.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <limits>

#include "games.h"
#include "rules/temporary_directory.h"
#include "selfplay/column_file.h"
#include "selfplay/shard_columns.h"
#include "tests/error_of.h"

namespace tengen {
namespace {

namespace fs = std::filesystem;

// A directory for one test.
class Shard : public testing::Test {
 protected:
  fs::path write(std::span<const GameRecord> games, double holdout = 0.3, std::int64_t index = 42) {
    info_ = {.index = index, .worker = "w0", .attempt = "1f3a"};
    info_.seed = 7;
    info_.program_version = "0.1";
    info_.config_hash = "abcd";
    return write_shard(directory_, info_, games, holdout);
  }

  TemporaryDirectory temporary_;
  const fs::path directory_ = temporary_.path();
  ShardInfo info_;
};

std::vector<GameRecord> mixed_games(std::uint64_t count = 20) {
  SelfplaySettings settings = small_games();
  settings.games.sizes = {5, 3, 4, 9};
  settings.games.move_cap = 1.2;
  return games_of_pool(settings, 16, count, std::make_shared<HashEvaluator>(5));
}

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write_text(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

void expect_same_row(const Sample& found, const Sample& expected) {
  EXPECT_EQ(found.features.size, expected.features.size);
  EXPECT_EQ(found.features.planes, expected.features.planes);
  EXPECT_EQ(found.features.scalars, expected.features.scalars);
  ASSERT_EQ(found.policy.size(), expected.policy.size());
  for (std::size_t i = 0; i < found.policy.size(); ++i) {
    EXPECT_NEAR(found.policy[i], expected.policy[i], 1.01 / kPolicyUnit);
  }
  ASSERT_EQ(found.opponent_policy.size(), expected.opponent_policy.size());
  for (std::size_t i = 0; i < found.opponent_policy.size(); ++i) {
    EXPECT_NEAR(found.opponent_policy[i], expected.opponent_policy[i], 1.01 / kPolicyUnit);
  }
  EXPECT_EQ(found.policy_weight, expected.policy_weight);
  EXPECT_EQ(found.opponent_policy_weight, expected.opponent_policy_weight);
  EXPECT_EQ(found.win, expected.win);
  EXPECT_EQ(found.loss, expected.loss);
  EXPECT_EQ(found.score, expected.score);
  EXPECT_EQ(found.ownership, expected.ownership);
  EXPECT_EQ(found.weight, expected.weight);
  EXPECT_EQ(found.score_weight, expected.score_weight);
  EXPECT_EQ(found.short_term, expected.short_term);
  EXPECT_EQ(found.short_term_weight, expected.short_term_weight);
  EXPECT_EQ(found.game, expected.game);
  EXPECT_EQ(found.ply, expected.ply);
}

TEST_F(Shard, RowsOfMixedSizesReadBackHeldOutOnesLast) {
  const std::vector<GameRecord> games = mixed_games();
  const fs::path path = write(games);
  std::vector<Sample> expected;
  std::int64_t held_out = 0;
  for (const bool is_last : {false, true}) {
    for (const GameRecord& game : games) {
      if (is_holdout(7, game.index, 0.3) != is_last) continue;
      const std::vector<Sample> samples = samples_from(game);
      expected.insert(expected.end(), samples.begin(), samples.end());
      if (is_last) held_out += static_cast<std::int64_t>(samples.size());
    }
  }
  const ShardReader reader(path);
  EXPECT_EQ(reader.info().rows, static_cast<std::int64_t>(expected.size()));
  EXPECT_EQ(reader.info().holdout_rows, held_out);
  EXPECT_GT(held_out, 0);
  std::vector<Sample> rows;
  for (std::int64_t first = 0; first < reader.info().rows; first += 50) {  // across blocks
    reader.read(first, std::min<std::int64_t>(50, reader.info().rows - first), rows);
  }
  ASSERT_EQ(rows.size(), expected.size());
  for (std::size_t i = 0; i < rows.size(); ++i) expect_same_row(rows[i], expected[i]);
}

TEST_F(Shard, DescribesItself) {
  const fs::path path = write(mixed_games(6));
  EXPECT_EQ(path.filename(), "shard-00000042-w0-1f3a.h5");
  const ShardReader reader(path);
  EXPECT_EQ(reader.info().index, 42);
  EXPECT_EQ(reader.info().worker, "w0");
  EXPECT_EQ(reader.info().attempt, "1f3a");
  EXPECT_EQ(reader.info().games, 6);
  EXPECT_EQ(reader.info().nets, std::vector<std::string>{"hash"});
  EXPECT_EQ(reader.info().seed, 7U);
  EXPECT_FALSE(reader.info().bootstrap);
  EXPECT_EQ(reader.info().features, FeatureSchema::kV7);
  EXPECT_EQ(reader.info().created, info_.created);
  EXPECT_EQ(info_.created.size(), 20U);
}

TEST_F(Shard, GamesReadBackAsTheyWereUpToThePolicyUnit) {
  std::vector<GameRecord> games = mixed_games();
  for (GameRecord& game : games) {  // as they will be read
    for (MoveRecord& move : game.moves) {
      if (!move.policy.empty()) move.policy = policy_from_quantised(quantised_policy(move.policy));
    }
  }
  const fs::path path = write(games, 0);
  EXPECT_NO_THROW(verify_shard(path));
  const std::vector<GameRecord> found = ShardReader(path).read_games();
  ASSERT_EQ(found.size(), games.size());
  for (std::size_t i = 0; i < games.size(); ++i) {
    EXPECT_EQ(canonical_text(found[i]), canonical_text(games[i]));
  }
}

// What self-play's options make: cheap moves between rows, nets that follow one another, handicap.
TEST_F(Shard, CheapMovesSeveralNetsAndHandicapGoThrough) {
  SelfplaySettings settings = small_games();
  settings.games.cheap_share = 0.6;
  std::vector<GameRecord> games =
      games_of_pool(settings, 8, 12, std::make_shared<HashEvaluator>(5));
  for (GameRecord& game : games) {
    for (MoveRecord& move : game.moves) {
      if (!move.policy.empty()) move.policy = policy_from_quantised(quantised_policy(move.policy));
    }
  }
  games[0].nets = {"net-1", "net-2"};
  for (std::size_t ply = 2; ply < games[0].moves.size(); ++ply) games[0].moves[ply].net = 1;
  games[1].nets = {"net-2"};
  Rules rules;
  rules.size = BoardSize::square(9);
  rules.handicap = 3;
  games.push_back(played_game(rules, "E5 D5 pass pass"));
  for (MoveRecord& move : games.back().moves) {
    move.policy = policy_from_quantised(quantised_policy(move.policy));
  }
  const fs::path path = write(games, 0);
  EXPECT_NO_THROW(verify_shard(path));
  const ShardReader reader(path);
  std::int64_t rows = 0, plies = 0;
  const std::vector<GameRecord> found = reader.read_games();
  for (std::size_t i = 0; i < games.size(); ++i) {
    EXPECT_EQ(canonical_text(found[i]), canonical_text(games[i]));
    rows += row_count(games[i]);
    plies += std::ssize(games[i].moves);
  }
  EXPECT_EQ(reader.info().rows, rows);
  EXPECT_LT(rows, plies * 2 / 3);
  EXPECT_EQ(reader.info().nets,
            (std::vector<std::string>{"net-1", "net-2", "hash", "net-000001-abc"}));
}

TEST_F(Shard, BootstrapGamesGoThrough) {
  std::vector<GameRecord> games;
  for (std::uint64_t i = 0; i < 10; ++i) games.push_back(random_game(small_games(), i));
  const fs::path path = write(games);
  EXPECT_NO_THROW(verify_shard(path));
  const ShardReader reader(path);
  EXPECT_TRUE(reader.info().bootstrap);
  std::vector<Sample> rows;
  reader.read(0, reader.info().rows, rows);
  for (const Sample& row : rows) EXPECT_EQ(row.policy_weight, 0.F);
}

TEST_F(Shard, ABadGameIsNotWritten) {
  std::vector<GameRecord> games = mixed_games(5);
  games[3].moves.back().policy[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(error_of([&] { write(games); }).find("policy entry 0 is nan"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(directory_));
}

TEST_F(Shard, ATakenNameAndAMissingDirectoryAreErrors) {
  const std::vector<GameRecord> games = mixed_games(3);
  write(games);
  EXPECT_NE(error_of([&] { write(games); }).find("there is one already"), std::string::npos);
  fs::remove_all(directory_);
  EXPECT_NE(error_of([&] { write(games); }).find("cannot be written"), std::string::npos);
  EXPECT_THROW(shard_file_name({.worker = "a/b", .attempt = "1"}), Error);
}

TEST_F(Shard, EveryTruncationAndEveryFlippedByteIsFound) {
  const std::vector<GameRecord> games = {random_game(small_games(), 1)};
  const fs::path path = write(games);
  const std::string good = text_of(path);
  for (std::size_t size = 0; size < good.size(); size += 1 + size / 4) {
    write_text(path, good.substr(0, size));
    EXPECT_THROW(ShardReader{path}, Error) << size;
  }
  for (std::size_t at = 0; at < good.size(); at += 499) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    write_text(path, bad);
    EXPECT_THROW(ShardReader{path}, Error) << at;
  }
  write_text(path, good + "x");
  EXPECT_THROW(ShardReader{path}, Error);
  write_text(path, good);
  EXPECT_NO_THROW(verify_shard(path));
}

TEST_F(Shard, OtherFilesAreRefusedByName) {
  const fs::path path = directory_ / "shard-00000001-a-b.h5";
  EXPECT_NE(error_of([&] { ShardReader{path}; }).find("cannot open"), std::string::npos);
  write_text(path, std::string(5000, 'x'));
  EXPECT_NE(error_of([&] { ShardReader{path}; }).find("no seal"), std::string::npos);
  EXPECT_NE(error_of([&] { ShardReader{directory_}; }).find("cannot"), std::string::npos);
}

// A sealed file that `change` may spoil: the rows and attributes of a good shard, rewritten.
class Forger {
 public:
  explicit Forger(const fs::path& from) {
    const ColumnReader file(from);
    rows.area = static_cast<int>(file.shape_of<std::int8_t>("ownership").row[0]);
    for_each_row_column(rows, [&](const char* name, auto& column, const auto&) {
      using T = typename std::decay_t<decltype(column)>::value_type;
      column = file.read_all<T>(name);
    });
    for_each_game_column(games, [&](const char* name, auto& column) {
      using T = typename std::decay_t<decltype(column)>::value_type;
      column = file.read_all<T>(name);
    });
    games.rules = file.read_texts("games/rules");
    for_each_move_column(games.moves, [&](const char* name, auto& column) {
      using T = typename std::decay_t<decltype(column)>::value_type;
      column = file.read_all<T>(name);
    });
    for (const char* name : {"format", "worker", "attempt", "rules", "program_version",
                             "config_hash", "created", "attributes_hash"}) {
      texts[name] = file.text_attribute(name);
    }
    for (const char* name : {"version", "features_version", "judge_version", "index", "rows",
                             "games", "holdout_rows", "bootstrap", "complete"}) {
      numbers[name] = file.number_attribute(name);
    }
    nets = file.texts_attribute("nets");
    rule_sets = file.texts_attribute("rule_sets");
  }

  void write(const fs::path& to) const {
    ColumnWriter file(to);
    const auto count = static_cast<std::int64_t>(rows.rows());
    for_each_row_column(rows, [&](const std::string& name, const auto& column, const auto& shape) {
      using T = typename std::decay_t<decltype(column)>::value_type;
      if (name == left_out) return;
      file.write(name, std::span<const T>(column), ColumnShape{count, shape});
    });
    for_each_game_column(games,
                         [&](const char* name, const auto& column) { file.write(name, column); });
    file.write_texts("games/rules", games.rules);
    for_each_move_column(games.moves,
                         [&](const char* name, const auto& column) { file.write(name, column); });
    for (const auto& [name, value] : texts) file.set_attribute(name, value);
    for (const auto& [name, value] : numbers) file.set_attribute(name, value);
    file.set_attribute("nets", nets);
    file.set_attribute("rule_sets", rule_sets);
    file.set_attribute("seed", std::uint64_t{7});
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016llx",
                  static_cast<unsigned long long>(file.content_hash()));
    file.set_attribute("content_hash", std::string(hash));
    file.close();
  }

  RowColumns rows;
  GameColumns games;
  std::map<std::string, std::string> texts;
  std::map<std::string, std::int64_t> numbers;
  std::vector<std::string> nets;
  std::vector<std::string> rule_sets;
  std::string left_out;
};

TEST_F(Shard, ForgedContentIsRefusedWithTheReason) {
  const fs::path good = write(mixed_games(3));
  const fs::path bad = directory_ / "forged.h5";
  // What opening, or verifying everything, says of a sealed file changed in one respect.
  const auto complaint = [&](const std::function<void(Forger&)>& change, bool at_opening) {
    Forger forger(good);
    change(forger);
    forger.write(bad);
    return error_of([&] {
      if (at_opening) {
        ShardReader{bad};
      } else {
        verify_shard(bad);
      }
    });
  };
  EXPECT_EQ(complaint([](Forger&) {}, false), "");
  const auto expect = [&](bool at_opening, const std::string& text,
                          const std::function<void(Forger&)>& change) {
    const std::string found = complaint(change, at_opening);
    EXPECT_NE(found.find(text), std::string::npos) << text << ": " << found;
    EXPECT_NE(found.find(bad.string()), std::string::npos) << found;
  };
  expect(true, "expected format tengen-shard", [](Forger& f) { f.texts["format"] = "other"; });
  expect(true, "version 2, this reader knows 3", [](Forger& f) { f.numbers["version"] = 2; });
  expect(true, "features_version 99", [](Forger& f) { f.numbers["features_version"] = 99; });
  expect(true, "complete 0", [](Forger& f) { f.numbers["complete"] = 0; });
  expect(true, "attribute 'complete'", [](Forger& f) { f.numbers.erase("complete"); });
  expect(true, "expected text", [](Forger& f) {
    f.texts.erase("worker");
    f.numbers["worker"] = 3;
  });
  expect(true, "expected an integer", [](Forger& f) {
    f.numbers.erase("index");
    f.texts["index"] = "3";
  });
  expect(true, "rows", [](Forger& f) { f.numbers["rows"] = 3; });
  expect(true, "attributes_hash", [](Forger& f) { f.nets[0] += "1"; });
  expect(true, "contradict", [](Forger& f) { f.numbers["holdout_rows"] = 1 << 20; });
  expect(true, "dataset 'score'", [](Forger& f) { f.left_out = "score"; });

  const float nan = std::numeric_limits<float>::quiet_NaN();
  expect(false, "a value is not finite", [&](Forger& f) { f.rows.score[5] = nan; });
  expect(false, "a scalar feature is not finite", [&](Forger& f) { f.rows.scalars[25] = nan; });
  expect(false, "a weight is not finite", [&](Forger& f) { f.rows.weight[5] = nan; });
  expect(false, "does not sum", [](Forger& f) { ++f.rows.policy[0]; });
  expect(false, "does not fit", [](Forger& f) { f.rows.width[3] = 200; });
  expect(false, "a game that is not there", [](Forger& f) {
    for (auto& game : f.rows.game) game += 100;
  });
  expect(false, "is not what game", [](Forger& f) { f.rows.score[5] += 1; });
  expect(false, "is not what game", [](Forger& f) { f.rows.ownership[5] ^= 1; });
  expect(false, "is not what game", [](Forger& f) { f.rows.planes[0] ^= 128; });
  expect(false, "a point off the board",
         [](Forger& f) { f.rows.planes[static_cast<std::size_t>(f.rows.plane_bytes()) - 1] |= 1; });
  expect(false, "illegal move at ply 2",
         [](Forger& f) { f.games.moves.move[2] = f.games.moves.move[0]; });
  expect(false, "illegal move at ply 0", [](Forger& f) { f.games.moves.move[0] = 999; });
  expect(false, "half points for Black", [](Forger& f) { ++f.games.black_margin_half_points[1]; });
  expect(false, "unknown net", [](Forger& f) { f.games.moves.net[1] = -1; });
  expect(false, "has not an entry a move", [](Forger& f) { f.games.moves.visits.pop_back(); });
  expect(false, "is not what game", [](Forger& f) { f.games.moves.win.back() = 0.99F; });
  expect(false, "not finite", [&](Forger& f) { f.games.moves.surprise.back() = nan; });
  expect(false, "is not what game", [](Forger& f) { f.rows.short_term[3] += 1; });
  expect(false, "unknown end", [](Forger& f) { f.games.end[1] = 9; });
  for (const std::uint8_t end : {1, 2, 3, 4}) {
    expect(false, "ended ",
           [end](Forger& f) { f.games.end[1] = f.games.end[1] == end ? std::uint8_t{0} : end; });
  }
  expect(false, "no free handicap",
         [](Forger& f) { f.games.rules[0] += " handicap=1 placement=free"; });
  expect(false, "not in the shard", [](Forger& f) { f.games.first_row[1] = 1LL << 40; });
  expect(false, "not in the shard", [](Forger& f) { f.games.first_move[1] = -5; });
  expect(false, "not in the shard", [](Forger& f) { f.games.move_count[1] = 1 << 30; });
  expect(false, "rules", [](Forger& f) { f.games.rules[0] = "rules of chess"; });
}

TEST_F(Shard, AContentHashThatDoesNotFitIsFound) {
  const fs::path path = directory_ / "x.h5";
  {
    ColumnWriter file(path);
    file.write("a", std::vector<float>{1, 2, 3});
    EXPECT_NE(file.content_hash(), 0U);
    file.close();
  }
  const ColumnReader file(path);
  const std::vector<std::string> names = {"a"};
  const std::vector<std::string> missing = {"b"};
  EXPECT_NE(file.content_hash(names), 0U);
  EXPECT_THROW(file.content_hash(missing), Error);
  EXPECT_THROW(file.read_all<std::int32_t>("a"), Error);  // another type
  EXPECT_THROW(file.read<float>("a", 2, 2), Error);
  EXPECT_THROW(file.read<float>("a", -1, 1), Error);
}

TEST_F(Shard, EverySingleFlippedBitIsFound) {
  const fs::path path = write(mixed_games(3));
  const std::string whole = text_of(path);
  Rng rng(11);
  for (int flip = 0; flip < 1000; ++flip) {
    // Each tenth in the seal, which is small beside the rest.
    const std::size_t end = flip % 10 == 0 ? 512 : whole.size();
    const std::size_t at = rng.below(static_cast<std::uint32_t>(end));
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << rng.below(8)));
    write_text(path, damaged);
    EXPECT_NE(error_of([&] { verify_shard(path); }), "") << "byte " << at;
  }
  write_text(path, whole);
  EXPECT_NO_THROW(verify_shard(path));
}

TEST_F(Shard, TemporaryFilesAreNoShards) {
  const std::vector<GameRecord> games = mixed_games(2);
  const fs::path second = write(games, 0, 10);
  const fs::path first = write(games, 0, 9);
  const fs::path huge = write(games, 0, 1234567890123);
  fs::copy_file(first, directory_ / "shard-00000001-w0-1f3a.h5.77.tmp");
  write_text(directory_ / "shard-x-w0.h5", "");
  write_text(directory_ / "notes.txt", "");
  EXPECT_EQ(list_shards(directory_), (std::vector<fs::path>{first, second, huge}));
  EXPECT_EQ(next_shard_index(directory_), 1234567890124);
  EXPECT_TRUE(list_shards(directory_ / "nowhere").empty());
  EXPECT_EQ(next_shard_index(directory_ / "nowhere"), 0);
  const fs::path file = directory_ / "notes.txt";
  EXPECT_EQ(error_of([&] { list_shards(file); }),
            file.string() + ": cannot be listed: Not a directory");
}

TEST_F(Shard, QuarantineKeepsTheReasonBesideTheFile) {
  const std::vector<GameRecord> games = mixed_games(2);
  const fs::path quarantine = directory_ / "quarantine";
  for (int i = 0; i < 2; ++i) quarantine_shard(write(games), quarantine, "bits rotted");
  EXPECT_TRUE(list_shards(directory_).empty());
  EXPECT_TRUE(fs::exists(quarantine / "shard-00000042-w0-1f3a.h5"));
  EXPECT_EQ(text_of(quarantine / "shard-00000042-w0-1f3a.h5.txt"), "bits rotted\n");
  EXPECT_TRUE(fs::exists(quarantine / "shard-00000042-w0-1f3a.h5.1"));
}

// 9x9 games with a flat net, whose policies compress worst.
TEST_F(Shard, NineByNineRowsAreSmallAndQuickToRead) {
  SelfplaySettings settings;
  settings.seed = 3;
  settings.search.visits = 8;
  const std::vector<GameRecord> games =
      games_of_pool(settings, 32, 24, std::make_shared<UniformEvaluator>());
  const fs::path path = write(games, 0.02);
  const ShardReader reader(path);
  const auto rows = reader.info().rows;
  const double bytes = static_cast<double>(fs::file_size(path)) / static_cast<double>(rows);
  const std::clock_t begin = std::clock();  // processor time: other programs do not count
  std::int64_t read = 0;
  double elapsed_s = 0;
  while (elapsed_s < 0.2) {
    std::vector<Sample> block;
    const std::int64_t first = read / kShardBlockRows * kShardBlockRows % rows;
    reader.read(first, std::min<std::int64_t>(kShardBlockRows, rows - first), block);
    read += static_cast<std::int64_t>(block.size());
    elapsed_s = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  }
  std::printf("%lld rows of 9x9: %.1f bytes per row, %.0f rows/s read in blocks\n",
              static_cast<long long>(rows), bytes, static_cast<double>(read) / elapsed_s);
  EXPECT_LE(bytes, 250);
}

}  // namespace
}  // namespace tengen
