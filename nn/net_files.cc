#include "nn/net_files.h"

#include <torch/torch.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "nn/safetensors.h"
#include "rules/check.h"
#include "rules/durable_file.h"
#include "rules/hash.h"

namespace tengen {

namespace fs = std::filesystem;

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int kFormatVersion = 1;
constexpr const char* kWeightsFile = "weights.safetensors";
constexpr const char* kInfoFile = "net.json";

[[noreturn]] void fail(const fs::path& file, const std::string& what) {
  throw Error(file.string() + ": " + what);
}

ordered_json to_json(const NetworkShape& shape) {
  return {{"name", name_of(shape)},
          {"blocks", shape.blocks},
          {"channels", shape.channels},
          {"gpool_blocks", shape.gpool_blocks},
          {"gpool_channels", shape.gpool_channels},
          {"policy_channels", shape.policy_channels},
          {"value_channels", shape.value_channels},
          {"value_hidden", shape.value_hidden}};
}

// Fields of net.json, each missing or wrong one refused by name.
class Fields {
 public:
  Fields(const fs::path& file, const json& object, std::string prefix = "")
      : file_(file), object_(object), prefix_(std::move(prefix)) {}

  const json& field(const char* name) const {
    const auto found = object_.find(name);
    if (found == object_.end()) fail(file_, prefix_ + name + " is missing");
    return *found;
  }
  std::int64_t whole(const char* name, std::int64_t low, std::int64_t high) const {
    return whole_of(name, field(name), low, high);
  }
  std::int64_t whole_of(const char* name, const json& value, std::int64_t low,
                        std::int64_t high) const {
    if (!value.is_number_integer() || value < low || value > high) {
      fail(file_, prefix_ + name + ": expected a whole number from " + std::to_string(low) +
                      " to " + std::to_string(high) + ", found " + value.dump().substr(0, 40));
    }
    return value.get<std::int64_t>();
  }
  std::string text(const char* name) const {
    const json& value = field(name);
    if (!value.is_string()) {
      fail(file_, prefix_ + name + ": expected a text, found " + value.dump().substr(0, 40));
    }
    return value.get<std::string>();
  }

