#include "train/run_shards.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <set>

#include "rules/durable_file.h"
#include "rules/program.h"
#include "rules/rules_text.h"
#include "selfplay/game_sgf.h"
#include "selfplay/shard.h"
#include "selfplay/shard_repair.h"
#include "train/run_info.h"

namespace tengen {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::vector<fs::path> shards_at(const std::vector<std::string>& paths) {
  std::vector<fs::path> shards;
  for (const fs::path path : paths) {
    if (!fs::exists(path)) throw UsageError(path.string() + ": there is no such file or directory");
    if (!fs::is_directory(path)) {
      shards.push_back(path);
      continue;
    }
    auto found = list_shards(path);
    if (found.empty()) found = list_shards(path / "shards");
    if (found.empty()) {
      throw UsageError(path.string() + ": expected shards, or a run that has some; found none");
    }
    shards.insert(shards.end(), found.begin(), found.end());
  }
  return shards;
}

namespace {

constexpr unsigned kRepairLimit_s = 600;

// Calls visit(reader, games) for each shard; the damaged ones are named on the error stream.
// Returns how many those are.
template <class Visit>
int for_each_shard(const std::vector<std::string>& paths, Visit visit) {
  int damaged = 0;
  for (const auto& path : shards_at(paths)) {
    try {
      const ShardReader reader(path);
      visit(reader, reader.read_games());
    } catch (const Error& error) {
      std::cerr << error.what() << "\n";
      ++damaged;
    }
  }
  return damaged;
}

// Of something that games have much or little of.
struct Spread {
  std::vector<double> values;
  void add(double value) { values.push_back(value); }
  double mean() const {
    double sum = 0;
    for (const double value : values) sum += value;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
  }
  double median() const {
    if (values.empty()) return 0;
    auto sorted = values;
    std::ranges::nth_element(sorted, sorted.begin() + std::ssize(sorted) / 2);
    return sorted[sorted.size() / 2];
  }
  ordered_json to_json() const {
    if (values.empty()) return nullptr;
    return {{"mean", mean()},
            {"median", median()},
            {"least", std::ranges::min(values)},
            {"most", std::ranges::max(values)}};
  }
};

using Counts = std::map<std::string, std::int64_t>;

struct ShardStatistics {
  std::int64_t shards = 0, bytes = 0, games = 0, rows = 0, held_out = 0, plies = 0;
  std::int64_t evaluations = 0, searched = 0, visits = 0;
  Counts sizes, rule_sets, nets, ends, results;  // games; of nets: moves
  Spread lengths, komi, margins, surprise, weights;

  void add(const ShardReader& reader, const std::vector<GameRecord>& records,
           std::uintmax_t file_bytes) {
    ++shards;
    bytes += static_cast<std::int64_t>(file_bytes);
    games += reader.info().games;
    rows += reader.info().rows;
    held_out += reader.info().holdout_rows;
    for (const auto& record : records) add(record);
  }

 private:
  void add(const GameRecord& record) {
    ++sizes[to_text(record.rules.size)];
    ++rule_sets[rule_set_text(record.rules)];
    ++ends[std::string(name_of(record.end))];
    const auto& outcome = record.outcome;
    ++results[outcome.is_no_result               ? "no result"
              : !outcome.winner                  ? "draw"
              : *outcome.winner == Color::kBlack ? "black"
                                                 : "white"];
    lengths.add(static_cast<double>(record.moves.size()));
    komi.add(record.rules.komi.points());
    if (!is_unscored(record.end)) margins.add(record.score.black_margin());
    plies += std::ssize(record.moves);
    evaluations += record.evaluations;
    for (std::size_t ply = 0; ply < record.moves.size(); ++ply) {
      const auto& played = record.moves[ply];
      ++nets[record.nets[static_cast<std::size_t>(played.net)]];
      searched += played.visits > 0;
      visits += played.visits;
      if (!gives_row(record, ply)) continue;
      weights.add(played.weight);
      if (!played.policy.empty()) surprise.add(played.policy_surprise);
    }
  }
};

ordered_json to_json(const ShardStatistics& s) {
  return {{"shards", s.shards},
          {"bytes", s.bytes},
          {"games", s.games},
          {"rows", s.rows},
          {"holdout_rows", s.held_out},
          {"bytes_per_row",
           s.rows > 0 ? static_cast<double>(s.bytes) / static_cast<double>(s.rows) : 0},
          {"plies", s.plies},
          {"evaluations", s.evaluations},
          {"searched_plies", s.searched},
          {"visits_per_search",
           s.searched > 0 ? static_cast<double>(s.visits) / static_cast<double>(s.searched) : 0},
          {"sizes", s.sizes},
          {"rule_sets", s.rule_sets},
          {"moves_of_nets", s.nets},
          {"ends", s.ends},
          {"results", s.results},
          {"length", s.lengths.to_json()},
          {"komi", s.komi.to_json()},
          {"black_margin", s.margins.to_json()},
          {"policy_surprise", s.surprise.to_json()},
          {"row_weight", s.weights.to_json()}};
}

std::string percent(std::int64_t part, std::int64_t whole) {
  return fmt::format(
      "{:.1f} %", whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0);
}

// The largest entries, and how many more there are.
std::string shares(const Counts& counts, std::int64_t whole, std::size_t shown = 4) {
  std::vector<std::pair<std::int64_t, std::string>> order;
  for (const auto& [name, count] : counts) order.emplace_back(-count, name);
  std::ranges::sort(order);
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, order.size()); ++i) {
    text += (i > 0 ? ", " : "") + order[i].second + " " + percent(-order[i].first, whole);
  }
  if (order.size() > shown) text += fmt::format(" and {} more", order.size() - shown);
  return text;
}

