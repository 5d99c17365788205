#include "nn/cpu_evaluator.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <thread>

#include "nn/cache_evaluator.h"
#include "random_inputs.h"
#include "random_net_model.h"
#include "rules/check.h"

namespace tengen {
namespace {

const std::vector<BoardSize> kMixed = {{9, 9}, {5, 5}, {7, 9}, {9, 4}};

std::shared_ptr<const NetModel> model_of(std::uint64_t seed) {
  return std::make_shared<const NetModel>(random_net_model(seed, lively_net()));
}

std::vector<Evaluation> evaluate(Evaluator& evaluator, const std::vector<EvaluationInput>& inputs) {
  std::vector<Evaluation> outputs(inputs.size());
  evaluator.evaluate(inputs, outputs);
  return outputs;
}

TEST(CpuEvaluator, SaysWhatTheNetworkMeans) {
  const auto model = model_of(4);
  const auto inputs = random_inputs(8, kMixed, 2);
  std::vector<RawOutputs> raw(inputs.size());
  make_cpu_network(model, CpuPath::kReference)->compute(inputs, raw);
  CpuEvaluator evaluator(model, "net", CpuPath::kReference);
  EXPECT_EQ(evaluator.id(), "net");
  const auto outputs = evaluate(evaluator, inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Features& features = inputs[i].features;
    const NetOutputs net = net_outputs(raw[i], *model, can_have_no_result(features));
    for (int m = 0; m <= features.size.area(); ++m) {
      EXPECT_EQ(outputs[i].policy_logits[m], net.policy_logits[m]);
    }
    EXPECT_EQ(outputs[i].win, net.win);
    EXPECT_EQ(outputs[i].loss, net.loss);
    EXPECT_EQ(outputs[i].no_result, net.no_result);
    EXPECT_EQ(outputs[i].score, net.score_mean);
    EXPECT_NEAR(outputs[i].win + outputs[i].loss + outputs[i].no_result, 1, 1e-6);
  }
}

TEST(CpuEvaluator, WantsTheFeaturesThatItsNetWasMadeToSee) {
  const auto model = model_of(4);
  for (const FeatureSchema schema : {FeatureSchema::kV7, FeatureSchema::kV7NoLadders}) {
    EXPECT_EQ(CpuEvaluator(model, "net", CpuPath::kReference, schema).features(), schema);
  }
}

TEST(CpuEvaluator, TurnsAnswersBackFromTheSymmetry) {
  // The same position turned by hand and seen as it is, or turned by the evaluator.
  const auto model = model_of(4);
  for (const CpuPath path : available_cpu_paths(*model)) {
    CpuEvaluator evaluator(model, "net", path);
    for (const BoardSize size : {BoardSize{9, 9}, BoardSize{7, 5}}) {
      const Features features = random_inputs(1, {size}, 3)[0].features;
      for (int s = 0; s < Symmetry::count(size); ++s) {
        const Symmetry symmetry(s);
        const auto turned = evaluate(evaluator, {{transformed(features, symmetry), Symmetry()}});
        const auto seen = evaluate(evaluator, {{features, symmetry}});
        for (int i = 0; i < size.area(); ++i) {
          const int to = size.index(symmetry.apply(size.point(i), size));
          ASSERT_EQ(seen[0].policy_logits[i], turned[0].policy_logits[to]);
        }
        EXPECT_EQ(seen[0].policy_logits[size.area()], turned[0].policy_logits[size.area()]);
        EXPECT_EQ(seen[0].win, turned[0].win);
      }
    }
  }
}

TEST(CpuEvaluator, ACacheChangesNoAnswer) {
  const auto model = model_of(4);
  auto inputs = random_inputs(16, kMixed, 3);
  for (int i = 0; i < 16; ++i) {  // images that are seen as those are
    const auto& [features, symmetry] = inputs[i];
    inputs.push_back({transformed(features, symmetry), Symmetry()});
  }
  for (const CpuPath path : available_cpu_paths(*model)) {
    CpuEvaluator plain(model, "net", path);
    const auto cache = std::make_shared<EvaluationCache>(1 << 20, BoardSize{9, 9});
    CacheEvaluator cached(std::make_shared<CpuEvaluator>(model, "net", path), cache);
    const auto expected = evaluate(plain, inputs);
    for (int round = 0; round < 2; ++round) {
      const auto answers = evaluate(cached, inputs);
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        for (int m = 0; m <= inputs[i].features.size.area(); ++m) {
          ASSERT_EQ(answers[i].policy_logits[m], expected[i].policy_logits[m]) << name_of(path);
        }
        ASSERT_EQ(answers[i].win, expected[i].win);
        ASSERT_EQ(answers[i].score, expected[i].score);
      }
    }
    EXPECT_GE(cache->counts().hits, 16 + 32);
  }
}

TEST(CpuEvaluator, EvaluatorsInManyThreadsAgree) {
  const auto model = model_of(4);
  const auto inputs = random_inputs(24, kMixed, 5);
  for (const CpuPath path : available_cpu_paths(*model)) {
    std::array<std::vector<Evaluation>, 3> outputs;
    std::vector<std::thread> threads;
    for (auto& mine : outputs) {
      threads.emplace_back([&] {
        CpuEvaluator evaluator(model, "net", path);
        mine = evaluate(evaluator, inputs);
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto bits = [&](int thread) {
        return std::bit_cast<std::uint32_t>(outputs[thread][i].policy_logits[0]);
      };
      EXPECT_EQ(bits(0), bits(1)) << name_of(path);
      EXPECT_EQ(bits(0), bits(2)) << name_of(path);
    }
  }
}

TEST(CpuEvaluator, AnAnswerThatIsNotFiniteIsAnErrorAndSpoilsNoLaterOne) {
  for (const float bad : {1e38F, std::numeric_limits<float>::quiet_NaN()}) {
    NetModel model = random_net_model(4, lively_net());
    // What the second stone's plane does at the first point of the board alone.
    for (int o = 0; o < model.stem.out; ++o) model.stem.weights[8 * model.stem.out + o] = bad;
    const auto shared = std::make_shared<const NetModel>(model);
    auto inputs = random_inputs(6, {{5, 5}}, 1);
    for (auto& input : inputs) input.features.planes[8] = PointSet();
    auto spoilt = inputs;
    spoilt[2].features.planes[8] = PointSet::all({5, 5});
    for (const CpuPath path : available_cpu_paths(*shared)) {
      CpuEvaluator evaluator(shared, "net-7", path);
      try {
        evaluate(evaluator, spoilt);
        FAIL() << bad << " " << name_of(path);
      } catch (const Error& e) {
        EXPECT_STREQ(e.what(), "net net-7: its answer to a position is not finite");
      }
      // 0 times what is not finite is not a number either; in fp16 1e38 is infinite.
      if (bad != bad || path == CpuPath::kFp16) continue;
      evaluate(evaluator, inputs);
    }
  }
}

}  // namespace
}  // namespace tengen
