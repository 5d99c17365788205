#include "train/event_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <bit>
#include <boost/crc.hpp>

#include "rules/durable_file.h"
#include "train/run_dir.h"

namespace tengen {
namespace {

// The lowest `bytes` bytes of value, little-endian.
std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

// Protobuf's wire encoding: varints, and the four kinds of field that an Event has.
std::string varint(std::uint64_t value) {
  std::string text;
  for (; value >= 0x80; value >>= 7) text += static_cast<char>(value | 0x80);
  return text + static_cast<char>(value);
}

std::string double_field(int field, double value) {
  return varint(static_cast<unsigned>(field) << 3 | 1) +
         little_endian(std::bit_cast<std::uint64_t>(value), 8);
}

std::string float_field(int field, float value) {
  return varint(static_cast<unsigned>(field) << 3 | 5) +
         little_endian(std::bit_cast<std::uint32_t>(value), 4);
}

std::string int_field(int field, std::int64_t value) {
  return varint(static_cast<unsigned>(field) << 3) + varint(static_cast<std::uint64_t>(value));
}

std::string bytes_field(int field, std::string_view bytes) {
  return varint(static_cast<unsigned>(field) << 3 | 2) + varint(bytes.size()) + std::string(bytes);
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

std::uint32_t masked_crc32c(std::string_view bytes) {
  return std::rotr(crc32c(bytes), 15) + 0xa282ead8U;
}

EventFile::EventFile(const std::filesystem::path& directory, double wall_time_s) : file_(-1) {
  const std::string stem = "events.out.tfevents." +
                           std::to_string(static_cast<std::int64_t>(wall_time_s)) + "." +
                           host_name() + "." + std::to_string(::getpid()) + ".";
  for (int n = 0; file_ < 0; ++n) {
    path_ = directory / (stem + std::to_string(n));
    file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    if (file_ < 0 && errno != EEXIST) throw_errno(path_, "cannot be created");
  }
  append(double_field(1, wall_time_s) + bytes_field(3, "brain.Event:2"));
}

EventFile::~EventFile() {
  ::close(file_);
}

void EventFile::add(double wall_time_s, std::int64_t step, std::span<const Scalar> scalars) {
  std::string summary;
  for (const auto& [tag, value] : scalars)
    summary += bytes_field(1, bytes_field(1, tag) + float_field(2, static_cast<float>(value)));
  append(double_field(1, wall_time_s) + int_field(2, step) + bytes_field(5, summary));
}

void EventFile::append(std::string_view event) {
  const std::string length = little_endian(event.size(), 8);
  write_all(file_, path_,
            length + little_endian(masked_crc32c(length), 4) + std::string(event) +
                little_endian(masked_crc32c(event), 4));
}

}  // namespace tengen
