// The verbs of Tengen: a table of contents. Exit codes: 0 done, 1 failure, 2 usage.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <csignal>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <string>

#include "configs/reader.h"
#include "eval/rules_report.h"
#include "rules/prove.h"
#include "train/run.h"
#include "train/run_bench.h"
#include "train/run_match.h"
#include "train/run_status.h"
#include "train/run_tools.h"

namespace {

using tengen::RunConfig;

// --config, --set and --dir, which most verbs share.
struct Common {
  std::string config_file;
  std::vector<std::string> overrides;
  std::string directory;

  void add_config_to(CLI::App* verb) {
    verb->add_option("--config", config_file, "TOML file; see `tengen config` for its keys");
    verb->add_option("--set", overrides, "override one key (repeatable)")
        ->type_name("SECTION.KEY=VALUE")
        ->allow_extra_args(false);
  }
  void add_directory_to(CLI::App* verb) {
    verb->add_option("--dir", directory, "run directory")->required();
  }
  // The file given, else the config that the run directory keeps.
  RunConfig read() const { return tengen::read_run_config(config_file, overrides, directory); }
};

std::string join(int argc, char** argv) {
  std::string line;
  for (int i = 0; i < argc; ++i) line += (i > 0 ? " " : "") + std::string(argv[i]);
  return line;
}

void require_verb(const CLI::App& app, const std::string& word) {
  std::string verbs;
  for (const auto* verb : app.get_subcommands({})) {
    if (verb->get_name() == word) return;
    verbs += " " + verb->get_name();
  }
  throw tengen::UsageError("'" + word + "' is no verb; expected one of" + verbs);
}

// Values from outside may hold anything: control characters become blanks, and what is overlong is
// cut.
std::string one_line(std::string text) {
  constexpr std::size_t kMost = 2000;
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; }, ' ');
  if (text.size() > kMost) text = text.substr(0, kMost) + " ...";
  return text;
}

using Action = std::function<int()>;

void add_run(CLI::App& app, Common& common, Action& action, const std::string& command) {
  auto* verb = app.add_subcommand("run", "train: the whole loop in one process; resumes by itself");
  common.add_config_to(verb);
  common.add_directory_to(verb);
  verb->callback([&common, &action, command] {
    action = [&common, command] { return tengen::run(common.read(), common.directory, command); };
  });
}

void add_selfplay(CLI::App& app, Common& common, Action& action) {
  auto* verb =
      app.add_subcommand("selfplay", "play games: for a run directory, or with a fixed net");
  auto request = std::make_shared<tengen::SelfplayRequest>();
  common.add_config_to(verb);
  verb->add_option("--dir", common.directory, "run directory to play for, with its champion");
  verb->add_option("--net", request->net, "a net's directory, \"hash\" or \"random\" instead");
  verb->add_option("--games", request->games, "games to finish; 0: until stopped")
      ->capture_default_str();
  verb->add_option("--worker", request->worker, "name in the shards of a run")
      ->capture_default_str();
  verb->add_option("--out", request->out, "with --net: directory for shards");
  verb->add_option("--dump", request->dump, "with --net: file for the canonical text of the games");
  verb->callback([&common, &action, request] {
    action = [&common, request] {
      const auto config = common.read();
      if (request->net.empty() == common.directory.empty()) {
        throw tengen::UsageError("selfplay: give either --dir (a run) or --net (a fixed net)");
      }
      if (!request->net.empty()) return tengen::selfplay_with_net(config, *request);
      return tengen::run_selfplay(config, common.directory, request->worker, request->games);
    };
  });
}

void add_train(CLI::App& app, Common& common, Action& action) {
  auto* verb = app.add_subcommand("train", "train on the shards of a run directory as they come");
  common.add_config_to(verb);
  common.add_directory_to(verb);
  verb->callback([&] {
    action = [&common] { return tengen::run_training(common.read(), common.directory); };
  });
}

void add_gate(CLI::App& app, Common& common, Action& action) {
  auto* verb = app.add_subcommand("gate", "judge the candidates of a run directory as they come");
  common.add_config_to(verb);
  common.add_directory_to(verb);
  verb->callback(
      [&] { action = [&common] { return tengen::run_gate(common.read(), common.directory); }; });
}

void add_match(CLI::App& app, Action& action) {
  auto* verb = app.add_subcommand("match", "paired games between two players");
  auto request = std::make_shared<tengen::MatchRequest>();
  const std::string players =
      "a net's or a run's directory, rollouts:N, random, hash, or gtp:COMMAND LINE";
  verb->add_option("a", request->a, "first player: " + players)->required();
  verb->add_option("b", request->b, "second player")->required();
  verb->add_option("--rules", request->rules, "see `tengen rules` [those of a net, else area]");
  verb->add_option("--size", request->size, "board: 9 or 9x13 [what a net was trained on, else 9]");
  verb->add_option("--komi", request->komi, "points for White [what it was trained with, else 7]");
  verb->add_option("--pairs", request->pairs, "openings, each played twice with colours swapped")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  verb->add_option("--opening-moves", request->opening_moves, "random moves that begin a game")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000));
  verb->add_option("--visits", request->visits, "visits per move of nets")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  verb->add_option("--seed", request->seed, "of openings and searches")
      ->capture_default_str()
      ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()));
  verb->add_option("--json", request->json, "file for the result and all games");
  verb->callback(
      [&action, request] { action = [request] { return tengen::run_match(*request); }; });
}

