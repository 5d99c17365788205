#include "nn/net_evaluator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "nn/batch_tensors.h"
#include "nn/cpu_evaluator.h"
#include "nn/net_outputs.h"
#include "nn/network_model.h"
#include "nn/play_network.h"
#include "rules/check.h"

namespace tengen {
namespace {

// exp(x - log sum exp) of the first `outcomes` logits; of the others 0.
std::array<float, 3> softmax(const float* logits, int outcomes) {
  const float highest = *std::max_element(logits, logits + outcomes);
  std::array<float, 3> p{};
  float sum = 0;
  for (int i = 0; i < outcomes; ++i) sum += p[i] = std::exp(logits[i] - highest);
  for (float& x : p) x /= sum;
  return p;
}

}  // namespace

struct NetEvaluator::Impl {
  std::string id;
  FeatureSchema schema;
  int batch, canvas;
  std::unique_ptr<PlayNetwork> network;
  std::vector<int> batches;  // ascending; the last is the full one
  std::vector<BoardSize> sizes;
  std::span<const EvaluationInput> started;
  std::unique_ptr<CpuEvaluator> cpu;          // computes in place of `network`, if it is there
  std::vector<EvaluationInput> empty_boards;  // a full batch for its benchmark

  // The rows that are computed for `rows` of them.
  std::size_t padded(std::size_t rows) const {
    for (const int size : batches) {
      if (rows <= static_cast<std::size_t>(size)) return static_cast<std::size_t>(size);
    }
    return static_cast<std::size_t>(batch);
  }
  // The rows of the next pass.
  std::size_t rows_of(std::span<const EvaluationInput> inputs) const {
    return std::min<std::size_t>(inputs.size(), static_cast<std::size_t>(batch));
  }
  void start(std::span<const EvaluationInput> inputs) {
    fill(inputs);
    network->start(sizes);
  }
  void finish(std::span<const EvaluationInput> inputs, std::span<Evaluation> outputs) {
    network->finish();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      read(static_cast<int>(i), inputs[i], outputs[i]);
    }
  }
  void fill(std::span<const EvaluationInput> inputs);
  void read(int row, const EvaluationInput& input, Evaluation& output) const;
};

void NetEvaluator::Impl::fill(std::span<const EvaluationInput> inputs) {
  sizes.clear();
  for (int row = 0; row < std::ssize(inputs); ++row) {
    const auto& [features, symmetry] = inputs[row];
    fill_input_row(features, symmetry, canvas, network->planes(row), network->scalars(row));
    sizes.push_back(features.size);
  }
  sizes.resize(padded(inputs.size()), BoardSize::square(canvas));
}

void NetEvaluator::Impl::read(int row, const EvaluationInput& input, Evaluation& output) const {
  const BoardSize size = input.features.size;
  const float* logits = network->policy(row);
  const short* map = input.symmetry.map(size);
  bool finite = true;
  for (int i = 0; i < size.area(); ++i) {
    const float logit = logits[map[i] / size.width * canvas + map[i] % size.width];
    output.policy_logits[i] = logit;
    finite = finite && std::isfinite(logit);
  }
  const float pass = logits[canvas * canvas];
  output.policy_logits[size.area()] = pass;
  const auto outcome = softmax(network->value(row), can_have_no_result(input.features) ? 3 : 2);
  output.win = outcome[0];
  output.loss = outcome[1];
  output.no_result = outcome[2];
  output.score = kScoreScale * network->misc(row)[kMiscScoreMean] * (1 - outcome[2]);
  output.win_error = output.score_error = -1;  // no training gives the heads that say it
  if (!finite || !std::isfinite(pass + outcome[0] + output.score)) {
    throw Error("net " + id + ": its answer to a position is not finite");
  }
}

NetEvaluator::NetEvaluator(std::shared_ptr<const Network> network, std::string id,
                           const Calibration& calibration, BoardSize largest) {
  const int canvas = std::max(largest.width, largest.height);
  impl_ = std::make_unique<Impl>();
  impl_->id = std::move(id);
  impl_->schema = network->shape().features;
  impl_->batch = calibration.batch;
  impl_->canvas = canvas;
  // Rows that no call has filled are computed too: an empty board.
  Features empty;
  empty.size = BoardSize::square(canvas);
  empty.planes[kPlaneOnBoard] = PointSet::all(empty.size);
  if (!calibration.cpu_path.empty()) {
    impl_->cpu = std::make_unique<CpuEvaluator>(
        std::make_shared<const NetModel>(net_model(*network, impl_->id)), impl_->id,
        cpu_path_named(calibration.cpu_path));
    impl_->empty_boards.assign(static_cast<std::size_t>(impl_->batch), {empty, Symmetry()});
    return;
  }
  impl_->network = make_play_network(*network, calibration.device, calibration.precision,
                                     calibration.batch, canvas);
  if (impl_->network->takes_short_batches()) impl_->batches = calibration.short_batches;
  impl_->batches.push_back(calibration.batch);
  for (int row = 0; row < impl_->batch; ++row) {
    fill_input_row(empty, Symmetry(), canvas, impl_->network->planes(row),
                   impl_->network->scalars(row));
  }
}
NetEvaluator::~NetEvaluator() = default;

void NetEvaluator::evaluate(std::span<const EvaluationInput> inputs,
                            std::span<Evaluation> outputs) {
  start(inputs);
  finish(outputs);
}

void NetEvaluator::start(std::span<const EvaluationInput> inputs) {
  impl_->started = inputs;
  if (!impl_->cpu && !inputs.empty()) impl_->start(inputs.first(impl_->rows_of(inputs)));
}

void NetEvaluator::finish(std::span<Evaluation> outputs) {
  auto inputs = std::exchange(impl_->started, {});
  check(inputs.size() == outputs.size(), "one output per input");
  while (!inputs.empty()) {
    const auto rows = impl_->rows_of(inputs);
    if (impl_->cpu) {
      impl_->cpu->evaluate(inputs.first(rows), outputs.first(rows));
    } else {
      impl_->finish(inputs.first(rows), outputs.first(rows));
    }
    inputs = inputs.subspan(rows);
    outputs = outputs.subspan(rows);
    if (!impl_->cpu && !inputs.empty()) impl_->start(inputs.first(impl_->rows_of(inputs)));
  }
}

bool NetEvaluator::overlaps() const {
  return impl_->network && impl_->network->overlaps();
}
int NetEvaluator::batch_size() const {
  return impl_->batch;
}
FeatureSchema NetEvaluator::features() const {
  return impl_->schema;
}
std::string NetEvaluator::id() const {
  return impl_->id;
}
int NetEvaluator::forward_only() {
  if (impl_->cpu) {
    std::vector<Evaluation> answers(impl_->empty_boards.size());
    impl_->cpu->evaluate(impl_->empty_boards, answers);
    return impl_->batch;
  }
  impl_->sizes.assign(static_cast<std::size_t>(impl_->batch), BoardSize::square(impl_->canvas));
  impl_->network->compute(impl_->sizes);
  return impl_->batch;
}

}  // namespace tengen
