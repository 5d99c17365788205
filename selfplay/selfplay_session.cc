#include "selfplay/selfplay_session.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <set>
#include <span>
#include <thread>
#include <utility>

#include "selfplay/game_pool.h"

namespace tengen {
namespace {

SelfplayCounts& operator+=(SelfplayCounts& a, const SelfplayCounts& b) {
  a.evaluations += b.evaluations;
  a.games += b.games;
  a.rows += b.rows;
  a.moves += b.moves;
  return a;
}

// Where workers leave finished games for the caller, and what they tell each other. A worker locks
// it only when a game of its own has finished or when it ends.
class Exchange {
 public:
  explicit Exchange(int workers) : playing_(workers) {}

  std::atomic<bool> stop = false;
  std::atomic<std::int64_t> evaluations = 0;

  void deliver(std::vector<GameRecord>& finished) {
    const std::lock_guard lock(mutex_);
    std::ranges::move(finished, std::back_inserter(games_));
    finished.clear();
    changed_.notify_one();
  }
  void leave(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (error && !error_) error_ = error;
    --playing_;
    changed_.notify_one();
  }
  // Waits a little for games and moves them into `games`. Returns false when all workers have left
  // and nothing was left to take.
  bool take(std::vector<GameRecord>& games) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(100),
                      [&] { return !games_.empty() || playing_ == 0; });
    games = std::exchange(games_, {});
    return !games.empty() || playing_ > 0;
  }
  // The first exception of a worker, once all have left.
  std::exception_ptr error() {
    const std::lock_guard lock(mutex_);
    return error_;
  }

 private:
  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::vector<GameRecord> games_;
  std::exception_ptr error_;
  int playing_;
};

// The pools take turns until all have nothing to do: each is finished when its turn comes again.
void take_turns(std::span<GamePool> pools, std::vector<GameRecord>& finished, Exchange& exchange) {
  std::size_t idle = 0;
  for (std::size_t turn = 0; idle < pools.size() && !exchange.stop.load(std::memory_order_relaxed);
       ++turn) {
    GamePool& pool = pools[turn % pools.size()];
    exchange.evaluations.fetch_add(pool.finish(), std::memory_order_relaxed);
    idle = pool.start(finished) > 0 ? 0 : idle + 1;
    if (!finished.empty()) exchange.deliver(finished);
  }
}

void play_pools(std::span<GamePool> pools, Exchange& exchange) {
  std::vector<GameRecord> finished;
  std::exception_ptr error;
  const auto guarded = [&](const auto& work) {
    try {
      work();
    } catch (...) {
      if (!error) error = std::current_exception();
      exchange.stop = true;
    }
  };
  guarded([&] { take_turns(pools, finished, exchange); });
  for (GamePool& pool : pools) {
    guarded([&] { exchange.evaluations.fetch_add(pool.finish(), std::memory_order_relaxed); });
  }
  if (!finished.empty()) exchange.deliver(finished);
  exchange.leave(error);
}

// Stops and joins the workers however the caller leaves.
class Workers {
 public:
  Workers(std::vector<GamePool>& pools, std::size_t each, Exchange& exchange)
      : exchange_(exchange) {
    for (std::size_t first = 0; first < pools.size(); first += each) {
      const auto own = std::span(pools).subspan(first, each);
      threads_.emplace_back([own, &exchange] { play_pools(own, exchange); });
    }
  }
  ~Workers() {
    exchange_.stop = true;
    for (std::thread& thread : threads_) thread.join();
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

 private:
  Exchange& exchange_;
  std::vector<std::thread> threads_;
};

}  // namespace

struct SelfplaySession::Impl {
  std::vector<GamePool> pools;  // of the first thread, of the second, ...
  int workers;
  SelfplayCounts totals;
  std::atomic<std::uint64_t> next_index = 0;
  std::uint64_t end_index = 0;  // changes only between stretches

  bool take_index(std::uint64_t& index) {
    index = next_index.load(std::memory_order_relaxed);
    while (index < end_index) {
      if (next_index.compare_exchange_weak(index, index + 1, std::memory_order_relaxed))
        return true;
    }
    return false;
  }
};

