#include "nn/net_export.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <memory>
#include <ostream>
#include <sstream>

#include "nn/gzip.h"
#include "nn/kata_net_reader.h"
#include "nn/kata_net_writer.h"
#include "nn/net_info.h"
#include "nn/net_source.h"
#include "nn/net_tensors.h"
#include "nn/net_versions.h"
#include "nn/onnx_runner.h"
#include "nn/onnx_writer.h"
#include "nn/reference_network.h"
#include "rules/check.h"
#include "rules/durable_file.h"
#include "rules/playout.h"

namespace tengen {

namespace fs = std::filesystem;

namespace {

constexpr int kUsualVersion = 11;
constexpr int kPositions = 32;
constexpr std::uint64_t kSeed = 20261130;

// Of random games on boards of many sizes and shapes, by several rules, at all ages.
std::vector<EvaluationInput> positions(FeatureSchema schema) {
  constexpr BoardSize kSizes[] = {{5, 5}, {9, 9}, {7, 10}, {13, 13}, {19, 19}};
  constexpr Ko kKos[] = {Ko::kPositional, Ko::kSimple, Ko::kSituational};
  std::vector<EvaluationInput> inputs;
  for (int i = 0; i < kPositions; ++i) {
    Rules rules;
    rules.size = kSizes[i % std::size(kSizes)];
    rules.ko = kKos[i % std::size(kKos)];
    rules.komi = Komi::from_half_points(i % 31 - 8);
    Position position(rules);
    Rng rng(kSeed, static_cast<std::uint64_t>(i));
    play_random_game(position, rng, rules.size.area() * i / kPositions);
    inputs.push_back({features_of(position, schema), Symmetry(i % Symmetry::count(rules.size))});
  }
  return inputs;
}

// `net` as it goes out.
NetModel model_for(const ExportRequest& request, const NetModel& net) {
  const fs::path path = request.net, original = path / kNetOriginalFile;
  const bool has_original = fs::exists(original);
  const NetModel model =
      has_original ? net_model(read_kata_net(original), read_net_tensors(path)) : net;
  const bool keeps_version = has_original || is_kata_net_file(path);
  if (keeps_version && !request.version) return model;
  return with_version(model, request.version.value_or(kUsualVersion));
}

NetModel read_back(const std::string& bytes, const std::string& name) {
  return parse_kata_net(gunzip(bytes, kMaxKataNetBytes, name), /*is_text=*/false, name);
}

std::vector<NetOutputs> meaning(std::span<const RawOutputs> raw,
                                std::span<const EvaluationInput> inputs, const NetModel& model) {
  std::vector<NetOutputs> outputs;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    outputs.push_back(net_outputs(raw[i], model, can_have_no_result(inputs[i].features)));
  }
  return outputs;
}

std::vector<RawOutputs> answers_of(const NetModel& model, std::span<const EvaluationInput> inputs) {
  std::vector<RawOutputs> raw(inputs.size());
  make_reference_network(std::make_shared<const NetModel>(model))->compute(inputs, raw);
  return raw;
}

std::vector<double> softmax(const std::vector<float>& logits) {
  const double highest = *std::ranges::max_element(logits);
  std::vector<double> p;
  double sum = 0;
  for (const float logit : logits) sum += p.emplace_back(std::exp(logit - highest));
  for (double& x : p) x /= sum;
  return p;
}

std::string in_words(const OutputDifference& d) {
  std::ostringstream text;
  text << std::setprecision(2) << "largest differences on " << kPositions << " positions: policy "
       << d.policy << ", value " << d.value << ", score " << d.score << " points, ownership "
       << d.ownership;
  return text.str();
}

bool is_within_bound(const OutputDifference& d) {
  const OutputDifference& bound = kExportBound;
  return d.policy <= bound.policy && d.value <= bound.value && d.score <= bound.score &&
         d.ownership <= bound.ownership;
}

}  // namespace

OutputDifference largest_difference(std::span<const NetOutputs> a, std::span<const NetOutputs> b) {
  check(a.size() == b.size(), "as many answers of both");
  OutputDifference d;
  // NaN counts as far.
  const auto take = [](double& largest, double x, double y) {
    const double difference = std::abs(x - y);
    if (!(difference <= largest)) largest = std::isnan(difference) ? HUGE_VAL : difference;
  };
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto p = softmax(a[i].policy_logits), q = softmax(b[i].policy_logits);
    for (std::size_t k = 0; k < p.size(); ++k) take(d.policy, p[k], q[k]);
    for (const auto field : {&NetOutputs::win, &NetOutputs::loss, &NetOutputs::no_result}) {
      take(d.value, a[i].*field, b[i].*field);
    }
    take(d.score, a[i].score_mean, b[i].score_mean);
    take(d.score, a[i].lead, b[i].lead);
    take(d.score, std::sqrt(a[i].score_mean_square), std::sqrt(b[i].score_mean_square));
    for (std::size_t k = 0; k < a[i].ownership.size(); ++k) {
      take(d.ownership, a[i].ownership[k], b[i].ownership[k]);
    }
  }
  return d;
}

void export_net(const ExportRequest& request, const NetAnswers& answers, std::ostream& out) {
  const bool is_onnx = request.to == "onnx";
  if (!is_onnx && request.to != "katago") {
    throw UsageError("--to '" + request.to + "': expected katago or onnx");
  }
  if (is_onnx && request.version) {
    throw UsageError("--version is of KataGo's model files, an ONNX file has none");
  }
  if (!is_onnx && !request.out.ends_with(".bin.gz")) {
    throw UsageError("--out '" + request.out +
                     "': KataGo reads such files by their names only if "
                     "they end in .bin.gz");
  }
  const NetSource net = read_net(request.net);
  const NetModel model = model_for(request, net.model);
  const auto inputs = positions(net.features);
  const auto expected = meaning(answers(inputs), inputs, net.model);
  // What would be in the file, read back before it is there: one that was there before stays.
  const std::string bytes = is_onnx ? to_onnx(model) : gzip(to_kata_net(model));
  const auto written =
      is_onnx ? run_onnx(bytes, inputs) : answers_of(read_back(bytes, request.out), inputs);
  const OutputDifference difference = largest_difference(expected, meaning(written, inputs, model));
  if (!is_within_bound(difference)) {
    throw Error(request.out + ": it would say something else than the net (" +
                in_words(difference) + "); nothing was written");
  }
  write_durable(request.out, bytes);
  out << net.info.id << " as " << request.out << " (" << request.to << ", model version "
      << model.version << ")\n";
  out << in_words(difference) << "\n";
  if (net.features != FeatureSchema::kV7) {
    out << "This net was trained without ladder planes; other programs give it ladders, which it "
           "does not know\n";
  }
}

}  // namespace tengen
