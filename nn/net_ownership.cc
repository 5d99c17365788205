#include "nn/net_ownership.h"

#include <torch/torch.h>

#include <algorithm>
#include <utility>

#include "nn/batch_tensors.h"

namespace tengen {

NetOwnership::NetOwnership(std::shared_ptr<const Network> network) : network_(std::move(network)) {}

std::vector<float> NetOwnership::black_ownership(const Board& board, const Rules& rules) {
  const torch::NoGradGuard no_gradients;
  const BoardSize size = board.size();
  const int canvas = std::max(size.width, size.height);
  const int symmetries = Symmetry::count(size);
  const auto rows = static_cast<std::int64_t>(2 * symmetries);
  torch::Tensor planes = torch::zeros({rows, canvas, canvas, kPlanes});
  torch::Tensor scalars = torch::zeros({rows, kScalars});
  for (const Color to_move : {Color::kBlack, Color::kWhite}) {
    const Features features = features_of(Position(rules, board, to_move));
    for (int s = 0; s < symmetries; ++s) {
      const int row = index_of(to_move) * symmetries + s;
      fill_input_row(features, Symmetry(s), canvas, planes[row].data_ptr<float>(),
                     scalars[row].data_ptr<float>());
    }
  }
  const auto device = network_->parameters().front().second.device();
  const auto heads = network_->forward(planes.permute({0, 3, 1, 2}).to(device), scalars.to(device));
  const torch::Tensor answers = heads[kOwnershipHead].tanh().cpu().contiguous();
  std::vector<float> black(static_cast<std::size_t>(size.area()), 0.F);
  for (std::int64_t row = 0; row < rows; ++row) {
    const float sign = row < symmetries ? 1.F : -1.F;  // an answer is for the side to move
    const short* map = Symmetry(static_cast<int>(row % symmetries)).map(size);
    const float* owned = answers[row].data_ptr<float>();
    for (int i = 0; i < size.area(); ++i) {
      black[static_cast<std::size_t>(i)] +=
          sign * owned[map[i] / size.width * canvas + map[i] % size.width] /
          static_cast<float>(rows);
    }
  }
  return black;
}

}  // namespace tengen
