#include "train/run_gate.h"

#include <optional>

#include "eval/net_player.h"
#include "nn/net_files.h"
#include "rules/durable_file.h"

namespace tengen {

namespace fs = std::filesystem;

bool GatePart::judge_candidate(const fs::path& candidate) {
  const auto id = candidate.filename().string();
  const auto champion = context_.nets.current().filename().string();
  context_.show("gate");
  const auto verdict = decide(candidate);
  const auto text = to_json(verdict, id, champion);
  if (verdict.promoted) {
    context_.with_room([&] { context_.nets.promote(candidate, text); });
    ++context_.progress.nets_promoted;
    context_.save_progress();
  } else {
    context_.with_room([&] { context_.nets.reject(candidate, text); });
  }
  context_.say(id + " is " + verdict.reason);
  context_.record("gate", {{"candidate", id},
                           {"champion", champion},
                           {"promoted", verdict.promoted},
                           {"share", verdict.score.share()},
                           {"games", verdict.score.games()},
                           {"reason", verdict.reason}});
  return verdict.promoted;
}

void GatePart::follow_promotion() {
  const auto& options = context_.config.run;
  const auto count = context_.total().nets_promoted;
  if (options.check_every > 0 && count % options.check_every == 0) check_against_old_nets();
  if (options.exam_every > 0 && count % options.exam_every == 0 && passes_exam()) {
    context_.progress.exam_passed = true;
    context_.save_progress();
  }
}

Verdict GatePart::decide(const fs::path& candidate) {
  const auto& options = context_.config.gate;
  const auto search = match_search(context_.config.search, options.visits);
  const auto champion =
      make_search_player(context_.match_evaluator(load_net(context_.nets.current())), search);
  const auto rejected = [&](const Error& e) {
    Verdict verdict;
    verdict.kind = options.kind;
    verdict.reason = std::string("rejected: cannot be judged: ") + e.what();
    return verdict;
  };
  std::optional<LoadedNet> net;
  try {
    net = load_net(candidate);
  } catch (const Error& e) {
    return rejected(e);
  }
  const auto id = net->info.id;
  const auto challenger = make_search_player(context_.match_evaluator(std::move(*net)), search);
  try {
    return judge(*challenger, *champion, options, context_.arena(id));
  } catch (const PlayerError& e) {
    if (e.player != id) throw;
    return rejected(e);
  }
}

void GatePart::check_against_old_nets() {
  const auto nets = context_.nets.nets();
  if (nets.size() < 2) return;
  const auto& champion = nets.back();
  check_against(champion, nets.front());
  const auto back = static_cast<std::size_t>(std::max(1, context_.config.run.check_every));
  if (nets.size() > back + 1) check_against(champion, nets[nets.size() - 1 - back]);
}

void GatePart::check_against(const NetInfo& champion, const NetInfo& old) {
  const auto search = match_search(context_.config.search, context_.config.gate.visits);
  const auto a = make_search_player(
      context_.match_evaluator(load_net(context_.nets.net_directory(champion.id))), search);
  const auto b = make_search_player(
      context_.match_evaluator(load_net(context_.nets.net_directory(old.id))), search);
  context_.show("check match");
  auto arena = context_.arena(champion.id + old.id);
  arena.pairs = context_.config.run.check_pairs;
  const auto match = play_match(*a, *b, arena);
  const auto interval = wilson_interval(match.score);
  context_.with_room([&] {
    write_durable(context_.directory / "matches" / (champion.id + "-" + old.id + ".json"),
                  to_json(match, arena));
  });
  context_.say("check: " + champion.id + " against " + old.id + ": " + to_text(match.score));
  context_.record("check", {{"net", champion.id},
                            {"net_index", champion.index},
                            {"against", old.id},
                            {"against_index", old.index},
                            {"share", match.score.share()},
                            {"low", interval.low},
                            {"high", interval.high},
                            {"games", match.score.games()},
                            {"wins", match.score.wins},
                            {"draws", match.score.draws}});
}

bool GatePart::passes_exam() {
  context_.show("exam");
  const auto report =
      examine(context_.match_evaluator(load_net(context_.nets.current())),
              context_.match_evaluator(load_net(context_.nets.first())), context_.config, true);
  std::string fell_short;
  for (const auto& check : report.checks) {
    if (!check.passed) fell_short = check.text;
    context_.say(std::string("exam: ") + (check.passed ? "passed: " : "not yet: ") + check.text);
  }
  context_.record(
      "exam",
      {{"passed", report.passed()}, {"checks", report.checks.size()}, {"fell_short", fell_short}});
  return report.passed();
}

ExamReport examine(std::shared_ptr<Evaluator> net, std::shared_ptr<Evaluator> untrained,
                   const RunConfig& config, bool stop_at_failure) {
  ExamOptions options;
  options.rules = rules_of(config.games, BoardSize::square(5));
  options.search = config.search;
  options.seed = static_cast<std::uint64_t>(config.run.seed);
  options.stop_at_failure = stop_at_failure;
  return exam_5x5(std::move(net), std::move(untrained), options);
}

}  // namespace tengen
