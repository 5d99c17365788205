#include "nn/net_export.h"

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

namespace tengen {

namespace fs = std::filesystem;

namespace {

constexpr int kUsualVersion = 11;
constexpr int kPositions = 32;
constexpr BoardSize kBoards[] = {{5, 5}, {9, 9}, {7, 10}, {13, 13}, {19, 19}};

// The net of a folder with the records of the model that it came from. Trained further it is
// another net and has the name of its folder.
NetModel with_records(const NetModel& original, const NetTensors& tensors, const std::string& id) {
  NetModel model = net_model(original, tensors);
  if (model != original) model.name = id;
  return model;
}

// `net` as it goes out.
NetModel model_for(const ExportRequest& request, const NetSource& net) {
  const fs::path path = request.net, original = path / kNetOriginalFile;
  const bool has_original = fs::exists(original);
  const NetModel model =
      has_original ? with_records(read_kata_net(original), read_net_tensors(path), net.info.id)
                   : net.model;
  const bool keeps_version = has_original || is_kata_net_file(path);
  if (keeps_version && !request.version) return model;
  return with_version(model, request.version.value_or(kUsualVersion));
}

NetModel read_back(const std::string& bytes, const std::string& name) {
  return parse_kata_net(gunzip(bytes, kMaxKataNetBytes, name), /*is_text=*/false, name);
}

std::vector<RawOutputs> answers_of(const NetModel& model, std::span<const EvaluationInput> inputs) {
  std::vector<RawOutputs> raw(inputs.size());
  make_reference_network(std::make_shared<const NetModel>(model))->compute(inputs, raw);
  return raw;
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
  const NetModel model = model_for(request, net);
  const auto inputs = game_positions(kPositions, kBoards, net.features);
  const auto expected = net_outputs(answers(inputs), inputs, net.model);
  // What would be in the file, read back before it is there: one that was there before stays.
  const std::string bytes = is_onnx ? to_onnx(model) : gzip(to_kata_net(model));
  const auto written =
      is_onnx ? run_onnx(bytes, inputs) : answers_of(read_back(bytes, request.out), inputs);
  const OutputDifference difference =
      largest_difference(expected, net_outputs(written, inputs, model));
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
