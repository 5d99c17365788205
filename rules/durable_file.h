#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "rules/check.h"

namespace tengen {

// Files and directories that are there complete or not at all, also after kill -9 or a power cut.
// All throw Error naming the path and the system's reason.

// Writes a file of these bytes, of `parts` one after another, under a draft's name and publishes
// it. Replaces what was there.
void write_durable(const std::filesystem::path& path, std::string_view bytes);
void write_durable(const std::filesystem::path& path, std::span<const std::string_view> parts);

// Throws what write_durable would throw for this place now, and leaves nothing there: for saying so
// before the work and not after it.
void require_writable(const std::filesystem::path& path);

// Makes a directory and those above it where they are not there.
void make_directories(const std::filesystem::path& path);

// Renames, and makes the rename last: fsyncs the directories that hold the two names.
void rename_durable(const std::filesystem::path& from, const std::filesystem::path& to);

// Something under construction beside `target`, which appears there when it is published. The owner
// makes a file or a directory at path(), in any way; a directory's files by write_durable.
class Draft {
 public:
  // Refuses a target that is a device, a pipe or a socket: a rename would replace it by a file.
  explicit Draft(std::filesystem::path target);
  // Removes what was not published.
  ~Draft();
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  // ".<name of target>.<16 hex digits>.tmp", in the same directory; no other draft has this name.
  const std::filesystem::path& path() const { return path_; }
  // fsyncs what is at path() and renames it durably to the target. Once, last.
  void publish();

 private:
  std::filesystem::path target_;
  std::filesystem::path path_;
};

// Removes the drafts that a kill left in a directory: those of the targets that `is_ours` takes, by
// name. Requires that nobody else writes these.
void remove_drafts(const std::filesystem::path& directory,
                   const std::function<bool(std::string_view)>& is_ours);

// The bytes of a whole file. Also throws for a directory.
std::string read_file(const std::filesystem::path& path);

// Writes all bytes to an open file, the path of which is for the error.
void write_all(int file, const std::filesystem::path& path, std::string_view bytes);
// The file system is full or read-only, or a quota is used up: who can wait may try again.
class NoRoomError : public Error {
 public:
  using Error::Error;
};
// Throws Error "path: what: reason", with the reason of errno; NoRoomError where that is it.
[[noreturn]] void throw_errno(const std::filesystem::path& path, const std::string& what);

}  // namespace tengen
