#pragma once

#include <cstdint>
#include <string>

#include "nn/network.h"

namespace c10 {
enum class ScalarType : std::int8_t;
}

namespace tengen {

// "fp32", "bf16" or "fp16"; throws UsageError for another.
c10::ScalarType scalar_type(const std::string& precision);

// A copy of the network on the device: convolutions in `type` and channels last, matrices of pooled
// vectors in fp32. Throws c10::Error if the device fails.
Network weights_on(const Network& network, const std::string& device, c10::ScalarType type);

}  // namespace tengen
