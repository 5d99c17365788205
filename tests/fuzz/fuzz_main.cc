// Runs a fuzz target (LLVMFuzzerTestOneInput, the interface of libFuzzer) where there is no
// libFuzzer: every file of the corpus as it is, then random mutations of them.
//
//   sgf_fuzz [--inputs N] [--seed S] [--save FILE] DIRECTORY...
//
// With --save every input is written to FILE before it is run, so that the one that stops the
// program stays there.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/mutation.h"

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

struct Arguments {
  std::uint64_t inputs = 10'000;  // mutations, beside the corpus
  std::uint64_t seed = 1;
  std::string save;
  std::vector<std::string> directories;
};

Arguments arguments_of(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool has_value = i + 1 < argc;
    if (argument == "--inputs" && has_value) {
      arguments.inputs = std::stoull(argv[++i]);
    } else if (argument == "--seed" && has_value) {
      arguments.seed = std::stoull(argv[++i]);
    } else if (argument == "--save" && has_value) {
      arguments.save = argv[++i];
    } else {
      arguments.directories.push_back(argument);
    }
  }
  return arguments;
}

// In the order of the names, so that a seed means the same inputs everywhere.
std::vector<std::string> read_corpus(const std::vector<std::string>& directories) {
  std::vector<std::filesystem::path> paths;
  for (const std::string& directory : directories) {
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      paths.push_back(entry.path());
    }
  }
  std::ranges::sort(paths);
  std::vector<std::string> corpus;
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return corpus;
}

void run_input(const std::string& input, const std::string& save) {
  if (!save.empty()) std::ofstream(save, std::ios::binary) << input << std::flush;
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = arguments_of(argc, argv);
  const std::vector<std::string> corpus = read_corpus(arguments.directories);
  if (corpus.empty()) {
    std::fprintf(stderr, "usage: %s [--inputs N] [--seed S] [--save FILE] DIRECTORY...\n", argv[0]);
    return 2;
  }
  for (const std::string& input : corpus) run_input(input, arguments.save);
  const auto any = [&corpus](tengen::Rng& rng) -> const std::string& {
    return corpus[rng.below(static_cast<std::uint32_t>(corpus.size()))];
  };
  for (std::uint64_t i = 0; i < arguments.inputs; ++i) {
    tengen::Rng rng(arguments.seed, i);
    const std::string& text = any(rng);
    run_input(tengen::mutated(text, any(rng), rng), arguments.save);
  }
  std::printf("%zu files and %llu mutations of them, seed %llu: all passed\n", corpus.size(),
              static_cast<unsigned long long>(arguments.inputs),
              static_cast<unsigned long long>(arguments.seed));
}
