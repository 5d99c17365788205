#include "rules/chunks.h"

#include "rules/check.h"

namespace tengen {

Chunks::Chunks(int threads) : chunks_(threads) {
  check(threads >= 1, "chunks need a thread");
  for (int chunk = 1; chunk < chunks_; ++chunk)
    threads_.emplace_back([this, chunk] { work(chunk); });
}

Chunks::~Chunks() {
  stop_ = true;
  ++round_;
  round_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Chunks::run_all() {
  if (chunks_ > 1) {
    busy_ = chunks_ - 1;
    ++round_;
    round_.notify_all();
  }
  run_chunk(0);
  for (int busy = busy_; busy != 0; busy = busy_) busy_.wait(busy);
}

void Chunks::run_chunk(int chunk) {
  const auto bound = [&](std::int64_t i) { return static_cast<int>(count_ * i / chunks_); };
  call_(job_, bound(chunk), bound(chunk + 1));
}

void Chunks::work(int chunk) {
  for (std::uint32_t seen = 0;;) {
    round_.wait(seen);
    ++seen;
    if (stop_) return;
    run_chunk(chunk);
    if (--busy_ == 0) busy_.notify_one();
  }
}

}  // namespace tengen
