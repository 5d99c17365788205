#include "nn/kata_net_reader.h"

#include <optional>
#include <string>

#include "nn/features.h"
#include "nn/gzip.h"
#include "nn/kata_net_tokens.h"
#include "rules/check.h"
#include "rules/durable_file.h"

namespace tengen {
namespace {

constexpr int kMaxWidth = 1 << 16;
constexpr int kMaxBlocks = 1 << 12;
constexpr int kMaxNesting = 8;

// Records in the order of the file; their agreement is validate's.
class Reader {
 public:
  Reader(std::string_view bytes, bool is_text, std::string_view file) : in_(bytes, is_text, file) {}

  NetModel model() {
    NetModel model;
    header(model);
    trunk(model);
    model.policy = policy_head();
    model.value = value_head();
    in_.end();
    return model;
  }

 private:
  void header(NetModel& model) {
    in_.enter("header");
    model.name = in_.word("the model's name");
    model.version = version_ = version();
    in_.integer("input planes", kPlanes, kPlanes);
    in_.integer("input scalars", kScalars, kScalars);
    model.scales = default_scales(version_);
    if (version_ >= 13) scales(model.scales);
    if (version_ >= 15) options(model.options);
  }

  int version() {
    const int version = in_.integer("the model's version", 0, 1'000'000);
    const std::string found = "expected version 8 to 16, found " + std::to_string(version);
    if (version < 8) in_.fail(found + ", whose input features are older ones");
    if (version == 17) in_.fail(found + ": transformers and RMSNorm are not supported");
    if (version > 17) in_.fail(found);
    return version;
  }

  void scales(OutputScales& scales) {
    scales.td_score = in_.positive("the scale of the TD score");
    scales.score_mean = in_.positive("the scale of the score's mean");
    scales.score_stdev = in_.positive("the scale of the score's deviation");
    scales.lead = in_.positive("the scale of the lead");
    scales.variance_time = in_.positive("the scale of the variance time");
    scales.winloss_error = in_.positive("the scale of the error of win and loss");
    scales.score_error = in_.positive("the scale of the error of the score");
  }

  void options(std::array<int, 8>& options) {
    const int meta_encoder = in_.integer("the meta encoder's version", 0, 1'000'000);
    if (meta_encoder != 0) in_.fail("nets with a meta encoder (human style) are not supported");
    options[1] = in_.integer("pass-alive under suicide rules", 0, 1);
    for (int i = 2; i < 8; ++i) in_.integer("a reserved option", 0, 0);
  }

  void trunk(NetModel& model) {
    in_.enter("trunk");
    model.trunk_name = in_.word("the trunk's name");
    const int blocks = in_.integer("blocks", 1, kMaxBlocks);
    const int channels = in_.integer("channels", 1, kMaxWidth);
    for (const int i : {0, 1, 2, 3}) {
      const bool is_ignored = i == 2;
      model.widths[i] = in_.integer("the trunk's widths", is_ignored ? -kMaxWidth : 1, kMaxWidth);
    }
    if (version_ >= 15) {
      for (int i = 0; i < 6; ++i) in_.integer("the trunk's options (norm kind first)", 0, 0);
    }
    model.stem = conv();
    if (model.stem.out != channels) {
      in_.fail("expected the trunk's " + std::to_string(channels) + " output channels, found " +
               std::to_string(model.stem.out));
    }
    model.scalars = matrix();
    for (int i = 0; i < blocks; ++i) model.blocks.push_back(block(0));
    model.tip = normed_activation();
  }

  ModelBlock block(int depth) {
    in_.enter("block");
    const std::string kind = in_.word("a kind of block");
    ModelBlock block;
    block.kind = kind_of(kind);
    block.name = in_.word("the block's name");
    in_.enter("block '" + block.name + "'");
    const bool is_nested = block.kind == ModelBlock::Kind::kNested;
    const int inner = is_nested ? in_.integer("inner blocks", 1, kMaxBlocks) : 0;
    if (is_nested && depth == kMaxNesting) {
      in_.fail("blocks are nested more than " + std::to_string(kMaxNesting) + " deep");
    }
    block.read1 = normed_activation();
    block.conv1 = conv();
    if (block.kind == ModelBlock::Kind::kPooling) block.pooling = pooling();
    for (int i = 0; i < inner; ++i) block.inner.push_back(this->block(depth + 1));
    block.read2 = normed_activation();
    block.conv2 = conv();
    return block;
  }

  ModelBlock::Kind kind_of(const std::string& kind) const {
    if (kind == "ordinary_block") return ModelBlock::Kind::kOrdinary;
    if (kind == "gpool_block") return ModelBlock::Kind::kPooling;
    if (kind == "nested_bottleneck_block") return ModelBlock::Kind::kNested;
    if (kind.starts_with("transformer_")) in_.fail("transformer blocks are not supported");
    in_.fail("expected ordinary_block, gpool_block or nested_bottleneck_block, found '" + kind +
             "'");
  }

