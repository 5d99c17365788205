// The verbs of Tengen: a table of contents. Those that the engine has too are in eval/cli.h.

#include <CLI/CLI.hpp>
#include <array>
#include <functional>
#include <iostream>
#include <memory>
#include <string>

#include "configs/reader.h"
#include "eval/cli.h"
#include "train/run.h"
#include "train/run_bench.h"
#include "train/run_convert.h"
#include "train/run_nets.h"
#include "train/run_players.h"
#include "train/run_replay.h"
#include "train/run_shards.h"
#include "train/run_status.h"
#include "train/run_tools.h"

namespace {

using tengen::CommandLine;
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

void add_run(CommandLine& line, Common& common, const std::string& command) {
  auto* verb =
      line.app().add_subcommand("run", "train: the whole loop in one process; resumes by itself");
  common.add_config_to(verb);
  common.add_directory_to(verb);
  verb->callback([&common, &line, command] {
    line.set_action(
        [&common, command] { return tengen::run(common.read(), common.directory, command); });
  });
}

void add_selfplay(CommandLine& line, Common& common) {
  auto* verb =
      line.app().add_subcommand("selfplay", "play games: for a run directory, or with a fixed net");
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
  verb->callback([&common, &line, request] {
    line.set_action([&common, request] {
      const auto config = common.read();
      if (request->net.empty() == common.directory.empty()) {
        throw tengen::UsageError("selfplay: give either --dir (a run) or --net (a fixed net)");
      }
      if (!request->net.empty()) return tengen::selfplay_with_net(config, *request);
      return tengen::run_selfplay(config, common.directory, request->worker, request->games);
    });
  });
}

void add_replay(CommandLine& line, Common& common) {
  auto* verb =
      line.app().add_subcommand("replay", "play games of a shard again and compare, bit for bit");
  auto request = std::make_shared<tengen::ReplayRequest>();
  verb->add_option("shard", request->shard, "file of the games")->required();
  verb->add_option("--game", request->game, "index of one game [all]");
  verb->add_option("--dir", request->directory, "run directory [that of the shard]");
  verb->add_option("--net", request->net, "of games with a fixed net: the net, or \"hash\"");
  common.add_config_to(verb);
  verb->callback([&common, &line, request] {
    line.set_action([&common, request] {
      if (request->directory.empty() && request->net.empty()) {
        request->directory = tengen::directory_of_shard(request->shard);
      }
      common.directory = request->directory;
      return tengen::run_replay(common.read(), *request);
    });
  });
}

// Verbs about shards: a word, what it says of itself, and what it does with the paths.
void add_shard_verbs(CommandLine& line) {
  struct Request {
    std::vector<std::string> paths;
    std::string out;
    bool as_json = false;
  };
  using Act = std::function<int(const Request&)>;
  const auto add = [&line](const char* name, const char* about, const Act& act) {
    auto* verb = line.app().add_subcommand(name, about);
    auto request = std::make_shared<Request>();
    verb->add_option("paths", request->paths, "shards, their directories, or runs")->required();
    verb->callback(
        [&line, request, act] { line.set_action([request, act] { return act(*request); }); });
    return std::pair(verb, request);
  };
  add("verify", "check shards: seals, checksums, games, and that rows are what the games give",
      [](const Request& r) { return tengen::verify_shards(r.paths, std::cout); });
  const auto [stats, about] = add("stats", "what is in shards", [](const Request& r) {
    return tengen::shard_stats(r.paths, r.as_json, std::cout);
  });
  stats->add_flag("--json", about->as_json, "as JSON");
  const auto [games, of] =
      add("games", "the games of shards as SGF, with what the searches said",
          [](const Request& r) { return tengen::shard_games(r.paths, r.out, std::cout); });
  games->add_option("--out", of->out, "folder for a file a game [all of them, to the output]");
  const auto [merge, into] = add("merge", "one new shard of several", [](const Request& r) {
    return tengen::merge_shards(r.paths, r.out, std::cout);
  });
  merge->add_option("--out", into->out, "folder of the new shard")->required();
  const auto [repair, saved] =
      add("repair", "save the whole games of damaged shards",
          [](const Request& r) { return tengen::repair_shards(r.paths, r.out, std::cout); });
  repair->add_option("--out", saved->out, "folder of the new shards")->required();
}

void add_train(CommandLine& line, Common& common) {
  auto* verb =
      line.app().add_subcommand("train", "train on the shards of a run directory as they come");
  common.add_config_to(verb);
  common.add_directory_to(verb);
  verb->callback([&] {
    line.set_action([&common] { return tengen::run_training(common.read(), common.directory); });
  });
}

void add_convert(CommandLine& line) {
  auto* verb = line.app().add_subcommand(
      "convert",
      "rows of shards as KataGo's .npz (--to kata), or KataGo's as columns (--from kata)");
  auto request = std::make_shared<tengen::ConvertRequest>();
  verb->add_option("paths", request->paths,
                   "shards, their directories, or runs; with --from: .npz files")
      ->required();
  verb->add_option("--to", request->to, "kata");
  verb->add_option("--from", request->from, "kata");
  verb->add_option("--out", request->out, "folder of the new files")->required();
  verb->add_option("--board", request->board, "--to: length of a row's board, KataGo's -pos-len")
      ->check(CLI::Range(2, 19))
      ->capture_default_str();
  verb->callback([&line, request] {
    line.set_action([request] { return tengen::run_convert(*request, std::cout); });
  });
}

void add_gate(CommandLine& line, Common& common) {
  auto* verb =
      line.app().add_subcommand("gate", "judge the candidates of a run directory as they come");
  common.add_config_to(verb);
  common.add_directory_to(verb);
  verb->callback([&] {
    line.set_action([&common] { return tengen::run_gate(common.read(), common.directory); });
  });
}

void add_exam(CommandLine& line, Common& common) {
  auto* verb =
      line.app().add_subcommand("exam", "what a run on 5x5 has learned, against the solved game");
  common.add_directory_to(verb);
  verb->callback(
      [&] { line.set_action([&common] { return tengen::run_exam(common.directory); }); });
}

void add_status(CommandLine& line, Common& common) {
  auto* verb =
      line.app().add_subcommand("status", "what a run is, where it stands, whether it is learning");
  common.add_directory_to(verb);
  verb->callback([&] {
    line.set_action([&common] { return tengen::print_status(common.directory, std::cout); });
  });
}

void add_bench(CommandLine& line, Common& common) {
  const auto net = std::make_shared<std::string>();
  const auto bench = [&common, net](const std::string& what) {
    return [&common, net, what](double seconds) {
      tengen::run_bench(common.read(), {what, *net, seconds});
    };
  };
  auto* verb = tengen::add_bench(
      line, {{"eval", bench("eval")}, {"selfplay", bench("selfplay")}, {"train", bench("train")}});
  verb->add_option("--net", *net,
                   "of eval and selfplay: a net to measure [a fresh one of the config]");
  common.add_config_to(verb);
}

void add_net_init(CommandLine& line, CLI::App& net) {
  auto* verb = net.add_subcommand("init", "a net with fresh weights");
  auto request = std::make_shared<tengen::NetInitRequest>();
  verb->add_option("--size", request->net.size, "b2c16 to b15c192, b18c384nbt")
      ->capture_default_str();
  verb->add_option("--activation", request->net.activation, "relu, mish or silu")
      ->capture_default_str();
  verb->add_option("--norm", request->net.norm, "fixed or batch")->capture_default_str();
  verb->add_flag("!--no-ladders", request->net.ladders, "a net that sees no ladder planes");
  verb->add_option("--seed", request->seed, "of the weights")->capture_default_str();
  verb->add_option("--out", request->out, "folder, must not be there")->required();
  verb->callback(
      [&line, request] { line.set_action([request] { return tengen::run_net_init(*request); }); });
}

void add_import(CommandLine& line) {
  auto* verb = line.app().add_subcommand("import", "make a net of a model file of KataGo");
  auto paths = std::make_shared<std::array<std::string, 2>>();
  verb->add_option("file", (*paths)[0], "model file: .bin.gz or .txt.gz, versions 8 to 16")
      ->required();
  verb->add_option("--out", (*paths)[1], "folder, must not be there")->required();
  verb->callback([&line, paths] {
    line.set_action([paths] { return tengen::run_import((*paths)[0], (*paths)[1]); });
  });
}

void add_config(CommandLine& line, Common& common) {
  auto* verb = line.app().add_subcommand(
      "config", "every key with its meaning; with --config, the file resolved");
  common.add_config_to(verb);
  verb->callback([&] {
    line.set_action([&common] {
      std::cout << tengen::to_toml(common.read(), true);
      return 0;
    });
  });
}

}  // namespace

int main(int argc, char** argv) {
  CommandLine line("Tengen learns Go from nothing: self-play, training, matches, one program",
                   tengen::version_text);
  Common common;
  add_run(line, common, join(argc, argv));
  add_selfplay(line, common);
  add_replay(line, common);
  add_shard_verbs(line);
  add_convert(line);
  add_train(line, common);
  add_gate(line, common);
  add_match(line, tengen::open_torch_net);
  add_gtp(line, tengen::open_torch_net);
  add_exam(line, common);
  add_status(line, common);
  add_bench(line, common);
  add_rules(line);
  add_net_init(line, *add_net(line));
  add_import(line);
  add_export(line, tengen::open_torch_net);
  add_config(line, common);
  return line.run(argc, argv);
}
