#include "counted_new.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<int> count = 0;
}

void* operator new(std::size_t bytes) {
  ++count;
  if (void* const p = std::malloc(bytes)) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t bytes, std::align_val_t align) {
  ++count;
  const auto to = static_cast<std::size_t>(align);
  if (void* const p = std::aligned_alloc(to, (bytes + to - 1) / to * to)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept {
  std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
  std::free(p);
}
void operator delete(void* p, std::align_val_t) noexcept {
  std::free(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  std::free(p);
}

namespace tengen {

int allocations() {
  return count;
}

}  // namespace tengen
