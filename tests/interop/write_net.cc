// Writes a fresh net into the folder given, and beside it what the evaluator says of one position:
// planes and scalars (raw fp32, channels last) and answer.txt.
#include <fstream>
#include <iostream>
#include <memory>

#include "nn/batch_tensors.h"
#include "nn/net_evaluator.h"
#include "nn/net_files.h"
#include "rules/playout.h"

namespace tengen {
namespace {

constexpr int kSide = 5;

Features some_position() {
  Rules rules;
  rules.size = BoardSize::square(kSide);
  Position position(rules);
  Rng rng(3);
  for (int ply = 0; ply < 9; ++ply) position.play(random_move(position, rng));
  return features_of(position);
}

void write_floats(const std::filesystem::path& path, const std::vector<float>& values) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(float)));
}

void write_all(const std::filesystem::path& folder) {
  auto network = std::make_shared<Network>(network_shape("b2c16"), 5);
  NetInfo info;
  info.index = 3;
  save_net(folder / "net", *network, info);

  const EvaluationInput input = {some_position(), Symmetry()};
  std::vector<float> planes(kSide * kSide * kPlanes), scalars(kScalars);
  fill_input_row(input.features, input.symmetry, kSide, planes.data(), scalars.data());
  write_floats(folder / "planes.f32", planes);
  write_floats(folder / "scalars.f32", scalars);

  Calibration how;
  how.device = "cpu";
  how.precision = "fp32";
  how.batch = 1;
  NetEvaluator evaluator(network, info.id, how, BoardSize::square(kSide));
  Evaluation answer;
  evaluator.evaluate({&input, 1}, {&answer, 1});
  std::ofstream out(folder / "answer.txt");
  out.precision(9);
  for (int i = 0; i <= kSide * kSide; ++i) out << answer.policy_logits[i] << "\n";
  out << answer.win << "\n" << answer.loss << "\n" << answer.no_result << "\n" << answer.score;
}

}  // namespace
}  // namespace tengen

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: write_net FOLDER\n";
    return 2;
  }
  tengen::write_all(argv[1]);
}
