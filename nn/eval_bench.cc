#include "nn/eval_bench.h"

#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iomanip>
#include <memory>
#include <ostream>
#include <thread>

#include "nn/batch_tensors.h"
#include "nn/cpu_network.h"
#include "nn/net_compare.h"
#include "nn/network_model.h"
#include "nn/play_network.h"
#include "nn/torch_threads.h"

namespace tengen {
namespace {

constexpr int kRounds = 3;

// One forward pass of a batch, on the calling thread.
using Pass = std::function<void()>;

// Somebody who computes the network, with so many positions at a time.
struct Contender {
  std::string name, arithmetic;
  int batch = 0;
  double peak_flop_per_s = 0;  // 0: not known
  bool is_stock = false;
  std::function<Pass()> make;
  double rates[2] = {};  // evaluations a second on one thread, on all
};

Pass stock_pass(const Network& network, const std::string& arithmetic,
                const std::vector<EvaluationInput>& inputs) {
  const at::ScalarType type = arithmetic == "bf16" ? at::kBFloat16 : at::kFloat;
  const auto copy = std::make_shared<Network>(network.clone());
  for (const auto& [name, t] : copy->tensors()) {
    if (t.dim() == 4) {
      at::Tensor(t).set_data(t.to(type, false, false, at::MemoryFormat::ChannelsLast));
    }
  }
  const int side = inputs[0].features.size.width;
  const auto rows = static_cast<std::int64_t>(inputs.size());
  const at::Tensor planes = at::zeros({rows, side, side, kPlanes}, at::kFloat);
  const at::Tensor scalars = at::zeros({rows, kScalars}, at::kFloat);
  for (std::int64_t i = 0; i < rows; ++i) {
    fill_input_row(inputs[i].features, inputs[i].symmetry, side,
                   planes[i].mutable_data_ptr<float>(), scalars[i].mutable_data_ptr<float>());
  }
  const at::Tensor x = planes.permute({0, 3, 1, 2}).to(type);
  return [copy, x, scalars] {
    const c10::InferenceMode inference;
    const TorchThreads one(1);
    copy->forward(x, scalars, ForwardMode::kPlay);
  };
}

Pass fused_pass(const Network& network, const std::string& arithmetic,
                const std::vector<EvaluationInput>& inputs) {
  const int side = inputs[0].features.size.width;
  const std::shared_ptr<PlayNetwork> play =
      make_play_network(network, "cpu", arithmetic, static_cast<int>(inputs.size()), side);
  std::vector<BoardSize> sizes;
  for (int row = 0; row < std::ssize(inputs); ++row) {
    fill_input_row(inputs[row].features, inputs[row].symmetry, side, play->planes(row),
                   play->scalars(row));
    sizes.push_back(inputs[row].features.size);
  }
  return [play, sizes] { play->compute(sizes); };
}

Pass own_pass(const std::shared_ptr<const NetModel>& model, CpuPath path,
              const std::vector<EvaluationInput>& inputs) {
  const std::shared_ptr<CpuNetwork> network = make_cpu_network(model, path);
  const auto outputs = std::make_shared<std::vector<RawOutputs>>(inputs.size());
  return [network, inputs, outputs] { network->compute(inputs, *outputs); };
}

std::vector<Contender> contenders(const Network& network, int side,
                                  const std::vector<int>& batches) {
  const auto model = std::make_shared<const NetModel>(net_model(network, "bench"));
  const auto paths = available_cpu_paths(*model);
  const auto peak = [&](CpuPath path) {
    return std::ranges::count(paths, path) > 0 ? peak_flop_per_s(path) : 0;
  };
  const bool has_avx512 = std::ranges::count(paths, CpuPath::kAvx512) > 0;
  const double fp32_peak = peak(has_avx512 ? CpuPath::kAvx512 : CpuPath::kAvx2);
  const BoardSize board = BoardSize::square(side);
  std::vector<Contender> list;
  for (const int batch : batches) {
    const auto inputs = game_positions(batch, {&board, 1}, network.shape().features);
    for (const std::string arithmetic : {"fp32", "bf16"}) {
      const double of = arithmetic == "fp32" ? fp32_peak : peak(CpuPath::kAmx);
      list.push_back(
          {"LibTorch, stock", arithmetic, batch, of, true,
           [&network, arithmetic, inputs] { return stock_pass(network, arithmetic, inputs); }});
      list.push_back(
          {"LibTorch, fused", arithmetic, batch, of, false,
           [&network, arithmetic, inputs] { return fused_pass(network, arithmetic, inputs); }});
    }
    for (const CpuPath path : paths) {
      if (path == CpuPath::kReference) continue;
      list.push_back({"ours, " + std::string(name_of(path)), std::string(precision_of(path)), batch,
                      peak(path), false,
                      [model, path, inputs] { return own_pass(model, path, inputs); }});
    }
  }
  return list;
}

// Evaluations a second of `threads` threads that each go through passes of their own for so long.
double rate_of(const Contender& contender, int threads, double seconds) {
  using Clock = std::chrono::steady_clock;
  std::vector<Pass> passes;
  for (int i = 0; i < threads; ++i) {
    passes.push_back(contender.make());
    passes.back()();  // the first one makes room
  }
  std::vector<double> rates(passes.size());
  const auto work = [&](std::size_t i) {
    const auto start = Clock::now();
    std::chrono::duration<double> spent{};
    std::int64_t count = 0;
    while (spent.count() < seconds) {
      passes[i]();
      ++count;
      spent = Clock::now() - start;
    }
    rates[i] = static_cast<double>(count) * contender.batch / spent.count();
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < passes.size(); ++i) others.emplace_back(work, i);
    work(0);
  }
  double sum = 0;
  for (const double rate : rates) sum += rate;
  return sum;
}

void print(const std::vector<Contender>& list, int side, double flop, int threads,
           std::ostream& out) {
  double stock = 0;
  for (const Contender& c : list) {
    if (c.is_stock) stock = std::max(stock, c.rates[0]);
  }
  out << side << "x" << side << ", " << std::setprecision(3) << flop * 1e-6
      << " MFLOP an evaluation\n"
      << "                  arithmetic  batch  1 thread  GFLOP/s  of peak  ratio  " << threads
      << " threads\n";
  for (const Contender& c : list) {
    const double rate = c.rates[0] * flop;
    out << std::fixed << std::left << std::setw(20) << c.name << std::setw(9) << c.arithmetic
        << std::right << std::setw(6) << c.batch << std::setprecision(0) << std::setw(10)
        << c.rates[0] << std::setprecision(1) << std::setw(9) << rate * 1e-9;
    if (c.peak_flop_per_s > 0) {
      out << std::setprecision(0) << std::setw(8) << 100 * rate / c.peak_flop_per_s << "%";
    } else {
      out << "         ";
    }
    out << std::setprecision(2) << std::setw(7) << c.rates[0] / stock << std::setprecision(0)
        << std::setw(11) << c.rates[1] << "\n"
        << std::defaultfloat;
  }
  out.flush();
}

}  // namespace

void bench_evaluators(const Network& network, const EvalBenchOptions& options, std::ostream& out) {
  out << described(network.shape())
      << ": evaluations a second; ratio: to the best of stock LibTorch, on one thread\n";
  for (const int side : options.sides) {
    auto list = contenders(network, side, options.batches);
    const double turn_s = options.seconds / static_cast<double>(options.sides.size()) /
                          static_cast<double>(list.size()) / (2 * kRounds);
    for (int round = 0; round < kRounds; ++round) {
      for (Contender& c : list) {
        c.rates[0] = std::max(c.rates[0], rate_of(c, 1, turn_s));
        c.rates[1] = std::max(c.rates[1], rate_of(c, options.threads, turn_s));
      }
    }
    print(list, side, flop_per_evaluation(network.shape(), side * side), options.threads, out);
  }
}

}  // namespace tengen
