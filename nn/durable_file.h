#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace tengen {

// Writes `parts` one after another: into a temporary file beside `path` (its name ends in ".tmp"),
// fsynced, renamed, the folder fsynced. So the file is complete or as before. Throws Error naming
// the file and the system's reason.
void write_durable(const std::filesystem::path& path, std::span<const std::string_view> parts);

// Renames `from` to `to` and fsyncs the folder that holds `to`. Throws Error.
void rename_durable(const std::filesystem::path& from, const std::filesystem::path& to);

// A name beside `path` that no other process uses; it begins with '.' and ends in ".tmp".
std::filesystem::path temporary_beside(const std::filesystem::path& path);

}  // namespace tengen