SelfplaySession::SelfplaySession(int workers, int games_per_worker, std::uint64_t next_index,
                                 int pools_per_worker)
    : impl_(std::make_unique<Impl>()) {
  check(workers >= 1, "self-play has a worker");
  check(pools_per_worker >= 1, "a worker has a pool");
  impl_->workers = workers;
  impl_->next_index = next_index;
  const int slots = (games_per_worker + pools_per_worker - 1) / pools_per_worker;
  for (int i = 0; i < workers * pools_per_worker; ++i) {
    impl_->pools.emplace_back(slots, [session = impl_.get()](std::uint64_t& index) {
      return session->take_index(index);
    });
  }
}
SelfplaySession::~SelfplaySession() = default;

void SelfplaySession::set_settings(const SelfplaySettings& settings) {
  for (GamePool& pool : impl_->pools) pool.set_settings(settings);
}

void SelfplaySession::set_evaluators(const EvaluatorFactory& make) {
  for (std::size_t i = 0; i < impl_->pools.size(); ++i) {
    impl_->pools[i].set_evaluator(make(static_cast<int>(i)));
  }
}

void SelfplaySession::set_opponents(const EvaluatorFactory& make) {
  for (std::size_t i = 0; i < impl_->pools.size(); ++i) {
    impl_->pools[i].set_opponent(make(static_cast<int>(i)));
  }
}

SelfplayCounts SelfplaySession::play(const PlayUntil& until, const OnGames& on_games) {
  impl_->end_index = until.end_index;
  SelfplayCounts counts;
  const SelfplayCounts before = impl_->totals;
  Exchange exchange(impl_->workers);
  const auto count = [&](const std::vector<GameRecord>& games) {
    counts.evaluations = exchange.evaluations;
    for (const GameRecord& game : games) {
      ++counts.games;
      counts.rows += row_count(game);
      counts.moves += static_cast<std::int64_t>(game.moves.size());
    }
    impl_->totals = before;
    impl_->totals += counts;
  };
  {
    const Workers threads(impl_->pools,
                          impl_->pools.size() / static_cast<std::size_t>(impl_->workers), exchange);
    std::vector<GameRecord> games;
    while (exchange.take(games)) {
      count(games);
      if (!games.empty()) on_games(std::move(games));
      if (counts.rows >= until.rows || counts.games >= until.games ||
          counts.evaluations >= until.evaluations || (until.should_stop && until.should_stop())) {
        exchange.stop = true;
      }
    }
  }
  count({});  // evaluations of games still under way
  if (const std::exception_ptr error = exchange.error()) std::rethrow_exception(error);
  return counts;
}

std::vector<std::string> SelfplaySession::nets() const {
  std::set<std::string> ids;
  for (const GamePool& pool : impl_->pools) {
    for (std::string& id : pool.nets()) ids.insert(std::move(id));
  }
  return {ids.begin(), ids.end()};
}

std::vector<GameRecord> SelfplaySession::park() {
  std::vector<GameRecord> parked;
  for (GamePool& pool : impl_->pools) std::ranges::move(pool.park(), std::back_inserter(parked));
  std::ranges::sort(parked, {}, &GameRecord::index);
  return parked;
}

int SelfplaySession::resume(std::vector<GameRecord> parked, const EvaluatorOfNet& evaluator_of) {
  int given_up = 0;
  std::size_t next = 0;
  for (GameRecord& record : parked) {
    const std::size_t pool = next++ % impl_->pools.size();
    std::vector<GameRecord> one;
    one.push_back(std::move(record));
    given_up += impl_->pools[pool].resume(std::move(one), [&](const std::string& net) {
      return evaluator_of(static_cast<int>(pool), net);
    });
  }
  return given_up;
}

SelfplayCounts SelfplaySession::totals() const {
  return impl_->totals;
}

std::uint64_t SelfplaySession::next_index() const {
  return impl_->next_index;
}

int SelfplaySession::pools() const {
  return static_cast<int>(impl_->pools.size());
}

}  // namespace tengen
