#include "nn/net_info.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "nn/json_excerpt.h"
#include "rules/check.h"
#include "rules/durable_file.h"

namespace tengen {

namespace fs = std::filesystem;

namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using Kind = ModelBlock::Kind;

constexpr int kFormatVersion = 2;

constexpr const char* kKinds[] = {"ordinary", "pooling", "nested"};

[[noreturn]] void fail(const fs::path& file, const std::string& what) {
  throw Error(file.string() + ": " + what);
}

ordered_json to_json(const BlockShape& block) {
  ordered_json object = {{"kind", kKinds[static_cast<int>(block.kind)]}, {"middle", block.middle}};
  if (block.kind == Kind::kPooling) object["pooled"] = block.pooled;
  for (const BlockShape& inner : block.inner) object["inner"].push_back(to_json(inner));
  return object;
}

ordered_json to_json(const NetworkShape& shape) {
  ordered_json blocks = ordered_json::array();
  for (const BlockShape& block : shape.blocks) blocks.push_back(to_json(block));
  return {{"name", name_of(shape)},
          {"channels", shape.channels},
          {"stem_size", shape.stem_size},
          {"activation", name_of(shape.activation)},
          {"norm", name_of(shape.norm)},
          {"blocks", blocks},
          {"policy_channels", shape.policy_channels},
          {"policy_pooled", shape.policy_pooled},
          {"pass_hidden", shape.has_pass_hidden},
          {"optimistic", shape.has_optimistic},
          {"value_channels", shape.value_channels},
          {"value_hidden", shape.value_hidden},
          {"version", shape.version}};
}

// Fields of net.json, each missing or wrong one refused by name.
class Fields {
 public:
  Fields(const fs::path& file, const json& object, std::string prefix = "")
      : file_(file), object_(object), prefix_(std::move(prefix)) {
    if (!object.is_object()) fail(file_, prefix_ + ": expected an object");
  }

  const json& field(const char* name) const {
    const auto found = object_.find(name);
    if (found == object_.end()) fail(file_, named(name) + " is missing");
    return *found;
  }
  std::int64_t whole(const char* name, std::int64_t low, std::int64_t high) const {
    const json& value = field(name);
    if (!value.is_number_integer() || value < low || value > high) {
      wrong(name, "a whole number from " + std::to_string(low) + " to " + std::to_string(high));
    }
    return value.get<std::int64_t>();
  }
  int width(const char* name) const { return static_cast<int>(whole(name, 1, kMostChannels)); }
  bool truth(const char* name) const {
    if (!field(name).is_boolean()) wrong(name, "true or false");
    return field(name).get<bool>();
  }
  std::string text(const char* name) const {
    if (!field(name).is_string()) wrong(name, "a text");
    return field(name).get<std::string>();
  }
  // Calls use(its fields) for each object of a list.
  void each(const char* name, const std::function<void(const Fields&)>& use) const {
    const json& list = field(name);
    if (!list.is_array() || list.empty() || list.size() > kMostBlocks) {
      wrong(name, "a list of 1 to " + std::to_string(kMostBlocks) + " objects");
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
      use(Fields(file_, list[i], named(name) + "[" + std::to_string(i) + "]"));
    }
  }
  [[noreturn]] void wrong(const char* name, const std::string& expected) const {
    fail(file_, named(name) + ": expected " + expected + ", found " + excerpt(field(name)));
  }

 private:
  std::string named(const char* name) const {
    return prefix_.empty() ? name : prefix_ + "." + name;
  }

  const fs::path& file_;
  const json& object_;
  std::string prefix_;
};

BlockShape block_from(const Fields& fields, int nesting) {
  const std::string kind = fields.text("kind");
  const auto* found = std::ranges::find(kKinds, kind);
  if (found == std::end(kKinds)) fields.wrong("kind", "ordinary, pooling or nested");
  BlockShape block;
  block.kind = static_cast<Kind>(found - kKinds);
  block.middle = fields.width("middle");
  if (block.kind == Kind::kPooling) block.pooled = fields.width("pooled");
  if (block.kind == Kind::kNested) {
    if (nesting == kMostNesting) fields.wrong("kind", "no deeper nesting");
    fields.each("inner", [&](const Fields& inner) {
      block.inner.push_back(block_from(inner, nesting + 1));
    });
  }
  return block;
}

NetworkShape shape_from(const Fields& fields) {
  NetworkShape shape;
  shape.channels = fields.width("channels");
  shape.stem_size = static_cast<int>(fields.whole("stem_size", 1, kMostStem));
  if (shape.stem_size % 2 == 0) fields.wrong("stem_size", "an odd number");
  try {
    shape.activation = activation_named(fields.text("activation"));
  } catch (const UsageError&) {
    fields.wrong("activation", "relu, mish, silu or identity");
  }
  try {
    shape.norm = norm_named(fields.text("norm"));
  } catch (const UsageError&) {
    fields.wrong("norm", "fixed or batch");
  }
  fields.each("blocks", [&](const Fields& block) { shape.blocks.push_back(block_from(block, 0)); });
  shape.policy_channels = fields.width("policy_channels");
  shape.policy_pooled = fields.width("policy_pooled");
  shape.has_pass_hidden = fields.truth("pass_hidden");
  shape.has_optimistic = fields.truth("optimistic");
  shape.value_channels = fields.width("value_channels");
  shape.value_hidden = fields.width("value_hidden");
  shape.version = static_cast<int>(fields.whole("version", 8, 16));
  return shape;
}

FeatureSchema features_from(const fs::path& file, const Fields& fields) {
  const auto version = fields.whole("features_version", 0, 1'000'000);
  const auto schema = feature_schema(version);
  if (!schema) {
    fail(file, "features_version " + std::to_string(version) + ", this program has 1 and 2");
  }
  return *schema;
}

NetInfo info_from(const Fields& fields) {
  constexpr std::int64_t kMost = 1'000'000'000'000'000'000;
  fields.whole("format_version", kFormatVersion, kFormatVersion);
  NetInfo info;
  info.id = fields.text("id");
  info.index = static_cast<int>(fields.whole("index", 0, 2'000'000'000));
  info.step = fields.whole("step", 0, kMost);
  info.samples = fields.whole("samples", 0, kMost);
  info.evaluations = fields.whole("evaluations", 0, kMost);
  info.parent = fields.text("parent");
  info.rules = fields.text("rules");
  info.source = fields.text("source");
  return info;
}

}  // namespace

NetDescription read_net_description(const fs::path& dir) {
  const fs::path file = dir / kNetInfoFile;
  const json object = json::parse(read_file(file), nullptr, false);
  if (!object.is_object()) fail(file, "expected a JSON object (cut off or not a net's?)");
  const Fields fields(file, object);
  NetDescription net{info_from(fields), shape_from(Fields(file, fields.field("shape"), "shape"))};
  net.shape.features = features_from(file, fields);
  return net;
}

std::string to_json(const NetDescription& net, std::int64_t parameters) {
  const NetInfo& info = net.info;
  const ordered_json object = {{"format_version", kFormatVersion},
                               {"features_version", version_of(net.shape.features)},
                               {"id", info.id},
                               {"index", info.index},
                               {"step", info.step},
                               {"samples", info.samples},
                               {"evaluations", info.evaluations},
                               {"parent", info.parent},
                               {"rules", info.rules},
                               {"source", info.source},
                               {"parameters", parameters},
                               {"shape", to_json(net.shape)}};
  return object.dump(2) + "\n";
}

}  // namespace tengen
