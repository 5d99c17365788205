// What a cache of answers saves in self-play and in play with all symmetries, with a real net on
// one core: how many positions it knew, and CPU time without it and with it. Games of both are the
// same; a few at a time are played by one and by the other in turn, so that the ratio holds on a
// busy machine too.
//
//   cache_bench NET.bin.gz [SIDE [GAMES [MB]]]
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>

#include "nn/cache_evaluator.h"
#include "nn/cpu_evaluator.h"
#include "nn/kata_net_reader.h"
#include "nn/symmetry_evaluator.h"
#include "selfplay/game_pool.h"

namespace tengen {
namespace {

constexpr std::uint64_t kRounds = 4;
constexpr int kSlots = 32;

using EvaluatorPtr = std::shared_ptr<Evaluator>;

double thread_cpu_s() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Sees every position as it stands: what the drawing of symmetries costs a cache.
class Upright : public Evaluator {
 public:
  explicit Upright(EvaluatorPtr inner) : inner_(std::move(inner)) {}
  void evaluate(std::span<const EvaluationInput> inputs, std::span<Evaluation> outputs) override {
    std::vector<EvaluationInput> upright(inputs.begin(), inputs.end());
    for (EvaluationInput& input : upright) input.symmetry = Symmetry();
    inner_->evaluate(upright, outputs);
  }
  int batch_size() const override { return inner_->batch_size(); }
  FeatureSchema features() const override { return inner_->features(); }
  std::string id() const override { return inner_->id(); }

 private:
  EvaluatorPtr inner_;
};

// CPU seconds for the games from `first` up to `end`, which are added to `moves`.
double play(const SelfplaySettings& settings, const EvaluatorPtr& evaluator, std::uint64_t first,
            std::uint64_t end, std::size_t& moves) {
  GamePool pool(kSlots, [&](std::uint64_t& index) { return (index = first++) < end; });
  pool.set_settings(settings);
  pool.set_evaluator(evaluator);
  std::vector<GameRecord> finished;
  const double start = thread_cpu_s();
  while (pool.step(finished) > 0) {
  }
  for (const GameRecord& game : finished) moves += game.moves.size();
  return thread_cpu_s() - start;
}

struct Mode {
  const char* name;
  double gumbel_scale;
  std::uint64_t share;  // of the games, since one costs that much more
  std::function<EvaluatorPtr(EvaluatorPtr)> around;
};

void run(const Mode& mode, const EvaluatorPtr& net, int side, std::uint64_t games,
         std::size_t bytes) {
  SelfplaySettings settings;
  settings.games.sizes = {side};
  settings.search.gumbel_scale = mode.gumbel_scale;
  const auto cache = std::make_shared<EvaluationCache>(bytes, BoardSize::square(side));
  const EvaluatorPtr plain = mode.around(net);
  const EvaluatorPtr cached = mode.around(std::make_shared<CacheEvaluator>(net, cache));
  double plain_s = 0, cached_s = 0;
  std::size_t moves = 0, cached_moves = 0;
  const std::uint64_t batch = std::max<std::uint64_t>(1, games / mode.share / kRounds);
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    plain_s += play(settings, plain, round * batch, (round + 1) * batch, moves);
    cached_s += play(settings, cached, round * batch, (round + 1) * batch, cached_moves);
  }
  check(moves == cached_moves, "a cache changes no game");
  const auto [asked, hits] = cache->counts();
  std::printf("%-28s %4d games %8lld asked  %5.1f %% known  %7.1f s  with cache %7.1f s  x %.3f\n",
              mode.name, static_cast<int>(batch * kRounds), static_cast<long long>(asked),
              100.0 * static_cast<double>(hits) / static_cast<double>(asked), plain_s, cached_s,
              plain_s / cached_s);
  std::fflush(stdout);
}

}  // namespace
}  // namespace tengen

int main(int argc, char** argv) {
  using namespace tengen;
  if (argc < 2) {
    std::fprintf(stderr, "usage: cache_bench NET.bin.gz [SIDE [GAMES [MB]]]\n");
    return 2;
  }
  const int side = argc > 2 ? std::atoi(argv[2]) : 9;
  const auto games = static_cast<std::uint64_t>(argc > 3 ? std::atoi(argv[3]) : 64);
  const auto megabytes = static_cast<std::size_t>(argc > 4 ? std::atoi(argv[4]) : 256);
  const auto model = std::make_shared<const NetModel>(read_kata_net(argv[1]));
  const EvaluatorPtr net =
      std::make_shared<CpuEvaluator>(model, "net", available_cpu_paths(*model).back());
  const Mode modes[] = {
      {"self-play", 1, 1, [](EvaluatorPtr inner) { return inner; }},
      {"self-play, no symmetries", 1, 1,
       [](EvaluatorPtr inner) { return std::make_shared<Upright>(inner); }},
      {"all symmetries, no noise", 0, 8,
       [](EvaluatorPtr inner) { return std::make_shared<SymmetryEvaluator>(inner); }},
  };
  for (const Mode& mode : modes) run(mode, net, side, games, megabytes << 20);
}
