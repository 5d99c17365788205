#include "train/run_dir.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <fstream>
#include <sstream>
#include <thread>

namespace tengen {

namespace fs = std::filesystem;

void throw_errno(const fs::path& path, const std::string& what) {
  const std::string reason = std::strerror(errno);
  throw Error(path.string() + ": " + what + ": " + reason);
}

void write_all(int file, const fs::path& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_errno(path, "cannot be written");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

namespace {

// Makes a rename in the directory last. Some file systems refuse to sync directories; they keep
// order themselves.
void sync_directory(const fs::path& directory) {
  const int file = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  ::fsync(file);
  ::close(file);
}

// Writes, syncs and closes; reports by errno.
bool write_synced(int file, const fs::path& path, std::string_view text) {
  try {
    write_all(file, path, text);
  } catch (const Error&) {
    ::close(file);
    return false;
  }
  const bool synced = ::fsync(file) == 0;
  return ::close(file) == 0 && synced;
}

}  // namespace

void write_file_atomically(const fs::path& path, std::string_view text) {
  const std::string stem = path.string() + "." + host_name() + "-" + std::to_string(::getpid());
  fs::path temporary;
  int file = -1;
  for (int n = 0; file < 0; ++n) {
    temporary = stem + "-" + std::to_string(n) + ".tmp";
    file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno != EEXIST) throw_errno(path, "cannot be written");
  }
  if (!write_synced(file, path, text) || ::rename(temporary.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    ::unlink(temporary.c_str());
    errno = reason;
    throw_errno(path, "cannot be written");
  }
  sync_directory(path.has_parent_path() ? path.parent_path() : fs::path("."));
}

std::string read_text(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) throw Error(path.string() + ": a directory, not a file");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw_errno(path, "cannot be read");
  std::ostringstream text;
  text << stream.rdbuf();
  if (stream.bad()) throw_errno(path, "cannot be read");
  return text.str();
}

void create_run_directory(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) throw Error(directory.string() + ": cannot be created: " + error.message());
  if (!fs::is_directory(directory)) throw Error(directory.string() + ": not a directory");
  if (::access(directory.c_str(), W_OK | X_OK) != 0)
    throw_errno(directory, "one cannot write in it");
}

std::string host_name() {
  char name[256] = {};
  if (::gethostname(name, sizeof(name) - 1) != 0 || name[0] == 0) return "unknown";
  return name;
}

std::string processor_name() {
  std::ifstream stream("/proc/cpuinfo");
  for (std::string line; std::getline(stream, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
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
  std::string text = read_text(path);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() ? "starting" : text;
}

}  // namespace tengen
