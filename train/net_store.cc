#include "train/net_store.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "nn/net_source.h"
#include "rules/durable_file.h"
#include "train/run_dir.h"

namespace tengen {

namespace fs = std::filesystem;

namespace {

// A net that is written has a name that begins with a dot until it is complete.
bool is_net(const fs::path& path) {
  return !path.filename().string().starts_with(".") && fs::exists(path / "net.json");
}

std::vector<fs::path> net_directories(const fs::path& parent) {
  std::vector<fs::path> found;
  if (!fs::exists(parent)) return found;
  for (const auto& entry : fs::directory_iterator(parent)) {
    if (is_net(entry.path())) found.push_back(entry.path());
  }
  std::ranges::sort(found);  // by index (net_id)
  return found;
}

// By its name, "net-000012-3f9a0c7e": a candidate may be moved before its files could be read. -1
// for what has another name.
int index_of(const fs::path& net) {
  int index = -1;
  std::sscanf(net.filename().c_str(), "net-%d", &index);
  return index;
}

std::vector<NetInfo> infos(const std::vector<fs::path>& directories) {
  std::vector<NetInfo> result;
  result.reserve(directories.size());
  for (const auto& directory : directories) result.push_back(load_net_info(directory));
  return result;
}

bool is_promoted(const fs::path& candidate) {
  const auto file = candidate / "verdict.json";
  if (!fs::exists(file)) return false;
  const auto verdict = nlohmann::json::parse(read_file(file), nullptr, false);
  return verdict.is_object() && verdict.value("promoted", false);
}

}  // namespace

NetStore::NetStore(fs::path run_directory) : root_(std::move(run_directory)) {}

void NetStore::remove_unfinished() {
  for (const auto* folder : {"nets", "candidates"}) {
    std::vector<fs::path> unfinished;
    for (const auto& entry : fs::directory_iterator(root_ / folder)) {
      if (!is_net(entry.path())) unfinished.push_back(entry.path());
    }
    for (const auto& path : unfinished) fs::remove_all(path);
  }
}

void NetStore::recover() {
  const auto all = [](std::string_view) { return true; };
  remove_drafts(root_, [](std::string_view name) { return name == "champion.json"; });
  if (fs::exists(root_ / "matches")) remove_drafts(root_ / "matches", all);
  for (const auto& candidate : net_directories(root_ / "candidates")) {
    remove_drafts(candidate, all);
    if (is_promoted(candidate)) promote(candidate, read_file(candidate / "verdict.json"));
  }
  // Promoted and moved, but not yet named: the newest net in nets/ is the champion.
  const auto nets = net_directories(root_ / "nets");
  if (nets.empty()) return;
  const auto now = champion();
  if (!now || *now < nets.back()) name_champion(nets.back());
}

int NetStore::next_index() const {
  int next = 0;
  // In the order in which a net moves, so that the one that the gate promotes now is not missed.
  for (const auto* folder : {"candidates", "nets"}) {
    for (const auto& net : net_directories(root_ / folder))
      next = std::max(next, index_of(net) + 1);
  }
  return next;
}

fs::path NetStore::add_candidate(const Network& network, NetInfo& info, const fs::path& origin) {
  info.id = net_id(network, info.index);
  const auto directory = root_ / "candidates" / info.id;
  if (!is_net(directory)) save_net(directory, network, info, origin);
  return directory;
}

std::vector<fs::path> NetStore::pending() const {
  auto found = net_directories(root_ / "candidates");
  std::erase_if(found, [](const fs::path& p) { return fs::exists(p / "verdict.json"); });
  return found;
}

void NetStore::promote(const fs::path& candidate, const std::string& verdict_json) {
  const auto home = root_ / "nets" / candidate.filename();
  if (is_net(home)) {  // it was moved, and the naming failed; perhaps it was made once more since
    fs::remove_all(candidate);
  } else {
    write_durable(candidate / "verdict.json", verdict_json);
    fs::create_directories(home.parent_path());
    rename_durable(candidate, home);
  }
  name_champion(home);
}

void NetStore::reject(const fs::path& candidate, const std::string& verdict_json) {
  write_durable(candidate / "verdict.json", verdict_json);
}

void NetStore::name_champion(const fs::path& net) const {
  const nlohmann::json text = {{"net", net.filename().string()},
                               {"index", load_net_info(net).index}};
  write_durable(root_ / "champion.json", text.dump(2) + "\n");
}

std::optional<fs::path> NetStore::champion() const {
  return champion_of(root_);
}

fs::path NetStore::current() const {
  auto net = champion();
  if (!net) throw Error(root_.string() + ": no champion yet");
  return *std::move(net);
}

fs::path NetStore::first() const {
  const auto nets = net_directories(root_ / "nets");
  if (nets.empty()) throw Error(root_.string() + ": no net yet");
  return nets.front();
}

fs::path NetStore::net_directory(const std::string& id) const {
  return root_ / "nets" / id;
}

bool NetStore::has_net(const std::string& id) const {
  return !id.empty() && fs::exists(net_directory(id) / "net.json");
}

std::vector<std::string> NetStore::ids() const {
  std::vector<std::string> names;
  for (const auto& net : net_directories(root_ / "nets")) names.push_back(net.filename().string());
  return names;
}

std::vector<NetInfo> NetStore::nets() const {
  return infos(net_directories(root_ / "nets"));
}

// The lines "net <id>" of parked games (selfplay/game_file.h), and those of workers that play. A
// file that its worker takes up at this moment may be gone.
std::vector<std::string> NetStore::nets_of_parked_games() const {
  constexpr std::string_view kNet = "net ";
  std::vector<std::string> ids;
  if (!fs::exists(root_ / "parked")) return ids;
  for (const auto& entry : fs::directory_iterator(root_ / "parked")) {
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with(kNet)) ids.push_back(line.substr(kNet.size()));
    }
  }
  return ids;
}

void NetStore::prune(int keep, const std::vector<std::string>& in_use) {
  const auto now = champion();
  const auto parked = nets_of_parked_games();
  const auto prune_folder = [&](std::vector<fs::path> directories, std::size_t first) {
    for (std::size_t i = first; i + static_cast<std::size_t>(keep) < directories.size(); ++i) {
      const auto id = directories[i].filename().string();
      if (std::ranges::count(in_use, id) + std::ranges::count(parked, id) > 0) continue;
      if (now && *now == directories[i]) continue;
      // Under a name that is no net's: half of one would be taken for a net.
      const auto gone = directories[i].parent_path() / ("." + id + ".gone");
      fs::rename(directories[i], gone);
      fs::remove_all(gone);
    }
  };
  prune_folder(net_directories(root_ / "nets"), 1);  // the first net is the yardstick and stays
  auto judged = net_directories(root_ / "candidates");
  std::erase_if(judged, [](const fs::path& p) { return !fs::exists(p / "verdict.json"); });
  prune_folder(judged, 0);
}

}  // namespace tengen
