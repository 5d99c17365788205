#pragma once

#include <filesystem>
#include <iosfwd>

namespace tengen {

// `tengen status`: one screen that says what a run is, where it stands and whether it is learning.
// Reads files only, also of a live run. Returns the exit code; throws Error if `directory` is no
// run.
int print_status(const std::filesystem::path& directory, std::ostream& out);

}  // namespace tengen
