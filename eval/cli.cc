#include "eval/cli.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <csignal>
#include <iostream>
#include <limits>

#include "eval/rules_report.h"
#include "eval/run_match.h"
#include "nn/bench.h"
#include "nn/net_export.h"
#include "nn/net_report.h"
#include "nn/net_source.h"
#include "rules/bench.h"
#include "rules/check.h"
#include "rules/program.h"
#include "rules/prove.h"
#include "selfplay/signature.h"

namespace tengen {
namespace {

constexpr const char* kNetPaths = "a net's folder, a run's (its champion), a KataGo model file";

void require_verb(const CLI::App& app, const std::string& word) {
  std::string verbs;
  for (const auto* verb : app.get_subcommands({})) {
    if (verb->get_name() == word) return;
    verbs += " " + verb->get_name();
  }
  throw UsageError("'" + word + "' is no verb; expected one of" + verbs);
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

// What is wrong with a text on the command line is an error of usage.
int usage_of(const std::function<void()>& print) {
  try {
    print();
  } catch (const Error& e) {
    throw UsageError(e.what());
  }
  return 0;
}

// What players of both verbs take.
template <class Request>
void add_play_options(CLI::App* verb, Request& request) {
  verb->add_option("--visits", request.visits, "visits per move of nets")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  verb->add_option(
          "--search", request.search,
          "how nets search: gumbel, puct, hybrid, or auto: gumbel up to 16 visits, else puct")
      ->capture_default_str()
      ->check(CLI::IsMember({"auto", "gumbel", "puct", "hybrid"}));
  verb->add_option("--leaves", request.leaves,
                   "positions of one search in a batch; more are faster where games are few")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024));
  verb->add_option("--symmetries", request.symmetries,
                   "through which a net sees a position: 1, drawn each time, or the mean of all 8")
      ->capture_default_str()
      ->check(CLI::IsMember({1, 8}));
  verb->add_option("--rules", request.rules, "see `tengen rules` [those of a net, else area]");
  verb->add_option("--size", request.size, "board: 9 or 9x13 [what a net was trained on, else 9]");
  verb->add_option("--komi", request.komi, "points for White [what it was trained with, else 7]");
}

}  // namespace

CommandLine::CommandLine(const std::string& description, std::function<std::string()> version_text)
    : app_(std::make_unique<CLI::App>(description)) {
  app_->require_subcommand(1);
  app_->set_version_flag("--version", version_text);
  app_->add_subcommand("version", "program, git hash, libraries, processor, devices")
      ->callback([this, version_text] {
        set_action([version_text] {
          std::cout << version_text();
          return 0;
        });
      });
}

CommandLine::~CommandLine() = default;

int CommandLine::act(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond the limit is an error of its write
  if (argc > 1 && argv[1][0] != '-') require_verb(*app_, argv[1]);
  app_->parse(argc, argv);
  const int code = action_();
  if (!std::cout.flush()) throw Error("standard output cannot be written");
  return code;
}

int CommandLine::run(int argc, char** argv) {
  try {
    return act(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app_->exit(e) == 0 ? 0 : 2;
  } catch (const UsageError& e) {
    std::cerr << "tengen: " << one_line(e.what()) << "\n";
    return 2;
  } catch (const std::exception& e) {
    std::cerr << "tengen: " << one_line(e.what()) << "\n";
    return 1;
  }
}

void add_gtp(CommandLine& line, const OpenNet& open) {
  auto* verb = line.app().add_subcommand("gtp", "play over GTP: for GUIs and other programs");
  auto request = std::make_shared<GtpRequest>();
  verb->add_option("--net", request->net,
                   std::string("who plays: ") + kNetPaths + ", rollouts:N, random, hash")
      ->required();
  add_play_options(verb, *request);
  verb->add_flag("--ponder", request->ponder, "think on the opponent's time (puct, hybrid)");
  verb->callback([&line, request, open] {
    line.set_action([request, open] { return run_gtp(*request, open, version()); });
  });
}

void add_match(CommandLine& line, const OpenNet& open) {
  auto* verb = line.app().add_subcommand("match", "paired games between two players");
  auto request = std::make_shared<MatchRequest>();
  verb->add_option("a", request->a,
                   std::string("first player: ") + kNetPaths +
                       ", rollouts:N, random, hash, or gtp:COMMAND LINE")
      ->required();
  verb->add_option("b", request->b, "second player")->required();
  add_play_options(verb, *request);
  verb->add_option("--visits-b", request->visits_b, "of the second player [those of --visits]")
      ->check(CLI::Range(1, 1000000));
  verb->add_option("--search-b", request->search_b, "of the second player [that of --search]")
      ->check(CLI::IsMember({"auto", "gumbel", "puct", "hybrid"}));
  verb->add_option("--pairs", request->pairs, "openings, each played twice with colours swapped")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  verb->add_option("--opening-moves", request->opening_moves, "random moves that begin a game")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000));
  verb->add_option("--seed", request->seed, "of openings and searches")
      ->capture_default_str()
      ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()));
  verb->add_option("--json", request->json, "file for the result and all games");
  verb->callback([&line, request, open] {
    line.set_action([request, open] { return run_match(*request, open); });
  });
}

