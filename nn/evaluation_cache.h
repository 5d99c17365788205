#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "nn/evaluator.h"

namespace tengen {

// 128 bits that stand for what a network sees. Sights with one key are taken for one sight: among
// 10^10 different ones the chance that any two share a key is 10^-19.
struct SightKey {
  std::uint64_t high = 0, low = 0;
  friend bool operator==(const SightKey&, const SightKey&) = default;
};

// Of the size, all planes and the bits of all scalars; and of who answers, which `source` names.
SightKey sight_key(const Features& seen, std::uint64_t source);

// Answers by what was seen, in a table of fixed size for any number of threads. A set of kWays
// entries has room for the keys that fall into it; a new one takes the place of the one that has
// not been asked for or stored for longest, and with one thread all this is deterministic. Who asks
// it is a CacheEvaluator (nn/cache_evaluator.h).
class EvaluationCache {
 public:
  static constexpr int kWays = 4;

  // As many entries as fit into `bytes`, at least one set. Each has room for a policy on `largest`,
  // also when it holds a smaller board's: about 4 * area + 50 bytes. Memory is taken as it fills.
  EvaluationCache(std::size_t bytes, BoardSize largest);

  // Copies the answer under `key`, or returns false. `size` is that of what was seen.
  bool find(const SightKey& key, BoardSize size, Evaluation& answer);
  // Requires a board no larger than `largest`. What is stored already stays.
  void store(const SightKey& key, BoardSize size, const Evaluation& answer);

  std::size_t entries() const { return sets_.size() * kWays; }
  std::size_t bytes() const;  // of the full table

  // Positions that evaluators were asked for, and those of them that no network had to answer.
  struct Counts {
    std::int64_t asked = 0;
    std::int64_t hits = 0;
  };
  Counts counts() const { return {asked_, hits_}; }
  void count(std::int64_t asked, std::int64_t hits);

 private:
  struct Set {
    std::array<SightKey, kWays> keys;
    std::array<std::uint8_t, kWays> age{};  // 0: the last one used; of the first `filled` ways
    std::uint8_t filled = 0;

    int way_of(const SightKey& key) const;  // kWays if it has none
    int make_way();
    void touch(int way);
  };
  struct alignas(64) Lock {
    std::mutex mutex;
  };

  std::size_t index_of(const SightKey& key) const { return key.high % sets_.size(); }
  std::mutex& lock_of(std::size_t set) { return locks_[set % locks_.size()].mutex; }
  float* answer_at(std::size_t set, int way);

  std::size_t max_area_;
  std::size_t stride_;          // floats of an entry: win, loss, no result, score, policy
  std::array<Lock, 64> locks_;  // of the sets whose index has this remainder
  std::vector<Set> sets_;
  std::unique_ptr<float[]> answers_;  // [set][way][stride_]
  std::atomic<std::int64_t> asked_ = 0, hits_ = 0;
};

}  // namespace tengen
