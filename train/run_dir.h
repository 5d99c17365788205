#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "rules/check.h"

namespace tengen {

// Creates a directory and its parents, and makes sure that one can write in it. Throws Error.
void create_run_directory(const std::filesystem::path& directory);

std::string host_name();
std::string utc_time();  // "2026-11-30T07:28:03Z", now

// Holds a part of a run directory for this process while it lives: "run" is the whole loop. The
// lock is the kernel's (flock on <directory>/<part>.lock), so a process that died, however it died,
// holds nothing; the file's text says who does: "pid 4711 on host, since 2026-11-30T07:28:03Z".
class RunLock {
 public:
  // Throws Error naming the directory, pid, host and start of the run that holds it.
  explicit RunLock(const std::filesystem::path& directory, const std::string& part = "run");
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int file_;
};
// Who holds the part, as the lock's text says; empty if nobody does.
std::string run_lock_holder(const std::filesystem::path& directory,
                            const std::string& part = "run");
// The parts that are held now, in order of their names.
std::vector<std::string> parts_at_work(const std::filesystem::path& directory);

// Keeps other processes, and other FileLocks of this one, from the same file while it lives: for a
// moment's work on what several may write at once. Waits for its turn; a process that dies holds
// nothing.
class FileLock {
 public:
  // Makes the file if it is not there. Throws Error.
  explicit FileLock(const std::filesystem::path& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int file_;
};

}  // namespace tengen