 private:
  const fs::path& file_;
  const json& object_;
  std::string prefix_;
};

NetworkShape shape_from(const fs::path& file, const json& object) {
  if (!object.is_object()) fail(file, "shape: expected an object");
  const Fields fields(file, object, "shape.");
  constexpr int kMostBlocks = 200, kMostChannels = 2048;
  const auto width = [&](const char* name) {
    return static_cast<int>(fields.whole(name, 1, kMostChannels));
  };
  NetworkShape shape;
  shape.blocks = static_cast<int>(fields.whole("blocks", 1, kMostBlocks));
  shape.channels = width("channels");
  shape.gpool_blocks.clear();
  const json& pooling = fields.field("gpool_blocks");
  if (!pooling.is_array()) fail(file, "shape.gpool_blocks: expected a list");
  for (const json& block : pooling) {
    shape.gpool_blocks.push_back(
        static_cast<int>(fields.whole_of("gpool_blocks", block, 0, shape.blocks - 1)));
  }
  shape.gpool_channels = width("gpool_channels");
  shape.policy_channels = width("policy_channels");
  shape.value_channels = width("value_channels");
  shape.value_hidden = width("value_hidden");
  if (!shape.gpool_blocks.empty() && shape.gpool_channels >= shape.channels) {
    fail(file, "shape.gpool_channels: expected fewer than channels, found " +
                   std::to_string(shape.gpool_channels));
  }
  return shape;
}

json read_json(const fs::path& file) {
  json object = json::parse(read_file(file), nullptr, false);
  if (!object.is_object()) fail(file, "expected a JSON object (cut off or not a net's?)");
  const Fields fields(file, object);
  fields.whole("format_version", kFormatVersion, kFormatVersion);
  if (const auto version = fields.whole("features_version", 0, 1'000'000);
      version != kFeaturesVersion) {
    fail(file, "features_version " + std::to_string(version) + ", this program has " +
                   std::to_string(kFeaturesVersion));
  }
  return object;
}

NetInfo info_from(const fs::path& file, const json& object) {
  constexpr std::int64_t kMost = 1'000'000'000'000'000'000;
  const Fields fields(file, object);
  NetInfo info;
  info.id = fields.text("id");
  info.index = static_cast<int>(fields.whole("index", 0, 2'000'000'000));
  info.step = fields.whole("step", 0, kMost);
  info.samples = fields.whole("samples", 0, kMost);
  info.evaluations = fields.whole("evaluations", 0, kMost);
  info.parent = fields.text("parent");
  info.rules = fields.text("rules");
  return info;
}

std::string to_text(const NetInfo& info, const Network& network) {
  const ordered_json object = {{"format_version", kFormatVersion},
                               {"features_version", info.features_version},
                               {"id", info.id},
                               {"index", info.index},
                               {"step", info.step},
                               {"samples", info.samples},
                               {"evaluations", info.evaluations},
                               {"parent", info.parent},
                               {"rules", info.rules},
                               {"parameters", network.parameter_count()},
                               {"shape", to_json(network.shape())}};
  return object.dump(2) + "\n";
}

// Copies what was read into the network: each tensor there, of its shape, finite, and no other.
void set_weights(const fs::path& file, const NamedTensors& read, Network& network) {
  std::map<std::string, at::Tensor> by_name(read.begin(), read.end());
  for (const auto& [name, parameter] : network.parameters()) {
    const auto found = by_name.find(name);
    if (found == by_name.end()) fail(file, "tensor '" + name + "' is missing");
    const at::Tensor& t = found->second;
    if (t.scalar_type() != at::kFloat) fail(file, "tensor '" + name + "': expected dtype F32");
    if (t.sizes() != parameter.sizes()) {
      fail(file, "tensor '" + name + "': expected shape " + c10::str(parameter.sizes()) +
                     ", found " + c10::str(t.sizes()));
    }
    if (!t.isfinite().all().item<bool>()) fail(file, "tensor '" + name + "' is not finite");
    parameter.copy_(t);
    by_name.erase(found);
  }
  if (!by_name.empty()) {
    fail(file, "tensor '" + by_name.begin()->first + "' does not belong to a net of this shape");
  }
}

}  // namespace

std::string net_id(const Network& network, int index) {
  std::uint64_t hash = kFeaturesVersion;
  for (const auto& [name, parameter] : network.parameters()) {
    const at::Tensor t = parameter.detach().to(at::kCPU).contiguous();
    hash = hash_of_bytes(name, hash);
    hash = hash_of_bytes({static_cast<const char*>(t.const_data_ptr()), t.nbytes()}, hash);
  }
  char text[40];
  std::snprintf(text, sizeof text, "net-%06d-%08x", index, static_cast<unsigned>(hash >> 32));
  return text;
}

void save_net(const fs::path& dir, const Network& network, NetInfo& info) {
  if (fs::exists(dir)) fail(dir, "a net is there already");
  info.id = net_id(network, info.index);
  info.features_version = kFeaturesVersion;
  Draft draft(dir);
  try {
    fs::create_directories(draft.path());
    write_safetensors(draft.path() / kWeightsFile, network.parameters(), {{"net", info.id}});
    write_durable(draft.path() / kInfoFile, to_text(info, network));
    draft.publish();
  } catch (const fs::filesystem_error& e) {
    fail(dir, "cannot write a net: " + e.code().message());
  }
}

LoadedNet load_net(const fs::path& dir) {
  const fs::path info_file = dir / kInfoFile;
  const json object = read_json(info_file);
  NetInfo info = info_from(info_file, object);
  Network network(shape_from(info_file, Fields(info_file, object).field("shape")), 0);
  set_weights(dir / kWeightsFile, read_safetensors(dir / kWeightsFile), network);
  return {std::move(network), std::move(info)};
}

NetInfo load_net_info(const fs::path& dir) {
  const fs::path file = dir / kInfoFile;
  return info_from(file, read_json(file));
}

}  // namespace tengen
