#include "nn/net_source.h"

#include <nlohmann/json.hpp>

#include "nn/kata_net_reader.h"
#include "nn/net_tensors.h"
#include "rules/check.h"
#include "rules/durable_file.h"

namespace tengen {

namespace fs = std::filesystem;

bool is_kata_net_file(const fs::path& path) {
  const auto ending = path.extension();
  return (ending == ".bin" || ending == ".txt" || ending == ".gz") && fs::exists(path) &&
         !fs::is_directory(path);
}

std::optional<fs::path> champion_of(const fs::path& run_directory) {
  const auto file = run_directory / "champion.json";
  if (!fs::exists(file)) return std::nullopt;
  const auto text = nlohmann::json::parse(read_file(file), nullptr, false);
  if (!text.is_object() || !text.contains("net") || !text["net"].is_string()) {
    throw Error(file.string() + ": expected {\"net\": id, ...}, found something else");
  }
  const auto id = text["net"].get<std::string>();
  const auto net = run_directory / "nets" / id;
  if (id.empty() || !fs::exists(net / kNetInfoFile)) {
    throw Error(file.string() + ": names net '" + id + "', which is not in nets/");
  }
  return net;
}

std::optional<fs::path> find_net(const fs::path& path) {
  std::error_code error;  // such as a name that is too long for one
  if (!fs::exists(path, error)) return std::nullopt;
  if (is_kata_net_file(path) || fs::exists(path / kNetInfoFile)) return path;
  return champion_of(path);
}

fs::path resolve_net(const fs::path& path) {
  if (const auto net = find_net(path)) return *net;
  throw Error(path.string() +
              ": expected a net (net.json), a run (champion.json) or a model file of KataGo "
              "(.bin.gz, .txt.gz), found none of them");
}

NetSource read_net(const fs::path& path) {
  if (!is_kata_net_file(path)) {
    const NetDescription net = read_net_description(path);
    return {net.info, net.shape.features, load_net_model(path)};
  }
  NetModel model = read_kata_net(path);
  NetInfo info = kata_net_info(model);
  return {std::move(info), FeatureSchema::kV7, std::move(model)};
}

NetInfo kata_net_info(const NetModel& model) {
  NetInfo info;
  info.id = model.name;
  info.source = model.name + ", KataGo's model version " + std::to_string(model.version);
  return info;
}

}  // namespace tengen
