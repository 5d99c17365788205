#pragma once

#include <filesystem>
#include <string>

namespace tengen {

// Files appear complete or not at all: write `temporary_name(path)`, then publish. Both throw Error
// that names the file and the system's reason.

// "<path>.<process>.tmp", beside `path`; what a killed process leaves ends in .tmp.
std::filesystem::path temporary_name(const std::filesystem::path& path);
// fsyncs `temporary`, renames it to `path` and fsyncs the directory.
void publish(const std::filesystem::path& temporary, const std::filesystem::path& path);

}  // namespace tengen
