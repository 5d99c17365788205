// write_metrics DIRECTORY START STEPS: a start of a run that records STEPS steps, for
// tensorboard_reads_metrics.py.

#include <cstdlib>

#include "train/metrics.h"

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const int first = std::atoi(argv[2]);
  tengen::Metrics metrics(argv[1]);
  for (int step = first; step < first + std::atoi(argv[3]); ++step) {
    metrics.add("train", step, {{"loss", 4.0 / (1 + step)}, {"net", "b3c32"}});
    metrics.add("selfplay", step, {{"games", 100 * step}});
  }
}
