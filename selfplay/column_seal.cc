#include <fcntl.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <span>

#include "rules/hash.h"
#include "selfplay/column_hdf5.h"

namespace tengen::hdf5 {
namespace {

class FileDescriptor {
 public:
  FileDescriptor(const Place& place, int flags)
      : fd_(::open(place.path().c_str(), flags | O_CLOEXEC)) {
    if (fd_ < 0) place.refuse(std::string("cannot open: ") + std::strerror(errno));
  }
  ~FileDescriptor() { ::close(fd_); }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

std::vector<std::byte> read_bytes(const Place& place, const FileDescriptor& file) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) {
    place.refuse(std::string("cannot stat: ") + std::strerror(errno));
  }
  if (!S_ISREG(status.st_mode)) place.refuse("cannot read: not a file");
  std::vector<std::byte> bytes(static_cast<std::size_t>(status.st_size));
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n =
        ::pread(file.get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) place.refuse(std::string("cannot read: ") + std::strerror(errno));
    done += static_cast<std::size_t>(n);
  }
  return bytes;
}

std::string seal_of(std::span<const std::byte> bytes) {
  char hash[17];
  std::snprintf(hash, sizeof hash, "%016llx",
                static_cast<unsigned long long>(hash_of_bytes(bytes.subspan(kSealBytes))));
  std::string seal =
      "tengen-sealed hash=" + std::string(hash) + " bytes=" + std::to_string(bytes.size()) + "\n";
  seal.resize(kSealBytes, '\0');
  return seal;
}

}  // namespace

void write_seal(const Place& place) {
  const FileDescriptor file(place, O_RDWR);
  const std::vector<std::byte> bytes = read_bytes(place, file);
  if (bytes.size() <= kSealBytes) place.refuse("is too short to seal");
  const std::string seal = seal_of(bytes);
  if (::pwrite(file.get(), seal.data(), seal.size(), 0) != static_cast<ssize_t>(seal.size()) ||
      ::fsync(file.get()) != 0) {
    place.refuse(std::string("cannot write the seal: ") + std::strerror(errno));
  }
}

void check_seal(const Place& place) {
  const std::vector<std::byte> bytes = read_bytes(place, FileDescriptor(place, O_RDONLY));
  if (bytes.size() <= kSealBytes) {
    place.refuse("damaged: " + std::to_string(bytes.size()) + " bytes are too few");
  }
  const std::string_view found(reinterpret_cast<const char*>(bytes.data()), kSealBytes);
  if (!found.starts_with("tengen-sealed ")) place.refuse("has no seal: incomplete or not ours");
  const std::string expected = seal_of(bytes);
  if (found != expected) {
    place.refuse("damaged: expected '" + expected.substr(0, expected.find('\n')) +
                 "', the seal says '" + std::string(found.substr(0, found.find('\n'))) + "'");
  }
}

}  // namespace tengen::hdf5
