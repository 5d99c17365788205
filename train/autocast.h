#pragma once

#include <memory>

namespace tengen {

// While it lives, this thread's forward passes on the CPU and the GPU compute convolutions and
// matrix products in bf16 if `on`, in fp32 if not; weights are cast once and the cast copies
// dropped at the end. Restores what was before.
class Autocast {
 public:
  Autocast(bool on, bool on_gpu);
  ~Autocast();
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

 private:
  struct Before;
  std::unique_ptr<Before> before_;
};

}  // namespace tengen
