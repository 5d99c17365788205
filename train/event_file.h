#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tengen {

// A TensorBoard event file, append-only. Layout (TensorFlow's record format, little-endian):
//
//   u64 length, u32 masked CRC32C of it, `length` bytes, u32 masked CRC32C of them
//
// repeated; the bytes are a protobuf `Event`: 1 wall_time double (seconds since 1970), 2 step
// int64, 3 file_version string (first record only, "brain.Event:2"), 5 summary { repeated 1 value
// { 1 tag string, 2 simple_value float } }. A reader stops at a torn last record.
class EventFile {
 public:
  // Creates events.out.tfevents.<seconds>.<host>.<pid>.<n> in `directory`, a new file for each
  // start; TensorBoard joins them by step. Throws Error.
  EventFile(const std::filesystem::path& directory, double wall_time_s);
  ~EventFile();
  EventFile(const EventFile&) = delete;
  EventFile& operator=(const EventFile&) = delete;

  using Scalar = std::pair<std::string, double>;  // tag, value
  // One event with these scalars, in one write. Throws Error.
  void add(double wall_time_s, std::int64_t step, std::span<const Scalar> scalars);

  const std::filesystem::path& path() const { return path_; }

 private:
  void append(std::string_view event);

  std::filesystem::path path_;
  int file_;
};

// CRC-32C (Castagnoli), and as the record format stores it: rotated right by 15 plus a constant.
std::uint32_t crc32c(std::string_view bytes);
std::uint32_t masked_crc32c(std::string_view bytes);

}  // namespace tengen
