#include "nn/split_evaluator.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "rules/check.h"

namespace tengen {

namespace {

constexpr std::size_t kLeastShare = 16;  // fewer rows are not worth a thread

}  // namespace

// A thread that evaluates one share at a time.
struct SplitEvaluator::Worker {
  explicit Worker(Evaluator& evaluator)
      : thread([this, &evaluator](const std::stop_token& stop) { serve(evaluator, stop); }) {}

  void start(std::span<const EvaluationInput> in, std::span<Evaluation> out) {
    {
      const std::lock_guard lock(mutex);
      inputs = in;
      outputs = out;
      busy = true;
    }
    changed.notify_all();
  }

  void wait() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return !busy; });
  }

  void serve(Evaluator& evaluator, const std::stop_token& stop) {
    std::unique_lock lock(mutex);
    while (changed.wait(lock, stop, [this] { return busy; })) {
      lock.unlock();
      try {
        evaluator.evaluate(inputs, outputs);
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      busy = false;
      changed.notify_all();
    }
  }

  std::mutex mutex;
  std::condition_variable_any changed;
  // Guarded by mutex, and while busy the worker's alone.
  std::span<const EvaluationInput> inputs;
  std::span<Evaluation> outputs;
  std::exception_ptr failure;
  bool busy = false;
  std::jthread thread;  // last: it uses the members above
};

SplitEvaluator::SplitEvaluator(std::vector<std::shared_ptr<Evaluator>> parts)
    : parts_(std::move(parts)) {
  check(!parts_.empty(), "at least one part");
  for (std::size_t i = 1; i < parts_.size(); ++i) {
    workers_.push_back(std::make_unique<Worker>(*parts_[i]));
  }
}

SplitEvaluator::~SplitEvaluator() = default;

void SplitEvaluator::evaluate(std::span<const EvaluationInput> inputs,
                              std::span<Evaluation> outputs) {
  check(inputs.size() == outputs.size(), "one output per input");
  // Whole batches if there are enough of them, else equal shares.
  const auto even = (inputs.size() + parts_.size() - 1) / parts_.size();
  const auto unit = std::min(static_cast<std::size_t>(batch_size()), std::max(even, kLeastShare));
  const auto units = (inputs.size() + unit - 1) / unit;
  const auto share = (units + parts_.size() - 1) / parts_.size() * unit;
  std::size_t started = 0;
  for (std::size_t first = share; first < inputs.size(); first += share, ++started) {
    const auto count = std::min(share, inputs.size() - first);
    workers_[started]->start(inputs.subspan(first, count), outputs.subspan(first, count));
  }
  std::exception_ptr failure;
  try {
    const auto count = std::min(share, inputs.size());
    parts_[0]->evaluate(inputs.first(count), outputs.first(count));
  } catch (...) {
    failure = std::current_exception();
  }
  for (std::size_t i = 0; i < started; ++i) {
    workers_[i]->wait();
    if (auto theirs = std::exchange(workers_[i]->failure, nullptr)) failure = theirs;
  }
  if (failure) std::rethrow_exception(failure);
}

int SplitEvaluator::batch_size() const {
  return parts_[0]->batch_size();
}

FeatureSchema SplitEvaluator::features() const {
  return parts_.front()->features();
}
std::string SplitEvaluator::id() const {
  return parts_[0]->id();
}

}  // namespace tengen
