// For tests of other programs: nets of every version and kind of block, as KataGo's files and as
// ONNX, and those of files that are given.
//
//   write_kata_nets DIRECTORY [NET.bin.gz...]

#include <cstdio>
#include <filesystem>
#include <string>

#include "nn/kata_net_reader.h"
#include "nn/kata_net_writer.h"
#include "nn/onnx_writer.h"
#include "rules/durable_file.h"
#include "tests/nn/random_net_model.h"

int main(int argc, char** argv) {
  using namespace tengen;
  if (argc < 2) {
    std::fprintf(stderr, "usage: write_kata_nets DIRECTORY [NET.bin.gz...]\n");
    return 2;
  }
  const std::filesystem::path directory = argv[1];
  const auto write = [&directory](const NetModel& model) {
    write_kata_net(directory / (model.name + ".bin.gz"), model);
    write_durable(directory / (model.name + ".onnx"), to_onnx(model));
  };
  for (int version = 8; version <= 16; ++version) {
    RandomNetOptions options{.version = version, .stem_kernel = version % 2 == 0 ? 5 : 3};
    options.activations.push_back(Activation::kIdentity);
    write(random_net_model(static_cast<std::uint64_t>(version), options));
  }
  // Layers of one name, that of an output, are still layers of their own.
  NetModel same_names = random_net_model(17);
  same_names.name = "same-names";
  same_names.stem.name = same_names.tip.norm.name = same_names.policy.conv2.name = "policy";
  same_names.value.hidden.name = same_names.value.value.name = "policy";
  write(same_names);
  for (int i = 2; i < argc; ++i) write(read_kata_net(argv[i]));
}
