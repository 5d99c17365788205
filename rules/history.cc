#include "rules/history.h"

#include <algorithm>

namespace tengen {

History::History(const History& other)
    : older_(other.older_), used_(other.used_), filter_(other.filter_) {
  std::copy_n(other.recent_.begin(), used_, recent_.begin());
}

History& History::operator=(const History& other) {
  if (this == &other) return *this;
  older_ = other.older_;
  used_ = other.used_;
  filter_ = other.filter_;
  std::copy_n(other.recent_.begin(), used_, recent_.begin());
  return *this;
}

void History::seal() {
  auto block = std::make_shared<Block>();
  block->keys = recent_;
  block->older = older_.get();
  block->owned_older = std::move(older_);
  older_ = std::move(block);
  used_ = 0;
}

int History::count(std::uint64_t hash) const {
  if (!has(hash)) return 0;
  auto n = std::count(recent_.begin(), recent_.begin() + used_, hash);
  for (const PastBlock* block = older_.get(); block != nullptr; block = block->older) {
    n += std::ranges::count(block->keys, hash);
  }
  return static_cast<int>(n);
}

bool History::search(std::uint64_t hash) const {
  const auto end = recent_.begin() + used_;
  if (std::find(recent_.begin(), end, hash) != end) return true;
  for (const PastBlock* block = older_.get(); block != nullptr; block = block->older) {
    if (std::ranges::find(block->keys, hash) != block->keys.end()) return true;
  }
  return false;
}

History::Room History::room() {
  if (used_ == PastBlock::kKeys) seal();
  return {recent_.data(), filter_.data(), PastBlock::kKeys};
}

}  // namespace tengen