std::string text_of(const Spread& s, int digits = 1) {
  if (s.values.empty()) return "none";
  return fmt::format("{:.{}f} on average, median {:.{}f}, {:.{}f} to {:.{}f}", s.mean(), digits,
                     s.median(), digits, std::ranges::min(s.values), digits,
                     std::ranges::max(s.values), digits);
}

void print(const ShardStatistics& s, std::ostream& out) {
  const auto line = [&](const char* name, const std::string& text) {
    out << fmt::format("{:<12}{}\n", name, text);
  };
  line("shards",
       fmt::format(
           "{}, {:.1f} MB, {:.1f} bytes a row", s.shards, static_cast<double>(s.bytes) / 1e6,
           static_cast<double>(s.bytes) / static_cast<double>(std::max<std::int64_t>(1, s.rows))));
  line("rows", fmt::format("{}, {} held out, of {} plies", s.rows, s.held_out, s.plies));
  line("games", fmt::format("{}, {} plies long", s.games, text_of(s.lengths)));
  line("boards", shares(s.sizes, s.games));
  line("rules", shares(s.rule_sets, s.games, 2));
  line("komi", text_of(s.komi));
  line("ends", shares(s.ends, s.games, 6));
  line("results", shares(s.results, s.games) + "; black's margin " + text_of(s.margins));
  line("searches",
       fmt::format("{} of {} plies, {:.1f} visits each, {} evaluations", s.searched, s.plies,
                   static_cast<double>(s.visits) /
                       static_cast<double>(std::max<std::int64_t>(1, s.searched)),
                   s.evaluations));
  line("surprise", text_of(s.surprise, 3) + " nats");
  line("weights", text_of(s.weights, 2));
  line("nets", shares(s.nets, s.plies));
}

std::string name_of_game(const GameRecord& record) {
  return fmt::format("game-{:016x}-{}.sgf", record.seed, record.index);
}

