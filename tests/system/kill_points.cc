// A library to preload into the program: it kills the program, as kill -9 does, at a named point of
// its work on files. A point is "<before|torn|after> <write|fsync|rename> <file>", the file
// relative to KILL_POINTS_ROOT with every run of digits or of hexadecimal ones as '#', for a rename
// its new name. "torn" is a write of the first half of the bytes. Nothing outside of the root is a
// point.
//
//   KILL_POINTS_LOG  a file that gets a line for every point that is passed
//   KILL_POINT       the point, KILL_POINT_PASSES how often it is passed before (0)

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>

namespace {

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string path_of(int file) {
  char path[PATH_MAX];
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  const ssize_t size = ::readlink(link.c_str(), path, sizeof path);
  return size > 0 ? std::string(path, static_cast<std::size_t>(size)) : "";
}

// "" for a file that is not under the root.
std::string name_of(const std::string& path) {
  const std::string root = setting("KILL_POINTS_ROOT");
  if (root.empty() || !path.starts_with(root)) return "";
  std::string_view rest = std::string_view(path).substr(root.size());
  std::string name;
  while (!rest.empty()) {
    std::size_t length = 0;
    bool has_digit = false;
    for (; length < rest.size() && std::isxdigit(static_cast<unsigned char>(rest[length]));
         ++length) {
      has_digit = has_digit || std::isdigit(static_cast<unsigned char>(rest[length]));
    }
    // Words such as "face" and the 5 of ".h5" are no numbers.
    if (has_digit && !name.ends_with("h")) {
      name += '#';
    } else {
      length = std::max<std::size_t>(length, 1);
      name += rest.substr(0, length);
    }
    rest.remove_prefix(length);
  }
  return name;
}

// Whether the program is to die here.
bool passes(const char* when, const char* what, const std::string& name) {
  static std::mutex mutex;
  static int left = std::atoi(setting("KILL_POINT_PASSES").c_str());
  const std::string point = std::string(when) + " " + what + " " + name;
  const std::lock_guard lock(mutex);
  if (const std::string log = setting("KILL_POINTS_LOG"); !log.empty()) {
    const std::string line = point + "\n";
    const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    ::syscall(SYS_write, file, line.data(), line.size());
    ::close(file);
  }
  return point == setting("KILL_POINT") && left-- == 0;
}

void die() {
  ::kill(::getpid(), SIGKILL);
  while (true) ::pause();
}

// Does what it is about between its points.
template <class Act>
auto between(const char* what, const std::string& path, Act act) {
  const std::string name = name_of(path);
  if (name.empty()) return act();
  if (passes("before", what, name)) die();
  const auto result = act();
  const int error = errno;
  if (passes("after", what, name)) die();
  errno = error;
  return result;
}

}  // namespace

extern "C" {

ssize_t write(int file, const void* bytes, std::size_t size) {
  static auto* const next = real<ssize_t(int, const void*, std::size_t)>("write");
  if (file <= 2) return next(file, bytes, size);
  const std::string path = path_of(file), name = name_of(path);
  if (!name.empty() && size > 1 && passes("torn", "write", name)) {
    next(file, bytes, size / 2);
    die();
  }
  return between("write", path, [&] { return next(file, bytes, size); });
}

ssize_t pwrite(int file, const void* bytes, std::size_t size, off_t at) {
  static auto* const next = real<ssize_t(int, const void*, std::size_t, off_t)>("pwrite");
  return between("write", path_of(file), [&] { return next(file, bytes, size, at); });
}
ssize_t pwrite64(int file, const void* bytes, std::size_t size, off64_t at) {
  return pwrite(file, bytes, size, at);
}

int fsync(int file) {
  static auto* const next = real<int(int)>("fsync");
  return between("fsync", path_of(file), [&] { return next(file); });
}

int rename(const char* from, const char* to) {
  static auto* const next = real<int(const char*, const char*)>("rename");
  return between("rename", to, [&] { return next(from, to); });
}

}  // extern "C"
