#include "tests/nn/npz.h"

#include <zlib.h>

#include <fstream>
#include <iterator>
#include <span>
#include <sstream>

#include "rules/check.h"

namespace tengen {
namespace {

using Bytes = std::vector<unsigned char>;

void require(bool holds, const std::string& what) {
  if (!holds) throw Error("npz: " + what);
}

std::uint32_t little_endian(std::span<const unsigned char> bytes, std::size_t at, int width) {
  require(at + width <= bytes.size(), "expected more bytes at " + std::to_string(at));
  std::uint32_t value = 0;
  for (int i = width - 1; i >= 0; --i) value = value << 8 | bytes[at + i];
  return value;
}

Bytes inflate_raw(std::span<const unsigned char> packed, std::size_t size) {
  Bytes out(size);
  z_stream stream{};
  require(inflateInit2(&stream, -MAX_WBITS) == Z_OK, "zlib does not start");
  stream.next_in = const_cast<unsigned char*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = inflate(&stream, Z_FINISH);
  const bool whole = result == Z_STREAM_END && stream.avail_out == 0;
  inflateEnd(&stream);
  require(whole, "damaged deflate data");
  return out;
}

// The text between `before` and the next `after`.
std::string between(const std::string& text, const std::string& before, char after) {
  const std::size_t start = text.find(before);
  require(start != std::string::npos, "expected " + before + " in the header");
  const std::size_t first = start + before.size();
  return text.substr(first, text.find(after, first) - first);
}

NpzArray parse_npy(const Bytes& npy) {
  require(npy.size() > 10 && npy[1] == 'N' && npy[6] == 1, "expected an npy file of version 1");
  const std::size_t header_size = little_endian(npy, 8, 2);
  require(10 + header_size <= npy.size(), "truncated npy header");
  const std::string header(npy.begin() + 10, npy.begin() + 10 + header_size);
  require(between(header, "'fortran_order': ", ',') == "False", "expected C order");
  NpzArray array;
  array.type = between(header, "'descr': '", '\'');
  std::istringstream sizes(between(header, "'shape': (", ')'));
  for (std::string size; std::getline(sizes, size, ',');) array.shape.push_back(std::stoll(size));
  array.bytes.assign(npy.begin() + 10 + header_size, npy.end());
  return array;
}

}  // namespace

std::map<std::string, NpzArray> read_npz(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  require(file.good(), path.string() + ": cannot be opened");
  const Bytes zip((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  constexpr std::size_t kEndSize = 22;  // end of central directory, no comment after it
  require(zip.size() >= kEndSize, "truncated");
  const std::size_t end = zip.size() - kEndSize;
  require(little_endian(zip, end, 4) == 0x06054B50, "no end of central directory");
  std::map<std::string, NpzArray> arrays;
  std::size_t entry = little_endian(zip, end + 16, 4);
  for (std::uint32_t left = little_endian(zip, end + 10, 2); left > 0; --left) {
    require(little_endian(zip, entry, 4) == 0x02014B50, "no central directory entry");
    const std::uint32_t method = little_endian(zip, entry + 10, 2);
    const std::size_t packed_size = little_endian(zip, entry + 20, 4);
    const std::size_t size = little_endian(zip, entry + 24, 4);
    const std::size_t name_size = little_endian(zip, entry + 28, 2);
    const std::size_t extra = little_endian(zip, entry + 30, 2) + little_endian(zip, entry + 32, 2);
    const std::size_t local = little_endian(zip, entry + 42, 4);
    const std::string name(zip.begin() + entry + 46, zip.begin() + entry + 46 + name_size);
    const std::size_t data =
        local + 30 + little_endian(zip, local + 26, 2) + little_endian(zip, local + 28, 2);
    require(data + packed_size <= zip.size(), name + " is truncated");
    const auto packed = std::span(zip).subspan(data, packed_size);
    require(method == 0 || method == 8, name + ": expected stored or deflated");
    arrays[name.substr(0, name.rfind(".npy"))] =
        parse_npy(method == 8 ? inflate_raw(packed, size) : Bytes(packed.begin(), packed.end()));
    entry += 46 + name_size + extra;
  }
  return arrays;
}

}  // namespace tengen
