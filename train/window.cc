#include "train/window.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <utility>

#include "rules/check.h"
#include "rules/rng.h"

namespace tengen {

namespace fs = std::filesystem;

namespace {

// Consecutive rows of one shard.
struct Block {
  const CatalogShard* shard;  // valid until the catalog changes
  std::int64_t first;
  std::int64_t count;
};

// The newest `rows` training rows as stretches, one per shard, newest shard first.
std::vector<Block> newest(const std::vector<CatalogShard>& shards, std::int64_t rows) {
  std::vector<Block> spans;
  for (auto shard = shards.rbegin(); shard != shards.rend() && rows > 0; ++shard) {
    const std::int64_t count = std::min(rows, shard->rows);
    if (count > 0) spans.push_back({&*shard, shard->rows - count, count});
    rows -= count;
  }
  return spans;
}

// Blocks end at multiples of kShardBlockRows, so that they do not straddle a shard's chunks.
std::vector<Block> cut(const std::vector<Block>& spans) {
  std::vector<Block> blocks;
  for (const Block& span : spans) {
    const std::int64_t end = span.first + span.count;
    for (std::int64_t first = span.first; first < end;) {
      const std::int64_t next = std::min(end, (first / kShardBlockRows + 1) * kShardBlockRows);
      blocks.push_back({span.shard, first, next - first});
      first = next;
    }
  }
  return blocks;
}

template <class T>
void shuffle(std::vector<T>& items, Rng rng) {
  for (std::size_t i = items.size(); i > 1; --i) {
    std::swap(items[i - 1], items[rng.below(static_cast<std::uint32_t>(i))]);
  }
}

// Tells two windows, and two ways of loading them, apart.
std::uint64_t fingerprint(const std::vector<Block>& spans, std::int64_t shuffle_rows) {
  std::uint64_t print = mix64(spans.size(), static_cast<std::uint64_t>(shuffle_rows));
  for (const Block& span : spans) {
    for (const char c : span.shard->path.filename().string()) {
      print = mix64(print, static_cast<unsigned char>(c));
    }
    print = mix64(print, static_cast<std::uint64_t>(span.first),
                  static_cast<std::uint64_t>(span.count));
  }
  return print;
}

}  // namespace

struct Window::Impl {
  Impl(fs::path shards, const TrainOptions& train_options, std::uint64_t window_seed,
       OnDamaged on_damaged)
      : options(train_options),
        seed(window_seed),
        catalog(std::move(shards), std::move(on_damaged)) {}

  // Where the shuffle stands: row `position` of load `load` of pass number `pass`.
  struct Place {
    std::uint64_t pass = 0;
    std::int64_t load = 0;
    std::size_t position = 0;
    std::uint64_t window = 0;  // fingerprint at the pass's begin
  };
  using Rows = std::shared_ptr<const std::vector<Sample>>;

  std::int64_t window_size() const {
    std::int64_t here = 0;
    for (const CatalogShard& shard : catalog.shards()) here += shard.rows;
    return std::min(here, window_rows(catalog.rows_total(), options));
  }
  std::vector<Block> spans() const { return newest(catalog.shards(), window_size()); }
  std::uint64_t pass_seed() const { return mix64(seed, place.pass); }

  void refresh() {
    if (catalog.refresh()) catalog_changed();
  }

  // Blocks point into the catalog. The pass goes on if it is about the window as it is now.
  void catalog_changed() {
    blocks.clear();
    planned = false;
    if (begun && place.window == fingerprint(spans(), options.shuffle_rows)) plan_pass();
  }

  void drop(const std::vector<std::pair<fs::path, std::string>>& damaged) {
    for (const auto& [path, reason] : damaged) catalog.drop(path, reason);
    if (!damaged.empty()) catalog_changed();
  }

  void plan_pass() {
    const std::vector<Block> stretches = spans();
    place.window = fingerprint(stretches, options.shuffle_rows);
    blocks = cut(stretches);
    shuffle(blocks, Rng(pass_seed()));
    const std::int64_t per_load = std::max<std::int64_t>(1, options.shuffle_rows / kShardBlockRows);
    loads = (std::ssize(blocks) + per_load - 1) / per_load;
    planned = true;
  }

