#include "nn/cache_evaluator.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "game_inputs.h"
#include "rules/check.h"
#include "seen_evaluator.h"

namespace tengen {
namespace {

constexpr BoardSize kLargest{19, 19};
constexpr std::size_t kRoomy = 64 << 20;
constexpr std::size_t kOneSet = 1;

std::shared_ptr<EvaluationCache> cache_of(std::size_t bytes) {
  return std::make_shared<EvaluationCache>(bytes, kLargest);
}

// Asks for all inputs some times over in calls of some lengths, from several starts, and compares
// each answer with that of an evaluator without a cache.
void expect_same_answers(Evaluator& cached, const std::vector<EvaluationInput>& inputs) {
  SeenEvaluator plain(3);
  const auto expected = answers_of(plain, inputs);
  std::size_t at = 0;
  for (const std::size_t length : {1, 7, 64, 3, 200, 1000, 1, 400}) {
    std::vector<EvaluationInput> call;
    for (std::size_t i = 0; i < length; ++i) call.push_back(inputs[(at + i) % inputs.size()]);
    const auto answers = answers_of(cached, call);
    for (std::size_t i = 0; i < length; ++i) {
      const std::size_t row = (at + i) % inputs.size();
      ASSERT_TRUE(same_bits(answers[i], expected[row], inputs[row].features.size)) << row;
    }
    at = (at + length / 2) % inputs.size();
  }
}

TEST(SeenEvaluator, AnswersHangOnTheSymmetry) {  // or the tests below could not fail
  const EvaluationInput input = game_inputs(2).back();
  SeenEvaluator seen(3);
  std::set<float> wins;
  for (int s = 0; s < 8; ++s) {
    wins.insert(answers_of(seen, {{input.features, Symmetry(s)}})[0].win);
  }
  EXPECT_EQ(wins.size(), 8U);
}

// Two of one cache in turn, as pools have them; the inner ones are asked in halves, too.
TEST(CacheEvaluator, AnswersInTwoHalvesAreTheSame) {
  const auto inputs = game_inputs(8);
  SeenEvaluator plain(3);
  const auto expected = answers_of(plain, inputs);
  const auto cache = cache_of(kRoomy);
  CacheEvaluator one(std::make_shared<SeenEvaluator>(3), cache);
  CacheEvaluator other(std::make_shared<SeenEvaluator>(3), cache);
  const std::span all(inputs);
  const std::size_t half = inputs.size() / 2;
  for (int turn = 0; turn < 3; ++turn) {  // the second time all are known
    std::vector<Evaluation> first(half + 5), second(inputs.size() - half);
    one.start(all.first(half + 5));
    other.start(all.subspan(half));
    one.finish(first);
    other.finish(second);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Evaluation& found = i < half ? first[i] : second[i - half];
      ASSERT_TRUE(same_bits(found, expected[i], inputs[i].features.size)) << turn << " " << i;
    }
  }
}

TEST(CacheEvaluator, AnswersAreThoseWithoutACacheBitForBit) {
  const auto inputs = game_inputs(8);
  for (const std::size_t bytes : {kRoomy, std::size_t{20000}, kOneSet}) {
    const auto cache = cache_of(bytes);
    CacheEvaluator cached(std::make_shared<SeenEvaluator>(3), cache);
    expect_same_answers(cached, inputs);
    EXPECT_GT(cache->counts().hits, 0) << bytes;
    EXPECT_LT(cache->counts().hits, cache->counts().asked) << bytes;
  }
}

TEST(CacheEvaluator, ImagesThatAreSeenAlikeShareAnEntry) {
  for (const EvaluationInput& input : {game_inputs(2).back(), game_inputs(3).back()}) {
    const auto inner = std::make_shared<SeenEvaluator>(3);
    SeenEvaluator plain(3);
    CacheEvaluator cached(inner, cache_of(kRoomy));
    const BoardSize size = input.features.size;
    for (int s = 0; s < Symmetry::count(size); ++s) {
      // Turned by s and seen through its inverse it looks as at first.
      const EvaluationInput image{transformed(input.features, Symmetry(s)), Symmetry(s).inverse()};
      EXPECT_TRUE(same_bits(answers_of(cached, {image})[0], answers_of(plain, {image})[0], size));
    }
    EXPECT_EQ(inner->rows, 1);
  }
}

TEST(CacheEvaluator, APositionSeenThroughAnotherSymmetryIsAnotherSight) {
  const Features features = game_inputs(2).back().features;
  const auto inner = std::make_shared<SeenEvaluator>(3);
  CacheEvaluator cached(inner, cache_of(kRoomy));
  for (int s = 0; s < 8; ++s) answers_of(cached, {{features, Symmetry(s)}});
  EXPECT_EQ(inner->rows, 8);
}

TEST(CacheEvaluator, WhatComesTwiceInACallIsAskedOnceAndCounted) {
  const auto inputs = game_inputs(1, 3);  // with the empty board, which all symmetries show alike
  const auto cache = cache_of(kOneSet);
  const auto inner = std::make_shared<SeenEvaluator>(3, "net", 16);
  CacheEvaluator cached(inner, cache);
  EXPECT_EQ(cached.batch_size(), 16);
  EXPECT_EQ(cached.id(), "net");
  const EvaluationInput turned{inputs[0].features, Symmetry(7)};
  answers_of(cached, {inputs[1], inputs[0], inputs[1], turned, inputs[0], inputs[1]});
  EXPECT_EQ(inner->rows, 2);
  EXPECT_EQ(cache->counts().asked, 6);
  EXPECT_EQ(cache->counts().hits, 4);
  answers_of(cached, {inputs[0], inputs[2]});
  EXPECT_EQ(inner->rows, 3);
  EXPECT_EQ(cache->counts().asked, 8);
  EXPECT_EQ(cache->counts().hits, 5);
  answers_of(cached, {inputs[0], inputs[2]});
  EXPECT_EQ(inner->calls, 2);  // nothing to ask, no call
}

TEST(CacheEvaluator, NetsOfDifferentNamesDoNotMeet) {
  const auto inputs = game_inputs(4, 10);
  const auto cache = cache_of(kRoomy);
  CacheEvaluator other(std::make_shared<SeenEvaluator>(4, "other"), cache);
  answers_of(other, inputs);
  CacheEvaluator cached(std::make_shared<SeenEvaluator>(3), cache);
  expect_same_answers(cached, inputs);
}

TEST(CacheEvaluator, AFailureLeavesNothingBehind) {
  class Failing : public SeenEvaluator {
   public:
    using SeenEvaluator::SeenEvaluator;
    void evaluate(std::span<const EvaluationInput> inputs, std::span<Evaluation> outputs) override {
      if (fails) throw Error("the device is gone");
      SeenEvaluator::evaluate(inputs, outputs);
    }
    bool fails = true;
  };
  const auto inputs = game_inputs(4, 10);
  const auto cache = cache_of(kRoomy);
  const auto inner = std::make_shared<Failing>(3);
  CacheEvaluator cached(inner, cache);
  std::vector<Evaluation> outputs(inputs.size());
  EXPECT_THROW(cached.evaluate(inputs, outputs), Error);
  EXPECT_EQ(cache->counts().asked, 0);
  inner->fails = false;
  expect_same_answers(cached, inputs);
}

TEST(CacheEvaluator, ThreadsShareACacheAndAnswersStay) {
  const auto inputs = game_inputs(8, 20);
  for (const std::size_t bytes : {kRoomy, kOneSet, std::size_t{40000}}) {
    const auto cache = cache_of(bytes);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        CacheEvaluator cached(std::make_shared<SeenEvaluator>(3), cache);
        expect_same_answers(cached, inputs);
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(cache->counts().asked, 4 * (1 + 7 + 64 + 3 + 200 + 1000 + 1 + 400));
  }
}

TEST(SightKey, ChangesInBothHalvesWithAllThatIsSeen) {
  const Features features = game_inputs(2).back().features;
  std::set<std::uint64_t> high, low;
  std::size_t sights = 0;
  const auto add = [&](const SightKey& key) {
    high.insert(key.high);
    low.insert(key.low);
    ++sights;
  };
  add(sight_key(features, 1));
  add(sight_key(features, 2));
  for (int plane = 0; plane < kPlanes; ++plane) {
    for (int bit = 0; bit < features.size.area(); ++bit) {
      Features changed = features;
      changed.planes[plane].words()[bit / 64] ^= 1ULL << (bit % 64);
      add(sight_key(changed, 1));
    }
  }
  for (int scalar = 0; scalar < kScalars; ++scalar) {
    Features changed = features;
    changed.scalars[scalar] += 0.5F;
    add(sight_key(changed, 1));
  }
  for (const BoardSize size : {BoardSize{9, 10}, BoardSize{10, 9}}) {
    Features changed = features;
    changed.size = size;
    add(sight_key(changed, 1));
  }
  EXPECT_EQ(high.size(), sights);
  EXPECT_EQ(low.size(), sights);
}

// An answer that is known by its number.
Evaluation numbered(int number) {
  Evaluation answer;
  answer.policy_logits.fill(static_cast<float>(number));
  answer.score = static_cast<float>(number);
  return answer;
}

TEST(EvaluationCache, ASetKeepsTheLastUsed) {
  EvaluationCache cache(kOneSet, kLargest);
  ASSERT_EQ(cache.entries(), 4U);
  const auto key = [](int i) { return SightKey{77, static_cast<std::uint64_t>(i)}; };
  const auto number_of = [&](int i) {
    Evaluation answer;
    return cache.find(key(i), {5, 5}, answer) ? static_cast<int>(answer.policy_logits[25]) : -1;
  };
  const auto store = [&](int i) { cache.store(key(i), {5, 5}, numbered(i)); };
  EXPECT_EQ(number_of(0), -1);  // an empty entry has no key, not even a zero one
  for (int i = 0; i < 4; ++i) store(i);
  EXPECT_EQ(number_of(0), 0);
  store(1);
  store(4);  // the oldest is 2
  store(5);  // and then 3
  EXPECT_EQ(number_of(2), -1);
  EXPECT_EQ(number_of(3), -1);
  for (const int i : {0, 1, 4, 5}) EXPECT_EQ(number_of(i), i);
  store(6);
  EXPECT_EQ(number_of(0), -1);
}

TEST(EvaluationCache, KeysWithOneHalfInCommonAreTwo) {
  EvaluationCache cache(kRoomy, kLargest);
  const SightKey keys[] = {{1, 2}, {1, 3}, {0, 2}, {0, 0}};
  for (int i = 0; i < 4; ++i) {
    Evaluation answer;
    EXPECT_FALSE(cache.find(keys[i], {5, 5}, answer));
    cache.store(keys[i], {5, 5}, numbered(i));
  }
  for (int i = 0; i < 4; ++i) {
    Evaluation answer;
    EXPECT_TRUE(cache.find(keys[i], {5, 5}, answer));
    EXPECT_EQ(answer.score, static_cast<float>(i));
  }
}

TEST(EvaluationCache, FillsTheMemoryItIsGivenAndHoldsAsManyAnswers) {
  const std::size_t bytes = 1 << 20;
  for (const BoardSize largest : {BoardSize{5, 5}, BoardSize{9, 13}, kLargest}) {
    EvaluationCache cache(bytes, largest);
    EXPECT_LE(cache.bytes(), bytes);
    EXPECT_GT(cache.bytes(), bytes - bytes / 100);
    EXPECT_NEAR(static_cast<double>(bytes) / static_cast<double>(cache.entries()),
                4 * largest.area() + 50, 15);
    const auto keys = static_cast<std::uint64_t>(cache.entries());
    for (std::uint64_t i = 0; i < keys; ++i) {
      cache.store({i, i}, largest, numbered(static_cast<int>(i)));
    }
    for (std::uint64_t i = 0; i < keys; ++i) {
      Evaluation answer;
      ASSERT_TRUE(cache.find({i, i}, largest, answer)) << i;
      ASSERT_EQ(answer.policy_logits[largest.area()], static_cast<float>(i));
      ASSERT_EQ(answer.policy_logits[0], static_cast<float>(i));
    }
  }
}

TEST(EvaluationCache, RefusesABoardThatItHasNoRoomFor) {
  EvaluationCache cache(kOneSet, {9, 9});
  EXPECT_DEATH(cache.store({1, 1}, {9, 10}, numbered(1)), "a board that the cache is made for");
}

}  // namespace
}  // namespace tengen
