#include "train/bench.h"

#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <numeric>

#include "nn/torch_threads.h"
#include "rules/rng.h"
#include "rules/temporary_directory.h"
#include "selfplay/game_start.h"
#include "selfplay/shard.h"
#include "train/backward.h"
#include "train/loader.h"
#include "train/optimizer.h"
#include "train/trainer.h"

namespace tengen {

namespace fs = std::filesystem;

namespace {

constexpr int kGames = 200;  // random games whose rows are loaded
constexpr int kGamesPerShard = 100;
constexpr std::uint64_t kSeed = 1;

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + std::ssize(values) / 2);
  return values[values.size() / 2];
}

// Gives every move of a random game a policy target over the legal moves, so that its rows weigh as
// much as those of self-play.
void add_policies(GameRecord& game) {
  Rng rng(game.seed, game.index);
  Position position(game.rules);
  const int area = position.size().area();
  for (MoveRecord& move : game.moves) {
    move.policy.assign(static_cast<std::size_t>(area + 1), 0.F);
    position.legal_points().for_each(
        [&](int i) { move.policy[i] = static_cast<float>(rng.exponential()); });
    move.policy[area] = static_cast<float>(rng.exponential());
    const float sum = std::accumulate(move.policy.begin(), move.policy.end(), 0.F);
    for (float& p : move.policy) p /= sum;
    position.play(move.move);
  }
}

class BenchShards {
 public:
  explicit BenchShards(const TrainBenchOptions& options) {
    SelfplaySettings settings;
    settings.games.sizes = {options.board};
    settings.seed = kSeed;
    std::uint64_t next = 0;
    for (int left = kGames; left > 0; left -= kGamesPerShard) {
      std::vector<GameRecord> games;
      for (int i = 0; i < std::min(left, kGamesPerShard); ++i) {
        games.push_back(random_game(settings, next++));
        add_policies(games.back());
      }
      ShardInfo info;
      info.index = static_cast<std::int64_t>(next);
      info.worker = "bench";
      info.attempt = "1";
      info.seed = kSeed;
      write_shard(path(), info, games, 0);
    }
  }
  BenchShards(const BenchShards&) = delete;
  BenchShards& operator=(const BenchShards&) = delete;
  const fs::path& path() const { return directory_.path(); }

 private:
  TemporaryDirectory directory_;
};

// The least a training step can be: no loading, clipping, averaging or figures.
class BareStep {
 public:
  BareStep(const Trainer& trainer, const Batch& batch, const TrainBenchOptions& options)
      : options_(options),
        network_(trainer.network().clone()),
        optimizer_(network_.parameters(), network_.parameters(), options.train.weight_decay),
        on_gpu_(at::Device(options.device).is_cuda()),
        bf16_(trainer.precision() == "bf16"),
        batch_(to_tensors(batch, options.device)) {}

  void run() {
    const TorchThreads one(1);
    backward(network_, batch_, options_.train, bf16_, one.before(), nullptr);
    optimizer_.step(options_.train.learning_rate);
    optimizer_.zero_gradients();
  }
  void wait() const {
    if (on_gpu_) torch::cuda::synchronize();
  }

 private:
  const TrainBenchOptions& options_;
  Network network_;
  Optimizer optimizer_;
  bool on_gpu_;
  bool bf16_;
  std::vector<at::Tensor> batch_;
};

double loader_rate(Window& window, const TrainBenchOptions& options, double seconds) {
  const auto start = std::chrono::steady_clock::now();
  Batch batch;
  std::int64_t rows = 0;
  double spent = 0;
  while (spent < seconds || rows < window.rows_in_window()) {
    window.draw(options.train.batch, batch);
    rows += batch.rows;
    spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  return static_cast<double>(rows) / spent;
}

}  // namespace

TrainBench bench_train(const TrainBenchOptions& options) {
  constexpr int kStepsPerTurn = 5;
  const BenchShards shards(options);
  TrainOptions train = options.train;
  train.shuffle_rows = std::min<std::int64_t>(train.shuffle_rows, 4096);  // loads are made again
  Window window(shards.path(), train, kSeed, [](const fs::path& path, const std::string& why) {
    throw Error(path.string() + ": " + why);
  });
  Trainer trainer(network_shape(options.net), train, options.device, kSeed);
  Batch batch;
  window.draw(train.batch, batch);
  for (int i = 0; i < 3; ++i) trainer.step(batch, 0);
  BareStep bare(trainer, batch, options);
  for (int i = 0; i < 3; ++i) bare.run();
  bare.wait();

  TrainBench result;
  result.precision = trainer.precision();
  result.loader_rows_per_s = loader_rate(window, options, options.seconds / 10);
  std::vector<double> steps, bares;
  BatchLoader loader(window, train.batch, std::int64_t{1} << 40);
  for (double spent = 0; spent < options.seconds || steps.size() < 3;) {
    steps.push_back(seconds_of([&] {
      for (int i = 0; i < kStepsPerTurn; ++i) trainer.step(loader.next(), 0);
    }));
    bares.push_back(seconds_of([&] {
      for (int i = 0; i < kStepsPerTurn; ++i) bare.run();
      bare.wait();
    }));
    spent += steps.back() + bares.back();
  }
  result.step_s = median(steps) / kStepsPerTurn;
  result.bare_s = median(bares) / kStepsPerTurn;
  result.step_rows_per_s = train.batch / result.step_s;
  return result;
}

}  // namespace tengen
