#include "train/run_stop.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

namespace tengen {

namespace {

std::atomic<bool> stop_requested{false};

void on_signal(int) {
  if (stop_requested.exchange(true)) _exit(130);
}

}  // namespace

StopSignals::StopSignals() {
  stop_requested = false;
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

StopSignals::~StopSignals() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool StopSignals::requested() {
  return stop_requested;
}

}  // namespace tengen
