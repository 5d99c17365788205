#include "train/run_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <vector>

#include "rules/durable_file.h"
#include "train/metrics.h"
#include "train/net_store.h"
#include "train/progress.h"
#include "train/run_dir.h"
#include "train/run_progress.h"

namespace tengen {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// What status needs of metrics.jsonl: the newest lines of each kind.
struct History {
  std::map<std::string, MetricRecord> last;  // by kind
  std::vector<MetricRecord> checks;
  std::vector<MetricRecord> gates;
  std::vector<MetricRecord> validations;
};

History read_history(const fs::path& directory) {
  History history;
  read_metrics(directory, [&](const MetricRecord& line) {
    history.last[line.kind] = line;
    if (line.kind == "check") history.checks.push_back(line);
    if (line.kind == "gate") history.gates.push_back(line);
    if (line.kind == "validation") history.validations.push_back(line);
  });
  return history;
}

std::string duration(double seconds) {
  const auto s = static_cast<long>(seconds);
  return fmt::format("{}h {:02}m {:02}s", s / 3600, s / 60 % 60, s % 60);
}

std::string newest_command(const json& about) {
  const auto starts = about.value("starts", json::array());
  return (starts.empty() ? about : starts.back()).value("command", "?");
}

std::string counted(std::int64_t number, const std::string& word) {
  return grouped(number) + " " + word + (number == 1 ? "" : "s");
}

void print_run(const fs::path& directory, std::ostream& out) {
  const auto about = json::parse(read_file(directory / "run.json"), nullptr, false);
  out << fmt::format("run         {}\n", fs::absolute(directory).lexically_normal().string());
  if (about.is_object()) {
    out << fmt::format("command     {}\n", newest_command(about));
    out << fmt::format("program     {} (git {}), LibTorch {}\n", about.value("version", "?"),
                       about.value("git_hash", "?"), about.value("libtorch", "?"));
    if (about.contains("calibration")) {
      const auto& c = about["calibration"];
      out << fmt::format("evaluator   {}, {}, batches of {}\n", c.value("device", "?"),
                         c.value("precision", "?"), c.value("batch", 0));
    }
  }
}

// Who is at work. The whole loop holds the locks of the parts that it does.
void print_state(const fs::path& directory, const std::vector<std::string>& at_work,
                 std::ostream& out) {
  out << "state       " << (at_work.empty() ? "not running" : "running");
  const auto loop = run_lock_holder(directory);
  if (!loop.empty()) out << ": " << loop;
  std::string workers;
  for (const auto& part : at_work) {
    const auto holder = run_lock_holder(directory, part);
    if (part == "run" || holder == loop) continue;
    if (part.starts_with("selfplay-")) {
      workers += (workers.empty() ? "" : ", ") + part.substr(std::string("selfplay-").size());
    } else {
      out << fmt::format("\n  {:<9} {}", part, holder);
    }
  }
  if (!workers.empty()) out << fmt::format("\n  self-play workers {}", workers);
  out << "\n";
}

void print_progress(const RunProgress& p, const History& history, std::ostream& out) {
  out << fmt::format("worked      {} in {}\n", duration(p.seconds), counted(p.attempt, "start"));
  out << fmt::format("self-play   {}, {}, {}", counted(p.games, "game"), counted(p.rows, "row"),
                     counted(p.evaluations, "evaluation"));
  if (history.last.contains("selfplay")) {
    const auto& line = history.last.at("selfplay");
    out << fmt::format(
        "; last stretch {:.0f} evaluations/s, {:.1f} moves a game, Black won {:.0f} %",
        line.number("evaluations_per_s", 0), line.number("mean_moves", 0),
        100 * line.number("black_wins", 0));
  }
  out << fmt::format("\ntraining    {}, {} trained on", counted(p.steps, "step"),
                     counted(p.samples, "row"));
  if (p.training_rows > 0) {
    out << fmt::format(" ({:.2f} for each recorded)",
                       static_cast<double>(p.samples) / static_cast<double>(p.training_rows));
  }
  out << "\n";
  if (!history.validations.empty()) {
    const auto& last = history.validations.back();
    for (const auto* head : {"policy", "value", "ownership"}) {
      // Held-out games of the bootstrap have no policy.
      const auto judged = std::ranges::find_if(
          history.validations, [&](const MetricRecord& v) { return v.number(head, 0) > 0; });
      if (judged == history.validations.end()) continue;
      out << fmt::format("  held out  {:<10} {:.3f} -> {:.3f}\n", head, judged->number(head, 0),
                         last.number(head, 0));
    }
  }
}

void print_nets(const fs::path& directory, const History& history, std::ostream& out) {
  const NetStore nets(directory);
  const auto champion = nets.champion();
  const auto promoted = std::ranges::count_if(
      history.gates, [](const MetricRecord& g) { return g.number("promoted", 0) > 0; });
  out << fmt::format("nets        champion {}; {} judged, {} promoted\n",
                     champion ? champion->filename().string() : "none",
                     counted(std::ssize(history.gates), "candidate"), promoted);
  if (!history.gates.empty()) {
    const auto& gate = history.gates.back();
    out << fmt::format("  last gate {}: {}\n", gate.text("candidate"), gate.text("reason"));
  }
}

// The newest check against the first net and against an older one.
void print_learning(const History& history, std::ostream& out) {
  const MetricRecord* first = nullptr;
  const MetricRecord* older = nullptr;
  for (const auto& check : history.checks) {
    (check.number("against_index", 0) == 0 ? first : older) = &check;
  }
  const auto line = [&](const MetricRecord& c) {
    out << fmt::format(
        "  check     {} against {}: {} of {} games won, {} drawn: {:.0f} % "
        "(95 %: {:.0f} to {:.0f})\n",
        c.text("net"), c.text("against"), c.number("wins", 0), c.number("games", 0),
        c.number("draws", 0), 100 * c.number("share", 0), 100 * c.number("low", 0),
        100 * c.number("high", 0));
  };
  if (first != nullptr) line(*first);
  if (older != nullptr) line(*older);
  if (history.last.contains("exam")) {
    const auto& exam = history.last.at("exam");
    out << fmt::format("  exam      {}\n", exam.number("passed", 0) > 0
                                               ? "passed"
                                               : "not passed yet: " + exam.text("fell_short"));
  }
  out << "learning    ";
  if (first == nullptr) {
    out << "too early to say: no check match yet (run.check_every)";
    const auto gate = std::ranges::find_if(
        history.gates, [](const MetricRecord& g) { return g.number("promoted", 0) > 0; });
    if (gate != history.gates.end() && gate->number("games", 0) > 0) {
      out << fmt::format("; {} scored {:.0f} % against the untrained net", gate->text("candidate"),
                         100 * gate->number("share", 0));
    }
    out << "\n";
  } else if (first->number("low", 0) <= 0.5) {
    out << "not shown: it does not clearly beat the untrained net\n";
  } else if (older != nullptr && older->number("high", 1) < 0.5) {
    out << "it beats the untrained net, but lost its last check against an older one\n";
  } else if (older != nullptr && older->number("low", 0) <= 0.5) {
    out << "yes: it beats the untrained net; its last check against an older one does not tell "
           "them apart\n";
  } else {
    out << "yes\n";
  }
}

}  // namespace

int print_status(const fs::path& directory, std::ostream& out) {
  if (!fs::exists(directory / "run.json")) {
    throw Error(directory.string() + ": expected a run directory (run.json), found none");
  }
  const auto history = read_history(directory);
  const auto at_work = parts_at_work(directory);
  const auto progress = total_progress(directory);
  print_run(directory, out);
  print_state(directory, at_work, out);
  if (at_work.empty() && !progress.stopped.empty()) {
    out << fmt::format("stopped     {}\n", progress.stopped);
  }
  print_progress(progress, history, out);
  print_nets(directory, history, out);
  print_learning(history, out);
  const auto damaged = directory / "quarantine";
  if (fs::exists(damaged) && !fs::is_empty(damaged)) {
    out << fmt::format("quarantine  {} (reasons in the .txt files)\n", damaged.string());
  }
  if (!at_work.empty() && history.last.contains("wait")) {
    out << "last wait   " << history.last.at("wait").text("reason") << "\n";
  }
  return 0;
}

}  // namespace tengen
