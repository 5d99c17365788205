#pragma once

#include <string>
#include <string_view>

namespace tengen {

// What this program is, and what it runs on.
std::string_view version();    // "0.1.0"
std::string_view git_hash();   // of the source at the last build, "1a2b3c4d5e6f" or
                               // "1a2b3c4d5e6f-dirty"; "unknown" outside a repository
std::string processor_name();  // "Intel(R) Xeon(R) ...", "unknown" if the system does not say

}  // namespace tengen
