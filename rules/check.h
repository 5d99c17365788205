#pragma once

#include <stdexcept>
#include <string>

namespace tengen {

// Bad input from outside: a file, a config, a command line, another program. The message names the
// place, what was expected and what was found. `main` prints it and exits with 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Bad usage: a wrong flag, an unknown config key, a value out of range. `main` exits with 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

[[noreturn]] void check_failed(const char* promise, const char* file, int line);

// Stops the program, also in release, when a promise of our own code is broken.
inline void check(bool holds, const char* promise, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE()) {
  if (!holds) [[unlikely]]
    check_failed(promise, file, line);
}

}  // namespace tengen