bool is_whole(const fs::path& path) {
  try {
    verify_shard(path);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Saves what can be saved; says what was, and what was not.
bool repair(const fs::path& path, const std::string& folder, std::ostream& out) {
  if (fs::exists(folder) && fs::equivalent(path.parent_path(), folder)) {
    throw Error(path.string() + ": --out is its own folder, where its games would be twice");
  }
  auto saved = save_games(path);
  for (const auto& line : saved.lost) out << path.string() << ": lost: " << line << "\n";
  if (saved.games.empty()) throw Error(path.string() + ": no game could be saved");
  std::set<const GameRecord*> held_out;
  for (std::size_t i = 0; i < saved.games.size(); ++i) {
    if (saved.held_out[i]) held_out.insert(&saved.games[i]);
  }
  saved.info.worker += ".repaired";  // two workers may have written shards of one number
  make_directories(folder);
  const auto written = write_shard(folder, saved.info, saved.games, [&](const GameRecord& record) {
    return held_out.contains(&record);
  });
  out << fmt::format("{}: {} of {} games saved in {}\n", path.string(), saved.games.size(),
                     saved.games.size() + saved.lost.size(), written.string());
  return true;
}

// Runs it in a process of its own, which may die of what it reads or never end.
bool succeeds_apart(const std::function<bool()>& work) {
  std::cout.flush();
  const pid_t child = ::fork();
  if (child < 0) throw_errno("repair", "cannot start a process");
  if (child == 0) {
    bool done = false;
    ::alarm(kRepairLimit_s);
    try {
      done = work();
    } catch (const std::exception& error) {
      std::cerr << error.what() << "\n";
    }
    std::cout.flush();
    ::_exit(done ? 0 : 1);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw_errno("repair", "cannot wait for a process");
  }
  if (WIFSIGNALED(status)) std::cerr << "the reading broke off at what is damaged\n";
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

int verify_shards(const std::vector<std::string>& paths, std::ostream& out) {
  int damaged = 0;
  std::int64_t rows = 0, games = 0;
  const auto shards = shards_at(paths);
  for (const auto& path : shards) {
    try {
      verify_shard(path);
      const ShardReader reader(path);
      rows += reader.info().rows;
      games += reader.info().games;
    } catch (const Error& error) {
      out << error.what() << "\n";
      ++damaged;
    }
  }
  out << fmt::format("{} of {} shards are whole: {} games, {} rows\n", std::ssize(shards) - damaged,
                     shards.size(), games, rows);
  return damaged == 0 ? 0 : 1;
}

int shard_stats(const std::vector<std::string>& paths, bool as_json, std::ostream& out) {
  ShardStatistics statistics;
  const int damaged =
      for_each_shard(paths, [&](const ShardReader& reader, const std::vector<GameRecord>& games) {
        statistics.add(reader, games, fs::file_size(reader.path()));
      });
  if (as_json) {
    out << to_json(statistics).dump(1) << "\n";
  } else {
    print(statistics, out);
  }
  return damaged == 0 ? 0 : 1;
}

int shard_games(const std::vector<std::string>& paths, const std::string& folder,
                std::ostream& out) {
  if (!folder.empty()) make_directories(folder);
  std::int64_t count = 0;
  const int damaged =
      for_each_shard(paths, [&](const ShardReader&, const std::vector<GameRecord>& games) {
        for (const auto& record : games) {
          const auto text = to_text(sgf_of(record));
          if (folder.empty()) {
            out << text;
          } else {
            write_durable(fs::path(folder) / name_of_game(record), text);
          }
          ++count;
        }
      });
  if (!folder.empty()) out << count << " games in " << folder << "\n";
  return damaged == 0 ? 0 : 1;
}

int merge_shards(const std::vector<std::string>& paths, const std::string& folder,
                 std::ostream& out) {
  // A run trains on all shards of a folder: it would have these games twice.
  if (fs::is_directory(folder) && !list_shards(folder).empty()) {
    throw UsageError("--out " + folder + ": expected a folder without shards");
  }
  std::vector<GameRecord> all;
  std::set<std::pair<std::uint64_t, std::uint64_t>> known, held_out;
  std::optional<ShardInfo> merged;
  for (const auto& path : shards_at(paths)) {
    const ShardReader reader(path);
    const auto& info = reader.info();
    if (merged && merged->features != info.features) {
      throw Error(path.string() + ": its features are others than those of the shards before");
    }
    if (!merged) merged = info;
    std::int64_t row = 0;
    for (auto& record : reader.read_games()) {
      const std::pair identity(record.seed, record.index);
      if (!known.insert(identity).second) {
        throw Error(fmt::format("{}: game {} of seed {} is in an earlier shard, too", path.string(),
                                record.index, record.seed));
      }
      if (row >= info.rows - info.holdout_rows) held_out.insert(identity);
      row += row_count(record);
      all.push_back(std::move(record));
    }
  }
  merged->worker = "merged";
  merged->program_version = std::string(version()) + " " + std::string(git_hash());
  merged->created.clear();
  make_directories(folder);
  const auto written = write_shard(folder, *merged, all, [&](const GameRecord& record) {
    return held_out.contains({record.seed, record.index});
  });
  out << written.string() << ": " << merged->games << " games, " << merged->rows << " rows\n";
  return 0;
}

int repair_shards(const std::vector<std::string>& paths, const std::string& folder,
                  std::ostream& out) {
  int without = 0;
  for (const auto& path : shards_at(paths)) {
    if (is_whole(path)) {
      out << path.string() << ": is whole\n";
      continue;
    }
    if (succeeds_apart([&] { return repair(path, folder, out); })) continue;
    std::cerr << path.string() << ": no repaired shard was written\n";
    ++without;
  }
  return without == 0 ? 0 : 1;
}

}  // namespace tengen
