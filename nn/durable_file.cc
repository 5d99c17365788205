#include "nn/durable_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "rules/check.h"

namespace tengen {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* what) {
  throw Error(path.string() + ": cannot " + what + ": " + std::strerror(errno));
}

// Closes what it opened.
class File {
 public:
  File(const std::filesystem::path& path, int flags)
      : path_(path), descriptor_(::open(path.c_str(), flags | O_CLOEXEC, 0644)) {
    if (descriptor_ < 0) fail(path_, "open");
  }
  ~File() { ::close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) fail(path_, "write");
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void sync() {
    if (::fsync(descriptor_) != 0) fail(path_, "fsync");
  }

 private:
  const std::filesystem::path& path_;
  int descriptor_;
};

}  // namespace

std::filesystem::path temporary_beside(const std::filesystem::path& path) {
  std::string name = ".";
  name.append(path.filename().string()).append(".").append(std::to_string(::getpid()));
  return path.parent_path() / name.append(".tmp");
}

void rename_durable(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) fail(to, "rename into place");
  const std::filesystem::path folder = std::filesystem::absolute(to).parent_path();
  File(folder, O_RDONLY | O_DIRECTORY).sync();
}

void write_durable(const std::filesystem::path& path, std::span<const std::string_view> parts) {
  const std::filesystem::path temporary = temporary_beside(path);
  try {
    File file(temporary, O_WRONLY | O_CREAT | O_TRUNC);
    for (const std::string_view part : parts) file.write(part);
    file.sync();
  } catch (const Error&) {
    ::unlink(temporary.c_str());
    throw;
  }
  rename_durable(temporary, path);
}

}  // namespace tengen
