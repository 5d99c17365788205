#include "nn/net_import.h"

#include "nn/kata_net_reader.h"
#include "nn/net_files.h"
#include "nn/net_source.h"
#include "nn/network_model.h"
#include "rules/check.h"

namespace tengen {
namespace {

constexpr std::uint64_t kSeed = 0x1390;  // of what only training asks for

}  // namespace

LoadedNet open_net(const std::filesystem::path& path) {
  if (!is_kata_net_file(path)) return load_net(path);
  const NetModel model = read_kata_net(path);
  try {
    return {network_of(model, kSeed), kata_net_info(model)};
  } catch (const Error& e) {
    throw Error(path.string() + ": " + e.what());
  }
}

std::string import_kata_net(const std::filesystem::path& file, const std::filesystem::path& dir) {
  const NetModel model = read_kata_net(file);
  NetInfo info = kata_net_info(model);
  try {
    save_net(dir, network_of(model, kSeed), info, file);
  } catch (const UsageError&) {
    throw;
  } catch (const Error& e) {
    const std::string what = e.what();
    throw Error(what.starts_with(dir.string()) ? what : file.string() + ": " + what);
  }
  return info.id;
}

}  // namespace tengen
