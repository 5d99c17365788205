#pragma once

#include <hdf5.h>

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

// Holds the library for the length of a call and keeps it from printing to stderr.
class Session {
 public:
  Session() : lock_(mutex()) {
    H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Session() { H5Eset_auto2(H5E_DEFAULT, print_, print_data_); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  static std::recursive_mutex& mutex() {
    static std::recursive_mutex instance;
    return instance;
  }
  std::lock_guard<std::recursive_mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* print_data_ = nullptr;
};

// What HDF5 says of its last failure: the innermost entry of its error stack.
std::string reason();

// An HDF5 identifier and the function that closes it.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close closer) : id_(id), close_(closer) {}
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
  hid_t get() const { return id_; }
  // Closes now; the return value says whether that worked.
  bool close() { return close_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_ = -1;
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
  Handle handle(hid_t id, Handle::Close close, const std::string& what) const {
    require(id >= 0, what);
    return Handle(id, close);
  }

 private:
  std::filesystem::path path_;
};

template <class T>
struct Element;
#define TENGEN_ELEMENT(type, stored, native)      \
  template <>                                     \
  struct Element<type> {                          \
    static hid_t file_type() { return stored; }   \
    static hid_t memory_type() { return native; } \
    static constexpr const char* kName = #type;   \
  }
TENGEN_ELEMENT(std::uint8_t, H5T_STD_U8LE, H5T_NATIVE_UINT8);
TENGEN_ELEMENT(std::int8_t, H5T_STD_I8LE, H5T_NATIVE_INT8);
TENGEN_ELEMENT(std::uint16_t, H5T_STD_U16LE, H5T_NATIVE_UINT16);
TENGEN_ELEMENT(std::int32_t, H5T_STD_I32LE, H5T_NATIVE_INT32);
TENGEN_ELEMENT(std::int64_t, H5T_STD_I64LE, H5T_NATIVE_INT64);
TENGEN_ELEMENT(std::uint64_t, H5T_STD_U64LE, H5T_NATIVE_UINT64);
TENGEN_ELEMENT(float, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT);
#undef TENGEN_ELEMENT

Handle text_type(const Place& place, std::size_t length);

std::vector<hsize_t> dimensions_of(const ColumnShape& shape);
std::size_t row_width(const ColumnShape& shape);  // elements

// The seal, column_file.h has its text: written over the file's first bytes, and checked.
inline constexpr hsize_t kSealBytes = 512;  // the smallest user block that HDF5 has
void write_seal(const Place& place);
void check_seal(const Place& place);

}  // namespace tengen::hdf5