  void begin_pass(std::uint64_t number) {
    place = {number, 0, 0, 0};
    rows.reset();
    begun = true;
    plan_pass();
  }

  // Makes rows[order[place.position]] the next row.
  void advance() {
    while (true) {
      if (!begun) {
        begin_pass(place.pass);
      } else if (!planned) {
        begin_pass(place.pass + 1);
      }
      if (blocks.empty()) throw Error(catalog.directory().string() + ": no rows to train on");
      if (rows && place.position < rows->size()) return;
      if (rows) {
        place.position = 0;
        if (++place.load == loads) {
          next_pass();
          continue;
        }
      }
      read_load();
    }
  }

  // After a whole pass over an unchanged window. A window of one load stays in memory.
  void next_pass() {
    const Rows whole = loads == 1 ? rows : nullptr;
    begin_pass(place.pass + 1);
    if (!whole) return;
    rows = whole;
    shuffle_rows();
  }

  void read_load() {
    std::vector<Block> wanted(blocks.begin() + std::ssize(blocks) * place.load / loads,
                              blocks.begin() + std::ssize(blocks) * (place.load + 1) / loads);
    std::ranges::sort(wanted, {}, [&](const Block& block) {
      return std::pair(block.shard - catalog.shards().data(), block.first);
    });
    auto fresh = std::make_shared<std::vector<Sample>>();
    std::vector<std::pair<fs::path, std::string>> damaged;
    for (auto first = wanted.begin(); first != wanted.end();) {
      auto last = std::find_if(first, wanted.end(),
                               [&](const Block& block) { return block.shard != first->shard; });
      if (auto reason = read_shard({first, last}, *fresh)) {
        damaged.emplace_back(first->shard->path, *reason);
      }
      first = last;
    }
    rows = std::move(fresh);
    shuffle_rows();
    drop(damaged);
  }

  // Appends these blocks, neighbours in one read. Returns why the shard cannot be used, if so; then
  // nothing is appended.
  static std::optional<std::string> read_shard(std::span<const Block> wanted,
                                               std::vector<Sample>& out) {
    const std::size_t before = out.size();
    try {
      const ShardReader reader(wanted.front().shard->path);
      for (std::size_t i = 0; i < wanted.size();) {
        const std::int64_t first = wanted[i].first;
        std::int64_t end = first;
        while (i < wanted.size() && wanted[i].first == end) end += wanted[i++].count;
        reader.read(first, end - first, out);
      }
      return std::nullopt;
    } catch (const Error& e) {
      out.resize(before);
      return e.what();
    }
  }

  void shuffle_rows() {
    order.resize(rows->size());
    std::iota(order.begin(), order.end(), 0U);
    shuffle(order, Rng(pass_seed(), 1 + static_cast<std::uint64_t>(place.load)));
  }

  SeenSample take() {
    advance();
    const Sample& sample = (*rows)[order[place.position]];
    const std::uint64_t chance =
        mix64(pass_seed(), static_cast<std::uint64_t>(place.load), place.position);
    ++place.position;
    const auto count = static_cast<std::uint64_t>(Symmetry::count(sample.features.size));
    return {&sample, Symmetry(static_cast<int>((chance >> 32) * count >> 32)),
            history_shown(static_cast<double>(chance & 0xFFFFFFFFU) / 0x1p32)};
  }

  // From u, uniform in [0, 1): the share of rows that show k moves and more is (1 - drop)^k.
  int history_shown(double u) const {
    int plies = 0;
    for (double share = 1 - options.history_drop; plies < kHistoryPlies && u < share; ++plies) {
      share *= 1 - options.history_drop;
    }
    return plies;
  }

  // `count` rows; `kept` holds the loads they lie in.
  std::vector<SeenSample> take(int count, std::vector<Rows>& kept) {
    std::vector<SeenSample> drawn;
    drawn.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      drawn.push_back(take());
      if (kept.empty() || kept.back() != rows) kept.push_back(rows);
    }
    return drawn;
  }

  TrainOptions options;
  std::uint64_t seed;
  ShardCatalog catalog;