  ModelPolicyHead policy_head() {
    ModelPolicyHead head;
    in_.enter("policy head");
    head.name = in_.word("the policy head's name");
    head.conv1 = conv();
    head.pooling = pooling();
    head.read = normed_activation();
    head.conv2 = conv();
    head.pass = matrix();
    if (version_ >= 15) {
      ModelPolicyHead::PassHidden hidden;
      hidden.bias = bias();
      hidden.activation = activation();
      hidden.matrix = matrix();
      head.pass_hidden = std::move(hidden);
    }
    return head;
  }

  ModelValueHead value_head() {
    ModelValueHead head;
    in_.enter("value head");
    head.name = in_.word("the value head's name");
    head.conv1 = conv();
    head.read = normed_activation();
    head.hidden = matrix();
    head.hidden_bias = bias();
    head.hidden_activation = activation();
    head.value = matrix();
    head.value_bias = bias();
    head.misc = matrix();
    head.misc_bias = bias();
    head.ownership = conv();
    return head;
  }

  PoolingLayers pooling() {
    PoolingLayers pooling;
    pooling.conv = conv();
    pooling.read = normed_activation();
    pooling.matrix = matrix();
    return pooling;
  }

  NormedActivation normed_activation() {
    NormedActivation read;
    read.norm = norm();
    read.activation = activation();
    return read;
  }

  ConvLayer conv() {
    ConvLayer layer;
    layer.name = enter_layer("convolution");
    layer.height = in_.integer("its height", 1, kMaxKernel);
    layer.width = in_.integer("its width", 1, kMaxKernel);
    layer.in = in_.integer("input channels", 1, kMaxWidth);
    layer.out = in_.integer("output channels", 1, kMaxWidth);
    in_.integer("dilation", 1, 1);
    in_.integer("dilation", 1, 1);
    layer.weights = in_.floats("weights", {layer.height, layer.width, layer.in, layer.out});
    return layer;
  }

  NormLayer norm() {
    NormLayer layer;
    layer.name = enter_layer("norm");
    layer.channels = in_.integer("channels", 1, kMaxWidth);
    layer.epsilon = in_.positive("epsilon");
    const bool has_scale = in_.integer("whether it has a scale", 0, 1) == 1;
    const bool has_bias = in_.integer("whether it has a bias", 0, 1) == 1;
    layer.mean = in_.floats("mean", {layer.channels});
    layer.variance = in_.floats("variance", {layer.channels});
    if (has_scale) layer.scale = in_.floats("scale", {layer.channels});
    if (has_bias) layer.bias = in_.floats("bias", {layer.channels});
    return layer;
  }

  ActivationLayer activation() {
    ActivationLayer layer;
    layer.name = enter_layer("activation");
    if (version_ >= 11) {
      const std::string kind = in_.word("a kind of activation");
      const auto activation = activation_of(kind);
      if (!activation) in_.fail("unknown activation '" + kind + "'");
      layer.kind = *activation;
    }
    return layer;
  }

  static std::optional<Activation> activation_of(std::string_view kind) {
    if (kind == "ACTIVATION_IDENTITY") return Activation::kIdentity;
    if (kind == "ACTIVATION_RELU") return Activation::kRelu;
    if (kind == "ACTIVATION_MISH") return Activation::kMish;
    if (kind == "ACTIVATION_SILU") return Activation::kSilu;
    return std::nullopt;
  }

  MatrixLayer matrix() {
    MatrixLayer layer;
    layer.name = enter_layer("matrix");
    layer.in = in_.integer("inputs", 1, kMaxWidth);
    layer.out = in_.integer("outputs", 1, kMaxWidth);
    layer.weights = in_.floats("weights", {layer.in, layer.out});
    return layer;
  }

  BiasLayer bias() {
    BiasLayer layer;
    layer.name = enter_layer("bias");
    const int channels = in_.integer("channels", 1, kMaxWidth);
    layer.weights = in_.floats("weights", {channels});
    return layer;
  }

  std::string enter_layer(const std::string& kind) {
    std::string name = in_.word("the name of a " + kind);
    in_.enter(kind + " '" + name + "'");
    return name;
  }

  KataNetTokens in_;
  int version_ = 0;
};

bool is_text_form(const std::filesystem::path& path, std::string_view bytes) {
  const std::string name = path.filename().string();
  const std::string_view stem =
      name.ends_with(".gz") ? std::string_view(name).substr(0, name.size() - 3) : name;
  if (stem.ends_with(".txt")) return true;
  if (stem.ends_with(".bin")) return false;
  if (stem != name) return bytes.find("@BIN@") == std::string_view::npos;
  throw Error(path.string() + ": expected a name that ends in .bin.gz, .bin, .txt.gz or .txt");
}

}  // namespace

NetModel read_kata_net(const std::filesystem::path& path, std::uint64_t max_bytes) {
  std::string bytes = read_file(path);
  if (is_gzip(bytes)) bytes = gunzip(bytes, max_bytes, path.string());
  if (bytes.size() > max_bytes) {
    throw Error(path.string() + ": expected at most " + std::to_string(max_bytes) +
                " bytes, found " + std::to_string(bytes.size()));
  }
  return parse_kata_net(bytes, is_text_form(path, bytes), path.string());
}

NetModel parse_kata_net(std::string_view bytes, bool is_text, std::string_view name_for_errors) {
  NetModel model = Reader(bytes, is_text, name_for_errors).model();
  validate(model, name_for_errors);
  return model;
}

}  // namespace tengen
