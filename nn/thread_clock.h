#pragma once

#include <ctime>

namespace tengen {

// Seconds of CPU that the calling thread has used: what a busy machine does not distort.
inline double thread_cpu_s() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace tengen