  Place place;
  bool begun = false;         // a pass has begun: place.pass is its number
  bool planned = false;       // blocks and loads are those of place.pass
  std::vector<Block> blocks;  // of the pass, in its order
  std::int64_t loads = 0;
  Rows rows;                         // of the load
  std::vector<std::uint32_t> order;  // in which they are given out
};

Window::Window(fs::path shards, const TrainOptions& options, std::uint64_t seed,
               OnDamaged on_damaged)
    : impl_(std::make_unique<Impl>(std::move(shards), options, seed, std::move(on_damaged))) {
  impl_->refresh();
}
Window::~Window() = default;

std::int64_t Window::refresh() {
  impl_->refresh();
  return rows_total();
}

std::int64_t Window::rows_total() const {
  return impl_->catalog.rows_total();
}
std::int64_t Window::rows_in_window() const {
  return impl_->window_size();
}

std::optional<Window::OtherRules> Window::other_rules(std::string_view rule_set) const {
  for (const CatalogShard& shard : impl_->catalog.shards()) {
    for (const std::string& other : shard.rule_sets) {
      if (other != rule_set) return OtherRules{shard.path, other};
    }
  }
  return std::nullopt;
}

std::optional<fs::path> Window::other_features(FeatureSchema features) const {
  for (const CatalogShard& shard : impl_->catalog.shards()) {
    if (shard.features != features) return shard.path;
  }
  return std::nullopt;
}

std::vector<fs::path> Window::beyond(double windows) const {
  check(windows >= 1, "retention keeps the window");
  const auto kept = std::ceil(windows * static_cast<double>(rows_in_window()));
  const std::vector<CatalogShard>& shards = impl_->catalog.shards();
  const auto needed = newest(shards, static_cast<std::int64_t>(kept));
  std::vector<fs::path> paths;
  for (const CatalogShard& shard : shards) {
    if (needed.empty() || &shard == needed.back().shard) break;
    paths.push_back(shard.path);
  }
  return paths;
}

void Window::draw(int count, std::vector<Sample>& out) {
  std::vector<Impl::Rows> kept;
  for (const SeenSample& row : impl_->take(count, kept)) {
    out.push_back(transformed(*row.sample, row.symmetry));
    hide_history(out.back().features, row.history);
  }
}

void Window::draw(int count, Batch& out) {
  std::vector<Impl::Rows> kept;
  fill_batch(impl_->take(count, kept), out);
  out.window_state = state();
}

std::vector<Sample> Window::holdout(int count) const {
  std::vector<Sample> rows;
  std::vector<std::pair<fs::path, std::string>> damaged;
  const std::vector<CatalogShard>& shards = impl_->catalog.shards();
  for (auto shard = shards.rbegin(); shard != shards.rend(); ++shard) {
    const std::int64_t wanted =
        std::min<std::int64_t>(count - std::ssize(rows), shard->holdout_rows);
    if (wanted <= 0) continue;
    const Block block{&*shard, shard->rows, wanted};
    if (auto reason = Impl::read_shard({&block, 1}, rows)) {
      damaged.emplace_back(shard->path, *reason);
    }
  }
  impl_->drop(damaged);
  return rows;
}

std::string Window::state() const {
  const Impl::Place& place = impl_->place;
  return nlohmann::json{{"begun", impl_->begun},
                        {"pass", place.pass},
                        {"load", place.load},
                        {"position", place.position},
                        {"window", place.window},
                        {"rows_total", rows_total()},
                        {"newest_index", impl_->catalog.newest_index()}}
      .dump();
}

void Window::set_state(const std::string& state) {
  try {
    const nlohmann::json json = nlohmann::json::parse(state);
    impl_->catalog.restore_total(json.at("rows_total"), json.at("newest_index"));
    impl_->begun = json.at("begun");
    impl_->place = {json.at("pass"), json.at("load"), json.at("position"), json.at("window")};
  } catch (const nlohmann::json::exception& e) {
    throw Error(std::string("state of the window: ") + e.what());
  }
  impl_->rows.reset();
  impl_->catalog_changed();
  if (impl_->planned && (impl_->place.load < 0 || impl_->place.load >= impl_->loads)) {
    throw Error("state of the window: load: expected 0 to " + std::to_string(impl_->loads - 1) +
                ", found " + std::to_string(impl_->place.load));
  }
}

}  // namespace tengen
