#include "rules/history.h"

#include <algorithm>

namespace tengen {

History::History(const History& other)
    : older_(other.older_), used_(other.used_), bloom_(other.bloom_) {
  std::copy_n(other.recent_.begin(), used_, recent_.begin());
}

History& History::operator=(const History& other) {
  if (this == &other) return *this;
  older_ = other.older_;
  used_ = other.used_;
  bloom_ = other.bloom_;
  std::copy_n(other.recent_.begin(), used_, recent_.begin());
  return *this;
}

void History::seal() {
  auto block = std::make_shared<Block>();
  block->older = std::move(older_);
  block->hashes = recent_;
  older_ = std::move(block);
  used_ = 0;
}

bool History::search(std::uint64_t hash) const {
  const auto end = recent_.begin() + used_;
  if (std::find(recent_.begin(), end, hash) != end) return true;
  for (const Block* block = older_.get(); block != nullptr; block = block->older.get()) {
    if (std::ranges::find(block->hashes, hash) != block->hashes.end()) return true;
  }
  return false;
}

}  // namespace tengen
