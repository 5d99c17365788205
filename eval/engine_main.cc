// The engine: what Tengen does with a net that is trained, without LibTorch and HDF5. A table of
// contents; the whole program is in main.cc.

#include "eval/cli.h"
#include "eval/cpu_net.h"
#include "rules/engine.h"
#include "rules/program.h"

namespace {

std::string version_text() {
  std::string text = "tengen " + std::string(tengen::version()) + ", the engine\ngit " +
                     std::string(tengen::git_hash()) + "\nprocessor " + tengen::processor_name() +
                     "\ninstruction sets";
  for (const auto set : tengen::available_instruction_sets()) {
    text += " " + std::string(tengen::kInstructionSetNames[static_cast<int>(set)]);
  }
  return text + "\n";
}

}  // namespace

int main(int argc, char** argv) {
  tengen::CommandLine line("Tengen plays Go with a net that it has learned, or one of KataGo's",
                           version_text);
  add_gtp(line, tengen::open_cpu_net);
  add_match(line, tengen::open_cpu_net);
  add_net(line);
  add_export(line, tengen::open_cpu_net);
  add_rules(line);
  add_bench(line);
  return line.run(argc, argv);
}
