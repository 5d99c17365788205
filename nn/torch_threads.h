#pragma once

namespace tengen {

// Sets the number of LibTorch's threads for work that the calling thread starts on the CPU, while
// it lives.
class TorchThreads {
 public:
  explicit TorchThreads(int threads);
  ~TorchThreads();
  TorchThreads(const TorchThreads&) = delete;
  TorchThreads& operator=(const TorchThreads&) = delete;
  // How many there were before.
  int before() const { return before_; }

 private:
  int before_;
};

}  // namespace tengen