void add_gtp(CLI::App& app, Action& action) {
  auto* verb = app.add_subcommand("gtp", "play over GTP: for GUIs and other programs");
  auto request = std::make_shared<tengen::GtpRequest>();
  verb->add_option("--net", request->net,
                   "who plays: a net's directory, a run's (its champion), rollouts:N, random, hash")
      ->required();
  verb->add_option("--visits", request->visits, "visits per move")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  verb->add_option("--rules", request->rules, "see `tengen rules` [the net's, else area]");
  verb->add_option("--size", request->size, "board at the start [the net's largest, else 9]");
  verb->add_option("--komi", request->komi, "komi at the start [the net's, else 7]");
  verb->callback([&action, request] { action = [request] { return tengen::run_gtp(*request); }; });
}

void add_exam(CLI::App& app, Common& common, Action& action) {
  auto* verb = app.add_subcommand("exam", "what a run on 5x5 has learned, against the solved game");
  common.add_directory_to(verb);
  verb->callback([&] { action = [&common] { return tengen::run_exam(common.directory); }; });
}

void add_status(CLI::App& app, Common& common, Action& action) {
  auto* verb =
      app.add_subcommand("status", "what a run is, where it stands, whether it is learning");
  common.add_directory_to(verb);
  verb->callback(
      [&] { action = [&common] { return tengen::print_status(common.directory, std::cout); }; });
}

void add_bench(CLI::App& app, Common& common, Action& action) {
  auto* verb = app.add_subcommand("bench", "speed, as ratios to a limit measured in the same run");
  auto request = std::make_shared<tengen::BenchRequest>();
  verb->add_option("what", request->what, "selfplay, rules or train")
      ->required()
      ->check(CLI::IsMember({"selfplay", "rules", "train"}));
  verb->add_option("--seconds", request->seconds, "time to measure for; 0: the bench's own")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 86400.0));
  common.add_config_to(verb);
  verb->callback([&common, &action, request] {
    action = [&common, request] { return tengen::run_bench(common.read(), *request); };
  });
}

// What is wrong with a text on the command line is an error of usage.
void usage_of(const std::function<void()>& print) {
  try {
    print();
  } catch (const tengen::Error& e) {
    throw tengen::UsageError(e.what());
  }
}

void add_rules(CLI::App& app, Action& action) {
  auto* verb = app.add_subcommand("rules", "the rule sets that can be played and trained");
  verb->callback([&action] {
    if (action) return;  // a verb of its own was given
    action = [] {
      tengen::print_presets(std::cout);
      return 0;
    };
  });
  auto texts = std::make_shared<std::array<std::string, 2>>();
  auto* show = verb->add_subcommand("show", "one of them in full");
  show->add_option("rules", (*texts)[0], "a name, and fields that differ")->required();
  show->callback([&action, texts] {
    action = [texts] {
      usage_of([&] { tengen::print_rules((*texts)[0], std::cout); });
      return 0;
    };
  });
  auto options = std::make_shared<tengen::ProveOptions>();
  auto* proofs = verb->add_subcommand("prove", "published counts and the rules against themselves");
  proofs->add_flag("--long", options->with_long, "also those that take up to an hour");
  proofs->add_option("--only", options->only, "those whose name has this in it");
  proofs->callback([&action, options] {
    action = [options] {
      const auto tell = [](const std::string& line) { std::cout << line << std::endl; };
      return tengen::prove(*options, tell) ? 0 : 1;
    };
  });
  auto* diff = verb->add_subcommand("diff", "in what two of them differ");
  diff->add_option("a", (*texts)[0], "rules, as for show")->required();
  diff->add_option("b", (*texts)[1], "others")->required();
  diff->callback([&action, texts] {
    action = [texts] {
      usage_of([&] { tengen::print_difference((*texts)[0], (*texts)[1], std::cout); });
      return 0;
    };
  });
}

void add_config(CLI::App& app, Common& common, Action& action) {
  auto* verb =
      app.add_subcommand("config", "every key with its meaning; with --config, the file resolved");
  common.add_config_to(verb);
  verb->callback([&] {
    action = [&common] {
      std::cout << tengen::to_toml(common.read(), true);
      return 0;
    };
  });
}

void add_version(CLI::App& app, Action& action) {
  app.add_subcommand("version", "program, git hash, libraries, processor, devices")->callback([&] {
    action = [] {
      std::cout << tengen::version_text();
      return 0;
    };
  });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Tengen learns Go from nothing: self-play, training, matches, one program"};
  app.require_subcommand(1);
  app.set_version_flag("--version", [] { return tengen::version_text(); });
  Common common;
  Action action;
  add_run(app, common, action, join(argc, argv));
  add_selfplay(app, common, action);
  add_train(app, common, action);
  add_gate(app, common, action);
  add_match(app, action);
  add_gtp(app, action);
  add_exam(app, common, action);
  add_status(app, common, action);
  add_bench(app, common, action);
  add_rules(app, action);
  add_config(app, common, action);
  add_version(app, action);
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond the limit is an error of its write
  try {
    if (argc > 1 && argv[1][0] != '-') require_verb(app, argv[1]);
    app.parse(argc, argv);
    const int code = action();
    if (!std::cout.flush()) throw tengen::Error("standard output cannot be written");
    return code;
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  } catch (const tengen::UsageError& e) {
    std::cerr << "tengen: " << one_line(e.what()) << "\n";
    return 2;
  } catch (const std::exception& e) {
    std::cerr << "tengen: " << one_line(e.what()) << "\n";
    return 1;
  }
}
