#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "eval/playable_net.h"

namespace CLI {
class App;
}

namespace tengen {

// The command line of a program: its verbs, of which one is carried out, and how errors are told.
// The whole program and the engine have the verbs below in common; the whole one adds its own.
class CommandLine {
 public:
  // `version_text` is what `version` and --version print.
  CommandLine(const std::string& description, std::function<std::string()> version_text);
  ~CommandLine();

  // Where more verbs are added. A verb's callback calls set_action.
  CLI::App& app() { return *app_; }
  // What `run` carries out; its result is the exit code.
  void set_action(std::function<int()> action) { action_ = std::move(action); }
  bool has_action() const { return action_ != nullptr; }

  // Reads the command line and does what it says. Returns the exit code: 0 done, 1 failed, 2 wrong
  // usage; errors are one line on standard error.
  int run(int argc, char** argv);

 private:
  int act(int argc, char** argv);

  std::unique_ptr<CLI::App> app_;
  std::function<int()> action_;
};

void add_gtp(CommandLine& line, const OpenNet& open);
void add_match(CommandLine& line, const OpenNet& open);
void add_export(CommandLine& line, const OpenNet& open);
void add_rules(CommandLine& line);     // rules, rules show, diff, prove
CLI::App* add_net(CommandLine& line);  // net show, diff; returns `net`, for more of its verbs

// What can be measured, by name; called with the seconds that were asked for, 0 if none were.
using Benches = std::map<std::string, std::function<void(double seconds)>>;
// bench rules, features, signature (selfplay/signature.h) and `more`; returns the verb, for more
// options.
CLI::App* add_bench(CommandLine& line, Benches more = {});

}  // namespace tengen
