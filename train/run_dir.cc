#include "train/run_dir.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <fstream>
#include <thread>

#include "rules/durable_file.h"

namespace tengen {

namespace fs = std::filesystem;

void create_run_directory(const fs::path& directory) {
  make_directories(directory);
  if (!fs::is_directory(directory)) throw Error(directory.string() + ": not a directory");
  if (::access(directory.c_str(), W_OK | X_OK) != 0)
    throw_errno(directory, "one cannot write in it");
}

std::string host_name() {
  char name[256] = {};
  if (::gethostname(name, sizeof(name) - 1) != 0 || name[0] == 0) return "unknown";
  return name;
}

std::string utc_time() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

namespace {

// Tries for half a second: run_lock_holder of another process touches the lock for an instant.
bool lock_soon(int file) {
  for (int tries = 0; tries < 10; ++tries) {
    if (::flock(file, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  errno = EWOULDBLOCK;
  return false;
}

}  // namespace

RunLock::RunLock(const fs::path& directory, const std::string& part) {
  const fs::path path = directory / (part + ".lock");
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) throw_errno(path, "cannot be opened");
  if (!lock_soon(file_)) {
    const int reason = errno;
    ::close(file_);
    errno = reason;
    if (reason != EWOULDBLOCK) throw_errno(path, "cannot be locked");
    const std::string holder = run_lock_holder(directory, part);
    throw Error(directory.string() + ": already in use by a run (" +
                (holder.empty() ? "unknown" : holder) + "); wait for it, or stop it with: touch " +
                (directory / "STOP").string());
  }
  if (::ftruncate(file_, 0) != 0) throw_errno(path, "cannot be written");
  write_all(
      file_, path,
      "pid " + std::to_string(::getpid()) + " on " + host_name() + ", since " + utc_time() + "\n");
}

RunLock::~RunLock() {
  // The file stays: to remove it would let two processes lock two files of one name.
  [[maybe_unused]] const int ignored = ::ftruncate(file_, 0);
  ::close(file_);
}

std::string run_lock_holder(const fs::path& directory, const std::string& part) {
  const fs::path path = directory / (part + ".lock");
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return "";
  const bool held = ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  if (!held) return "";
  std::string text = read_file(path);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() ? "starting" : text;
}

std::vector<std::string> parts_at_work(const fs::path& directory) {
  std::vector<std::string> parts;
  for (const auto& entry : fs::directory_iterator(directory)) {
    const std::string part = entry.path().stem().string();
    const bool is_part =
        part == "run" || part == "train" || part == "gate" || part.starts_with("selfplay-");
    if (!is_part || entry.path().extension() != ".lock") continue;
    if (!run_lock_holder(directory, part).empty()) parts.push_back(part);
  }
  std::ranges::sort(parts);
  return parts;
}

FileLock::FileLock(const fs::path& path) {
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) throw_errno(path, "cannot be opened");
  while (::flock(file_, LOCK_EX) != 0) {
    if (errno == EINTR) continue;
    const int reason = errno;
    ::close(file_);
    errno = reason;
    throw_errno(path, "cannot be locked");
  }
}

FileLock::~FileLock() {
  ::close(file_);
}

}  // namespace tengen