void add_export(CommandLine& line, const OpenNet& open) {
  auto* verb = line.app().add_subcommand("export", "write a net for other programs");
  auto request = std::make_shared<ExportRequest>();
  verb->add_option("--net", request->net, kNetPaths)->required();
  verb->add_option("--to", request->to, "katago or onnx")->capture_default_str();
  verb->add_option("--out", request->out, "the file; for KataGo its name ends in .bin.gz")
      ->required();
  verb->add_option("--version", request->version,
                   "KataGo's model version: 8 for old engines [an imported net's own, else 11]");
  verb->callback([&line, request, open] {
    line.set_action([request, open] {
      request->net = resolve_net(request->net).string();
      const auto net = open(request->net);
      const auto answers = [&](std::span<const EvaluationInput> inputs) {
        return net->answers(inputs);
      };
      export_net(*request, answers, std::cout);
      return 0;
    });
  });
}

void add_rules(CommandLine& line) {
  auto* verb = line.app().add_subcommand("rules", "the rule sets that can be played and trained");
  verb->callback([&line] {
    if (line.has_action()) return;  // a verb of its own was given
    line.set_action([] {
      print_presets(std::cout);
      return 0;
    });
  });
  auto texts = std::make_shared<std::array<std::string, 2>>();
  auto* show = verb->add_subcommand("show", "one of them in full");
  show->add_option("rules", (*texts)[0], "a name, and fields that differ")->required();
  show->callback([&line, texts] {
    line.set_action([texts] { return usage_of([&] { print_rules((*texts)[0], std::cout); }); });
  });
  auto* diff = verb->add_subcommand("diff", "in what two of them differ");
  diff->add_option("a", (*texts)[0], "rules, as for show")->required();
  diff->add_option("b", (*texts)[1], "others")->required();
  diff->callback([&line, texts] {
    line.set_action([texts] {
      return usage_of([&] { print_difference((*texts)[0], (*texts)[1], std::cout); });
    });
  });
  auto options = std::make_shared<ProveOptions>();
  auto* proofs = verb->add_subcommand("prove", "published counts and the rules against themselves");
  proofs->add_flag("--long", options->with_long, "also those that take up to an hour");
  proofs->add_option("--only", options->only, "those whose name has this in it");
  proofs->callback([&line, options] {
    line.set_action([options] {
      const auto tell = [](const std::string& text) { std::cout << text << std::endl; };
      return prove(*options, tell) ? 0 : 1;
    });
  });
}

CLI::App* add_net(CommandLine& line) {
  auto* net = line.app().add_subcommand("net", "what nets are");
  net->require_subcommand(1);
  auto paths = std::make_shared<std::array<std::string, 2>>();
  auto* show = net->add_subcommand("show", "size, cost, heads, where it comes from");
  show->add_option("net", (*paths)[0], kNetPaths)->required();
  show->callback([&line, paths] {
    line.set_action([paths] {
      print_net(resolve_net((*paths)[0]), std::cout);
      return 0;
    });
  });
  auto* diff = net->add_subcommand("diff", "in what two nets differ");
  diff->add_option("a", (*paths)[0], kNetPaths)->required();
  diff->add_option("b", (*paths)[1], "another")->required();
  diff->callback([&line, paths] {
    line.set_action([paths] {
      print_net_difference(resolve_net((*paths)[0]), resolve_net((*paths)[1]), std::cout);
      return 0;
    });
  });
  return net;
}

CLI::App* add_bench(CommandLine& line, Benches more) {
  auto benches = std::make_shared<Benches>(std::move(more));
  const auto or_one = [](double seconds) { return seconds > 0 ? seconds : 1; };
  benches->emplace("rules", [=](double s) { print_rules_bench(std::cout, or_one(s)); });
  benches->emplace("features", [=](double s) { print_features_bench(std::cout, or_one(s)); });
  benches->emplace("signature", [](double) { std::cout << search_signature() << "\n"; });
  std::vector<std::string> names;
  for (const auto& [name, bench] : *benches) names.push_back(name);
  auto request = std::make_shared<std::pair<std::string, double>>("", 0);
  auto* verb = line.app().add_subcommand(
      "bench", "speed, beside a limit or a target; signature: a hash of how it plays");
  verb->add_option("what", request->first, "what is measured")
      ->required()
      ->check(CLI::IsMember(names));
  verb->add_option("--seconds", request->second, "time to measure for; 0: the bench's own")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 86400.0));
  verb->callback([&line, benches, request] {
    line.set_action([benches, request] {
      benches->at(request->first)(request->second);
      return 0;
    });
  });
  return verb;
}

}  // namespace tengen
