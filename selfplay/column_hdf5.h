#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "selfplay/column_file.h"

// What the writer and the reader of column files share: HDF5 with one thread at a time, silent, its
// identifiers closed and its errors as text. For these sources only; column_file.h is the
// interface.
namespace tengen::hdf5 {

// The library's types, by their widths; column_hdf5.cc holds them against hid_t, hsize_t and
// herr_t.
using Id = std::int64_t;
using Size = unsigned long long;
using Status = int;

// Holds the library for the length of a call and keeps it from printing to stderr.
class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  std::lock_guard<std::recursive_mutex> lock_;
  Status (*print_)(Id, void*) = nullptr;
  void* print_data_ = nullptr;
};

// What HDF5 says of its last failure: the innermost entry of its error stack.
std::string reason();

// An HDF5 identifier and the function that closes it.
class Handle {
 public:
  using Close = Status (*)(Id);
  Handle() = default;
  Handle(Id id, Close closer) : id_(id), close_(closer) {}
  Handle(Handle&& o) noexcept : id_(std::exchange(o.id_, -1)), close_(o.close_) {}
  Handle& operator=(Handle&& o) noexcept {
    std::swap(id_, o.id_);
    std::swap(close_, o.close_);
    return *this;
  }
  ~Handle() {
    if (id_ < 0) return;
    const Session session;
    close_(id_);
  }
  Id get() const { return id_; }
  // Closes now; the return value says whether that worked.
  bool close() { return close_(std::exchange(id_, -1)) >= 0; }

 private:
  Id id_ = -1;
  Close close_ = nullptr;
};

// Names one file in errors.
class Place {
 public:
  explicit Place(std::filesystem::path path) : path_(std::move(path)) {}
  const std::filesystem::path& path() const { return path_; }
  [[noreturn]] void refuse(const std::string& what) const;
  void require(bool holds, const std::string& what) const {
    if (!holds) refuse(what + ": " + reason());
  }
  Handle handle(Id id, Handle::Close close, const std::string& what) const {
    require(id >= 0, what);
    return Handle(id, close);
  }

 private:
  std::filesystem::path path_;
};

// How numbers of a type stand in a file and in memory: std::uint8_t, std::int8_t, std::uint16_t,
// std::int32_t, std::int64_t, std::uint64_t and float.
template <class T>
struct Element {
  static Id file_type();
  static Id memory_type();
  static const char* const kName;
};

Handle text_type(const Place& place, std::size_t length);

std::vector<Size> dimensions_of(const ColumnShape& shape);
std::size_t row_width(const ColumnShape& shape);  // elements

// The seal, column_file.h has its text: written over the file's first bytes, and checked.
inline constexpr Size kSealBytes = 512;  // the smallest user block that HDF5 has
void write_seal(const Place& place);
void check_seal(const Place& place);

}  // namespace tengen::hdf5
