#include "rules/check.h"

#include <cstdio>
#include <cstdlib>

namespace tengen {

void check_failed(const char* promise, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: broken promise: %s\n", file, line, promise);
  std::abort();
}

}  // namespace tengen
