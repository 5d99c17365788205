#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace tengen {

// A few threads that each do one chunk of the same job, again and again. run() allocates nothing.
class Chunks {
 public:
  explicit Chunks(int threads);  // >= 1, the caller's included
  ~Chunks();
  Chunks(const Chunks&) = delete;
  Chunks& operator=(const Chunks&) = delete;

  // Calls job(begin, end) for every chunk of 0 ... count - 1, one a thread, and waits for all of
  // them. One caller at a time; the job may not throw.
  template <class Job>
  void run(int count, Job& job) {
    call_ = [](void* j, int begin, int end) { (*static_cast<Job*>(j))(begin, end); };
    job_ = &job;
    count_ = count;
    run_all();
  }

 private:
  void run_all();
  void run_chunk(int chunk);
  void work(int chunk);

  int chunks_;
  void (*call_)(void*, int, int) = nullptr;
  void* job_ = nullptr;
  int count_ = 0;
  std::atomic<std::uint32_t> round_ = 0;  // a new one tells the threads to begin
  std::atomic<int> busy_ = 0;
  std::atomic<bool> stop_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace tengen
