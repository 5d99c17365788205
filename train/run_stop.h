#pragma once

namespace tengen {

// Catches SIGINT and SIGTERM while it lives: the first asks for a clean stop, the second ends the
// process at once with exit code 130. One at a time.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  static bool requested();
};

}  // namespace tengen
