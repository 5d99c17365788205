#pragma once

#include <string>
#include <vector>

namespace tengen {

// What LibTorch is and sees.
std::string torch_version();              // "2.11.0"
std::string cuda_version();               // of its runtime, "13.0"; "none" without a GPU
std::vector<std::string> device_names();  // "cuda:0", ...; "cpu" if there is no GPU
std::string best_device();                // "cuda:0" if there is one, else "cpu"

// The devices that evaluator.device means: "auto" the best one, "cuda" the first GPU, "all" every
// GPU. UsageError, which names those there are, for one that this machine has not.
std::vector<std::string> resolve_devices(const std::string& device);
std::string resolve_device(const std::string& device);  // the first of them

// Threads that LibTorch uses for work that the calling thread starts on the CPU.
void set_torch_threads(int threads);

}  // namespace tengen
