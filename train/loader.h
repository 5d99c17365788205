#pragma once

#include <cstdint>
#include <memory>

#include "train/batch.h"
#include "train/window.h"

namespace tengen {

// Draws batches from a window ahead of the steps that use them. While it lives the window is its
// own.
class BatchLoader {
 public:
  // Gives `batches` batches of `rows` rows. A thread of its own keeps a few ready; the window's
  // on_damaged is called on it.
  BatchLoader(Window& window, int rows, std::int64_t batches);
  // Stops the thread. The window then stands just after the last batch given, however far the
  // thread had come.
  ~BatchLoader();

  // The next batch, valid until the call after. Requires that fewer than `batches` were given.
  // What the window throws is thrown here.
  const Batch& next();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tengen
