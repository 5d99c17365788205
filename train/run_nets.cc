#include "train/run_nets.h"

#include <algorithm>
#include <iostream>

#include "nn/net_files.h"
#include "nn/net_import.h"
#include "nn/net_report.h"
#include "rules/check.h"

namespace tengen {
namespace {

template <std::size_t n>
void require_choice(const std::string& option, const std::string& value,
                    const std::string_view (&choices)[n]) {
  if (std::ranges::count(choices, value) > 0) return;
  std::string expected;
  for (const auto choice : choices) {
    expected += (expected.empty() ? "" : ", ") + std::string(choice);
  }
  throw UsageError(option + " '" + value + "': expected one of " + expected);
}

}  // namespace

int run_net_init(const NetInitRequest& request) {
  require_choice("--activation", request.net.activation, kActivationChoices);
  require_choice("--norm", request.net.norm, kNormChoices);
  NetInfo info;
  save_net(request.out, Network(network_shape(request.net), request.seed), info);
  print_net(request.out, std::cout);
  return 0;
}

int run_import(const std::string& file, const std::string& out) {
  import_kata_net(file, out);
  print_net(out, std::cout);
  return 0;
}

}  // namespace tengen
