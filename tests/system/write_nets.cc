// write_nets DIR: the same small net of random weights as KataGo's file, DIR/small.bin.gz, and as
// the folder DIR/nets/net-000007-00000000 of a run, DIR, whose champion it is; without LibTorch.

#include <iostream>

#include "nn/kata_net_writer.h"
#include "rules/check.h"
#include "rules/durable_file.h"
#include "tests/nn/net_folder.h"
#include "tests/nn/random_net_model.h"

namespace tengen {
namespace {

void write_nets(const std::filesystem::path& dir) {
  RandomNetOptions options;
  options.activations = {Activation::kRelu};  // a net of ours has one
  options.blocks = {ModelBlock::Kind::kOrdinary, ModelBlock::Kind::kPooling};
  options.channels = 8;
  const NetModel model = random_net_model(11, options);
  write_kata_net(dir / "small.bin.gz", model);
  NetInfo info;
  info.id = "net-000007-00000000";
  info.index = 7;
  info.rules = "7x7 ko=simple suicide=none scoring=area dead=as-they-stand komi=9";
  write_net_folder(dir / "nets" / info.id, model, info);
  write_durable(dir / "champion.json", R"({"net": ")" + info.id + R"(", "index": 7})");
}

}  // namespace
}  // namespace tengen

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: write_nets DIR\n";
    return 2;
  }
  try {
    tengen::write_nets(argv[1]);
  } catch (const tengen::Error& e) {
    std::cerr << e.what() << "\n";
    return 1;
  }
  return 0;
}
