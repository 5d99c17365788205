#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tengen {

// A file of columns: named datasets whose first axis is the row, and attributes at the root. HDF5,
// readable by any HDF5 program; only the column_*.cc know the library. Numbers are little-endian;
// datasets are chunked by rows, shuffled, deflated (level 1) and carry fletcher32 checksums.
//
// The first 512 bytes are HDF5's user block, which HDF5 ignores. It holds the seal, a line of text:
//   "tengen-sealed hash=<16 hex digits> bytes=<n>\n", then zeros,
// where hash is hash_of_bytes (rules/hash.h) over bytes 512 to n, the whole HDF5 part. A reader
// checks it first, so that HDF5 never parses a damaged file.
//
// Element types: std::uint8_t, std::int8_t, std::uint16_t, std::int32_t, std::int64_t,
// std::uint64_t, float. Every call may throw Error that names the file, the item and the reason.
// Different files may be used on different threads; the library itself is used by one thread at a
// time, behind one mutex.

// What a numeric dataset must look like.
struct ColumnShape {
  std::int64_t rows = 0;
  std::vector<std::int64_t> row = {};  // shape of one row; empty: one number
  friend bool operator==(const ColumnShape&, const ColumnShape&) = default;
};

class ColumnWriter {
 public:
  // Creates the file; an old one of this name is overwritten.
  explicit ColumnWriter(const std::filesystem::path& path);
  ~ColumnWriter();

  // `values` holds shape.rows rows. A name such as "games/seed" makes the group.
  template <class T>
  void write(const std::string& name, std::span<const T> values, const ColumnShape& shape);
  // One number a row.
  template <class T>
  void write(const std::string& name, const std::vector<T>& values) {
    write(name, std::span<const T>(values), {static_cast<std::int64_t>(values.size()), {}});
  }
  // One text a row, as fixed-length strings.
  void write_texts(const std::string& name, const std::vector<std::string>& values);

  void set_attribute(const std::string& name, const std::string& text);
  void set_attribute(const std::string& name, std::int64_t number);
  void set_attribute(const std::string& name, std::uint64_t number);
  void set_attribute(const std::string& name, const std::vector<std::string>& texts);

  // Hash of all that was written into datasets so far: h = mix64(h ^ hash_of_bytes(name)), then
  // h = mix64(h ^ hash_of_bytes(raw bytes)), dataset by dataset in order of writing.
  std::uint64_t content_hash() const;
  // Ends the file and seals it. To be called once, last; a file not closed has no seal.
  void close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

enum class SealCheck { kRequired, kNone };

// Reads a sealed file. Keeps one file descriptor.
class ColumnReader {
 public:
  // Checks the seal: reads the whole file once. Without the check a damaged file may do to the
  // library what it likes: for repair, in a process of its own.
  explicit ColumnReader(const std::filesystem::path& path, SealCheck seal = SealCheck::kRequired);
  ~ColumnReader();
  ColumnReader(ColumnReader&&) noexcept;
  ColumnReader& operator=(ColumnReader&&) noexcept;

  std::string text_attribute(const std::string& name) const;
  std::int64_t number_attribute(const std::string& name) const;
  std::uint64_t unsigned_attribute(const std::string& name) const;
  std::vector<std::string> texts_attribute(const std::string& name) const;

  // Shape of a numeric dataset. Throws Error if there is none of element type T.
  template <class T>
  ColumnShape shape_of(const std::string& name) const;
  // Rows [first, first + count) of a dataset of T, row after row; checksums are verified.
  template <class T>
  std::vector<T> read(const std::string& name, std::int64_t first, std::int64_t count) const;
  template <class T>
  std::vector<T> read_all(const std::string& name) const {
    return read<T>(name, 0, shape_of<T>(name).rows);
  }
  std::vector<std::string> read_texts(const std::string& name) const;
  // Whether a dataset's index knows all of its chunks; rows of one that it does not know read as
  // zeros, and no checksum says so.
  bool has_all_chunks(const std::string& name) const;
  // ColumnWriter::content_hash of these datasets, named in the order in which they were written.
  std::uint64_t content_hash(std::span<const std::string> names) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tengen
