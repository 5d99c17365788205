#include "train/loader.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "rules/check.h"

namespace tengen {
namespace {

constexpr std::size_t kAhead = 4;  // batches kept ready

}  // namespace

struct BatchLoader::Impl {
  Impl(Window& loader_window, int rows_per_batch, std::int64_t count)
      : window(loader_window), rows(rows_per_batch), remaining(count), given(window.state()) {}

  // The loader thread: fills empty batches until there are none to draw or it is told to stop.
  void fill() {
    for (std::int64_t left = remaining; left > 0; --left) {
      Batch batch;
      {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return stop || !empty.empty(); });
        if (stop) return;
        batch = std::move(empty.front());
        empty.pop_front();
      }
      try {
        window.draw(rows, batch);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        failure = std::current_exception();
        changed.notify_all();
        return;
      }
      const std::scoped_lock lock(mutex);
      ready.push_back(std::move(batch));
      changed.notify_all();
    }
  }

  // Batches drawn before a failure are given first.
  void take_ready() {
    std::unique_lock lock(mutex);
    empty.push_back(std::move(current));
    changed.notify_all();
    changed.wait(lock, [&] { return !ready.empty() || failure; });
    if (ready.empty()) std::rethrow_exception(failure);
    current = std::move(ready.front());
    ready.pop_front();
  }

  Window& window;
  const int rows;
  std::int64_t remaining;  // batches that next() has still to give
  std::string given;       // where the window stood after the last of them
  Batch current;           // the caller's
  std::thread thread;

  std::mutex mutex;  // guards what follows
  std::condition_variable changed;
  std::deque<Batch> empty;
  std::deque<Batch> ready;
  std::exception_ptr failure;
  bool stop = false;
};

BatchLoader::BatchLoader(Window& window, int rows, std::int64_t batches)
    : impl_(std::make_unique<Impl>(window, rows, batches)) {
  check(rows >= 1, "a batch has rows");
  impl_->empty.resize(kAhead);
  impl_->thread = std::thread([impl = impl_.get()] { impl->fill(); });
}

BatchLoader::~BatchLoader() {
  {
    const std::scoped_lock lock(impl_->mutex);
    impl_->stop = true;
    impl_->changed.notify_all();
  }
  impl_->thread.join();
  if (impl_->window.state() != impl_->given) impl_->window.set_state(impl_->given);
}

const Batch& BatchLoader::next() {
  Impl& impl = *impl_;
  check(impl.remaining > 0, "a loader is asked for the batches it was made for");
  impl.take_ready();
  impl.given = impl.current.window_state;
  --impl.remaining;
  return impl.current;
}

}  // namespace tengen
