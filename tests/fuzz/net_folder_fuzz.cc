// Whatever net.json and weights.safetensors hold: they are a net that can be computed and goes
// round through its description, or an Error that names a file of the folder.
//
// The first byte of an input says what the others are:
//
//   r  net.json, a zero byte, weights.safetensors
//   h  net.json, a zero byte, the header of weights.safetensors, which gets the right length and as
//      much data as its largest number says
//   e  edits of a net of ours: which net, then three bytes for each value that is replaced: in
//      which file, which value, by what

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "nn/net_source.h"
#include "nn/net_tensors.h"
#include "nn/reference_network.h"
#include "rules/check.h"
#include "rules/durable_file.h"
#include "rules/temporary_directory.h"
#include "tests/nn/net_folder.h"
#include "tests/nn/random_net_model.h"

namespace tengen {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostData = 1 << 16;
constexpr std::size_t kSmall = 10'000;  // weights of a net that is computed

const std::filesystem::path& folder() {
  static const TemporaryDirectory directory;
  return directory.path();
}

void write(const char* name, std::string_view bytes) {
  std::ofstream(folder() / name, std::ios::binary) << bytes;
}

// ---- Headers with data

std::uint64_t largest_number(std::string_view text) {
  std::uint64_t largest = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::uint64_t number = 0;
    const auto read = std::from_chars(text.data() + at, text.data() + text.size(), number);
    if (read.ec != std::errc() || number > kMostData) continue;
    largest = std::max(largest, number);
    at = static_cast<std::size_t>(read.ptr - text.data());
  }
  return largest;
}

std::string with_length_and_data(std::string_view header) {
  const std::uint64_t length = header.size();
  std::string file(reinterpret_cast<const char*>(&length), sizeof length);
  file += header;
  const auto data = largest_number(header);
  for (std::uint64_t i = 0; i < data; ++i) {
    file += i % 4 == 3 ? '\x3e' : static_cast<char>(i % 61);  // fp32 numbers near 1/8
  }
  return file;
}

// ---- Edits

// A JSON document and where its values are.
struct Document {
  Json json;
  std::vector<Json::json_pointer> places;
};

void find_places(const Json& value, const Json::json_pointer& at, Document& document) {
  document.places.push_back(at);
  if (!value.is_structured()) return;
  for (const auto& [key, child] : value.items()) {
    find_places(child, value.is_array() ? at / std::stoul(key) : at / key, document);
  }
}

Document document_of(const std::string& text) {
  Document document{Json::parse(text), {}};
  find_places(document.json, Json::json_pointer(), document);
  return document;
}

struct Base {
  Document info, header;
};

Base base_of(int version, std::vector<ModelBlock::Kind> blocks) {
  const TemporaryDirectory directory;
  RandomNetOptions options;
  options.version = version;
  options.blocks = std::move(blocks);
  options.activations = {Activation::kRelu};
  NetModel model = random_net_model(1, options);
  model.options = {};
  model.scales = default_scales(version);
  write_net_folder(directory.path() / "net", model, kata_net_info(model));
  const std::string weights = read_file(directory.path() / "net" / kNetWeightsFile);
  std::uint64_t length = 0;
  std::memcpy(&length, weights.data(), sizeof length);
  return {document_of(read_file(directory.path() / "net" / kNetInfoFile)),
          document_of(weights.substr(sizeof length, length))};
}

const Base& base(unsigned char which) {
  using enum ModelBlock::Kind;
  static const std::vector<Base> bases = {base_of(8, {kOrdinary}), base_of(11, {kPooling, kNested}),
                                          base_of(16, {kNested})};
  return bases[which % bases.size()];
}

// Replaces one value: by an odd one, by another of the document, or by nothing.
void edit(Json& json, const Document& document, unsigned char where, unsigned char what) {
  static const std::vector<Json> odd = {0,
                                        1,
                                        2,
                                        3,
                                        4,
                                        8,
                                        9,
                                        -1,
                                        4096,
                                        4097,
                                        1e9,
                                        0.5,
                                        true,
                                        false,
                                        nullptr,
                                        "",
                                        "batch",
                                        "mish",
                                        "F32",
                                        "I64",
                                        "nested",
                                        "pooling",
                                        Json::array(),
                                        Json::object(),
                                        Json::array({1, 1, 1, 1}),
                                        Json::array({0, 4}),
                                        std::uint64_t{1} << 40,
                                        ~std::uint64_t{0},
                                        std::int64_t{-1} << 62,
                                        std::string(300, 'x')};
  const auto& at = document.places[where % document.places.size()];
  if (!json.contains(at)) return;
  if (what < odd.size()) {
    json[at] = odd[what];
  } else if (what < 128 && !at.empty()) {
    Json& parent = json[at.parent_pointer()];
    parent.is_array() ? parent.erase(std::stoul(at.back())) : void(parent.erase(at.back()));
  } else {
    json[at] = document.json[document.places[what % document.places.size()]];
  }
}

void write_edited(std::string_view edits) {
  if (edits.empty()) return;
  const Base& from = base(static_cast<unsigned char>(edits[0]));
  Json info = from.info.json, header = from.header.json;
  for (std::size_t i = 1; i + 3 <= edits.size(); i += 3) {
    const auto where = static_cast<unsigned char>(edits[i + 1]);
    const auto what = static_cast<unsigned char>(edits[i + 2]);
    if (edits[i] % 2 == 0) {
      edit(info, from.info, where, what);
    } else {
      edit(header, from.header, where, what);
    }
  }
  write(kNetInfoFile, info.dump());
  write(kNetWeightsFile, with_length_and_data(header.dump()));
}

// ---- What must hold

void check_description() {
  const NetDescription net = read_net_description(folder());
  write(kNetInfoFile, to_json(net, 0));
  const NetDescription again = read_net_description(folder());
  check(again.shape == net.shape && to_json(again, 0) == to_json(net, 0),
        "a description goes round");
}

void check_computing(const NetModel& model, FeatureSchema features) {
  std::size_t weights = 0;
  for (const auto& [name, t] : net_tensors(model)) weights += t.values.size();
  if (weights > kSmall) return;
  Rules rules;
  rules.size = {3, 3};
  const EvaluationInput input{features_of(Position(rules), features), Symmetry()};
  std::vector<RawOutputs> raw(1);
  make_reference_network(std::make_shared<const NetModel>(model))->compute({&input, 1}, raw);
  check(!raw[0].policy.empty(), "a net has a policy");
}

bool write_folder(std::string_view input) {
  if (input.starts_with('e')) {
    write_edited(input.substr(1));
    return true;
  }
  const auto end = input.find('\0');
  if (end == std::string_view::npos || end == 0) return false;
  const std::string_view weights = input.substr(end + 1);
  write(kNetInfoFile, input.substr(1, end - 1));
  write(kNetWeightsFile, input[0] == 'r' ? weights : with_length_and_data(weights));
  return true;
}

void check_input(std::string_view input) {
  if (!write_folder(input)) return;
  try {
    const NetSource net = read_net(folder());
    check_computing(net.model, net.features);
    check_description();
  } catch (const Error& error) {
    check(std::string_view(error.what()).starts_with(folder().string()), "an error names the file");
  }
}

}  // namespace
}  // namespace tengen

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tengen::check_input({reinterpret_cast<const char*>(data), size});
  return 0;
}
