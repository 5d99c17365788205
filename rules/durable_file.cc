#include "rules/durable_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "rules/check.h"

namespace tengen {

namespace fs = std::filesystem;

namespace {

constexpr const char* kNotWritten = "cannot be written";
constexpr const char* kNotRead = "cannot be read";

// Closes what it opened. Errors name `path`, the place that the bytes are meant for, and `failure`.
class Descriptor {
 public:
  Descriptor(const fs::path& file, int flags, const fs::path& path,
             const char* failure = kNotWritten)
      : path_(path), failure_(failure), file_(::open(file.c_str(), flags | O_CLOEXEC, 0666)) {
    if (file_ < 0) throw_errno(path_, failure_);
  }
  ~Descriptor() {
    if (file_ >= 0) ::close(file_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  // Reads up to as many bytes; how many, 0 at the end.
  std::size_t read(std::span<char> bytes) {
    while (true) {
      const ssize_t count = ::read(file_, bytes.data(), bytes.size());
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR) throw_errno(path_, failure_);
    }
  }
  void write(std::string_view bytes) { write_all(file_, path_, bytes); }
  // Some network file systems cannot sync a directory; their renames last on their own.
  void sync() {
    if (::fsync(file_) != 0 && errno != EINVAL && errno != ENOTSUP) throw_errno(path_, failure_);
  }
  void close() {
    if (::close(std::exchange(file_, -1)) != 0) throw_errno(path_, failure_);
  }

 private:
  const fs::path& path_;
  const char* failure_;
  int file_;
};

std::string random_name() {
  std::random_device chance;
  char text[17];
  std::snprintf(text, sizeof text, "%08x%08x", chance(), chance());
  return text;
}

// Name of the target of a draft (Draft::path); "" for other files.
std::string target_of(const fs::path& path) {
  const std::string name = path.filename().string();
  constexpr std::size_t kAround = std::string_view("..0123456789abcdef.tmp").size();
  if (name.size() <= kAround || !name.starts_with(".") || !name.ends_with(".tmp")) return "";
  return name.substr(1, name.size() - kAround);
}

fs::path directory_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

}  // namespace

void throw_errno(const fs::path& path, const std::string& what) {
  const int error = errno;
  const std::string text = path.string() + ": " + what + ": " + std::strerror(error);
  if (error == ENOSPC || error == EDQUOT || error == EROFS) throw NoRoomError(text);
  throw Error(text);
}

std::string read_file(const fs::path& path) {
  Descriptor file(path, O_RDONLY, path, kNotRead);
  std::string bytes;
  std::vector<char> block(1 << 16);
  while (const std::size_t count = file.read(block)) bytes.append(block.data(), count);
  return bytes;
}

void write_all(int file, const fs::path& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_errno(path, kNotWritten);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

Draft::Draft(fs::path target) : target_(std::move(target)) {
  std::error_code ignored;
  if (fs::is_other(target_, ignored)) {
    throw Error(target_.string() + ": expected a file, found a device, pipe or socket");
  }
  path_ =
      target_.parent_path() / ("." + target_.filename().string() + "." + random_name() + ".tmp");
}

Draft::~Draft() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void Draft::publish() {
  Descriptor(path_, O_RDONLY, target_).sync();
  rename_durable(path_, target_);
}

void make_directories(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw Error(path.string() + ": cannot be created: " + error.message());
}

void rename_durable(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) throw_errno(to, kNotWritten);
  const fs::path after = directory_of(to), before = directory_of(from);
  Descriptor(after, O_RDONLY | O_DIRECTORY, to).sync();
  if (before != after) Descriptor(before, O_RDONLY | O_DIRECTORY, from).sync();
}

void write_durable(const fs::path& path, std::span<const std::string_view> parts) {
  Draft draft(path);
  Descriptor file(draft.path(), O_WRONLY | O_CREAT | O_EXCL, path);
  for (const std::string_view part : parts) file.write(part);
  file.close();
  draft.publish();
}

void write_durable(const fs::path& path, std::string_view bytes) {
  write_durable(path, std::span(&bytes, 1));
}

void require_writable(const fs::path& path) {
  if (fs::is_directory(path)) throw Error(path.string() + ": a directory, not a file");
  const Draft draft(path);
  Descriptor(draft.path(), O_WRONLY | O_CREAT | O_EXCL, path).close();
}

void remove_drafts(const fs::path& directory,
                   const std::function<bool(std::string_view)>& is_ours) {
  try {
    std::vector<fs::path> drafts;
    for (const auto& entry : fs::directory_iterator(directory)) {
      const std::string target = target_of(entry.path());
      if (!target.empty() && is_ours(target)) drafts.push_back(entry.path());
    }
    for (const fs::path& draft : drafts) fs::remove_all(draft);
  } catch (const fs::filesystem_error& error) {
    throw Error(error.path1().string() + ": cannot be cleaned: " + error.code().message());
  }
}

}  // namespace tengen
