#include "selfplay/durable.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "rules/check.h"

namespace tengen {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& what) {
  throw Error(path.string() + ": " + what + ": " + std::strerror(errno));
}

void sync(const std::filesystem::path& path, int flags) {
  const int file = ::open(path.c_str(), flags | O_CLOEXEC);
  if (file < 0) refuse(path, "cannot open");
  const int failed = ::fsync(file);
  const int reason = errno;
  ::close(file);
  errno = reason;
  // Some network file systems cannot sync a directory; their renames are durable on their own.
  if (failed != 0 && !((flags & O_DIRECTORY) != 0 && reason == EINVAL)) refuse(path, "cannot sync");
}

}  // namespace

std::filesystem::path temporary_name(const std::filesystem::path& path) {
  return path.string() + "." + std::to_string(::getpid()) + ".tmp";
}

void publish(const std::filesystem::path& temporary, const std::filesystem::path& path) {
  sync(temporary, O_RDONLY);
  if (::rename(temporary.c_str(), path.c_str()) != 0) refuse(path, "cannot rename to");
  const auto directory = path.parent_path();
  sync(directory.empty() ? std::filesystem::path(".") : directory, O_RDONLY | O_DIRECTORY);
}

}  // namespace tengen
