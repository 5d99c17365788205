#include "nn/evaluation_cache.h"

#include <algorithm>
#include <bit>

#include "rules/check.h"
#include "rules/rng.h"

namespace tengen {
namespace {

constexpr std::size_t kOutcomes = 6;  // win, loss, no result, score and the errors
static_assert(sizeof(Evaluation) == (kMaxArea + 1 + kOutcomes) * sizeof(float),
              "an entry has all of an evaluation");

// Two sums of mixed terms, one per word that is not zero; the terms do not wait for one another.
class KeySum {
 public:
  explicit KeySum(std::uint64_t source) : place_(mix64(source)) {}
  void add(std::uint64_t word) {
    place_ += 0xD1342543DE82EF95ULL;  // odd, so no two places of one key are equal
    if (word == 0) return;
    high_ += mix64(word ^ mix64(place_));
    low_ += mix64(word ^ mix64(~place_));
  }
  SightKey key() const { return {mix64(high_), mix64(low_)}; }

 private:
  std::uint64_t place_, high_ = 0, low_ = 0;
};

}  // namespace

SightKey sight_key(const Features& seen, std::uint64_t source) {
  KeySum sum(source);
  sum.add(static_cast<std::uint64_t>(seen.size.width * 256 + seen.size.height));
  for (const PointSet& plane : seen.planes) {
    for (const std::uint64_t word : plane.words()) sum.add(word);
  }
  for (const float scalar : seen.scalars) sum.add(std::bit_cast<std::uint32_t>(scalar));
  return sum.key();
}

int EvaluationCache::Set::way_of(const SightKey& key) const {
  for (int way = 0; way < filled; ++way) {
    if (keys[way] == key) return way;
  }
  return kWays;
}

int EvaluationCache::Set::make_way() {
  if (filled == kWays) return static_cast<int>(std::ranges::max_element(age) - age.begin());
  age[filled] = filled;
  return filled++;
}

void EvaluationCache::Set::touch(int way) {
  for (int other = 0; other < filled; ++other) {
    if (age[other] < age[way]) ++age[other];
  }
  age[way] = 0;
}

EvaluationCache::EvaluationCache(std::size_t bytes, BoardSize largest)
    : max_area_(static_cast<std::size_t>(largest.area())), stride_(kOutcomes + max_area_ + 1) {
  const std::size_t bytes_of_set = sizeof(Set) + kWays * stride_ * sizeof(float);
  sets_.resize(std::max<std::size_t>(1, bytes / bytes_of_set));
  answers_ = std::make_unique_for_overwrite<float[]>(entries() * stride_);
}

std::size_t EvaluationCache::bytes() const {
  return sets_.size() * sizeof(Set) + entries() * stride_ * sizeof(float);
}

float* EvaluationCache::answer_at(std::size_t set, int way) {
  return answers_.get() + (set * kWays + static_cast<std::size_t>(way)) * stride_;
}

bool EvaluationCache::find(const SightKey& key, BoardSize size, Evaluation& answer) {
  const std::size_t index = index_of(key);
  const std::lock_guard lock(lock_of(index));
  Set& set = sets_[index];
  const int way = set.way_of(key);
  if (way == kWays) return false;
  set.touch(way);
  const float* from = answer_at(index, way);
  answer.win = from[0];
  answer.loss = from[1];
  answer.no_result = from[2];
  answer.score = from[3];
  answer.win_error = from[4];
  answer.score_error = from[5];
  std::copy_n(from + kOutcomes, size.area() + 1, answer.policy_logits.begin());
  return true;
}

void EvaluationCache::store(const SightKey& key, BoardSize size, const Evaluation& answer) {
  check(static_cast<std::size_t>(size.area()) <= max_area_, "a board that the cache is made for");
  const std::size_t index = index_of(key);
  const std::lock_guard lock(lock_of(index));
  Set& set = sets_[index];
  int way = set.way_of(key);
  if (way == kWays) {
    way = set.make_way();
    set.keys[way] = key;
    float* to = answer_at(index, way);
    to[0] = answer.win;
    to[1] = answer.loss;
    to[2] = answer.no_result;
    to[3] = answer.score;
    to[4] = answer.win_error;
    to[5] = answer.score_error;
    std::copy_n(answer.policy_logits.begin(), size.area() + 1, to + kOutcomes);
  }
  set.touch(way);
}

void EvaluationCache::count(std::int64_t asked, std::int64_t hits) {
  asked_ += asked;
  hits_ += hits;
}

}  // namespace tengen
