#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "rules/check.h"
#include "rules/durable_file.h"
#include "selfplay/npz_file.h"
#include "selfplay/npz_format.h"

namespace tengen {
namespace {

using namespace npz;

// The archive, and whose fault an error is.
class Archive {
 public:
  explicit Archive(const std::filesystem::path& path) : path_(path), bytes_(read_file(path)) {}

  std::vector<NpzEntry> entries() {
    const std::size_t end = find_end();
    std::size_t at = get<std::uint32_t>(bytes_, end + 16);
    std::vector<NpzEntry> entries(get<std::uint16_t>(bytes_, end + 10));
    for (NpzEntry& entry : entries) at = read_entry(at, entry);
    return entries;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(path_.string() + (name_.empty() ? "" : ", " + name_) + ": " + what);
  }

  void require_header(std::size_t at, std::size_t length, std::uint32_t signature) const {
    if (at > bytes_.size() || bytes_.size() - at < length ||
        get<std::uint32_t>(bytes_, at) != signature) {
      refuse("damaged, or no .npz file: a header of the zip archive is not there");
    }
  }

  // The end record is the last thing but for a comment of up to 65,535 bytes.
  std::size_t find_end() const {
    for (std::size_t back = kEndBytes; back <= bytes_.size() && back <= kEndBytes + 0xFFFF;
         ++back) {
      const std::size_t at = bytes_.size() - back;
      if (get<std::uint32_t>(bytes_, at) == kEnd) return at;
    }
    refuse("cut off, or no .npz file: expected the end of a zip archive");
  }

  // Reads the member of the central header there, and returns where the next header is.
  std::size_t read_entry(std::size_t at, NpzEntry& entry) {
    require_header(at, kCentralBytes, kCentralHeader);
    const std::string_view header = std::string_view(bytes_).substr(at);
    const auto name_length = get<std::uint16_t>(header, 28);
    const std::size_t length = kCentralBytes + name_length + get<std::uint16_t>(header, 30) +
                               get<std::uint16_t>(header, 32);
    if (header.size() < length) refuse("cut off: a name of the zip archive is not there");
    name_ = header.substr(kCentralBytes, name_length);
    if (get<std::uint16_t>(header, 8) & 1) refuse("expected a member that is not encrypted");
    const auto packed = get<std::uint32_t>(header, 20), size = get<std::uint32_t>(header, 24);
    constexpr auto kZip64 = std::numeric_limits<std::uint32_t>::max();
    if (packed == kZip64 || size == kZip64) refuse("zip64 is not read");
    const std::string npy = unpacked(data_at(get<std::uint32_t>(header, 42), packed),
                                     get<std::uint16_t>(header, 10), size);
    if (crc_of(npy) != get<std::uint32_t>(header, 16)) refuse("damaged: its checksum is wrong");
    read_npy(npy, entry);
    name_.clear();
    return at + length;
  }

  std::string_view data_at(std::size_t local, std::size_t length) {
    require_header(local, kLocalBytes, kLocalHeader);
    const std::string_view header = std::string_view(bytes_).substr(local);
    const std::size_t before =
        kLocalBytes + get<std::uint16_t>(header, 26) + get<std::uint16_t>(header, 28);
    if (header.size() < before || header.size() - before < length) refuse("cut off");
    if (local < read_to_) refuse("expected members one after the other, found two in one place");
    read_to_ = local + before + length;
    return header.substr(before, length);
  }

  std::string unpacked(std::string_view packed, std::uint16_t method, std::size_t size) const {
    if (method == kStored && packed.size() == size) return std::string(packed);
    if (method != kDeflated) refuse("expected a member that is deflated or stored");
    if (size > (packed.size() + 1) * kMostDeflated) refuse("damaged: it cannot be so large");
    std::string out(size, '\0');
    z_stream stream{};
    check(inflateInit2(&stream, -MAX_WBITS) == Z_OK, "zlib starts");
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int result = inflate(&stream, Z_FINISH);
    const bool is_whole = result == Z_STREAM_END && stream.avail_out == 0;
    inflateEnd(&stream);
    if (!is_whole) refuse("damaged: it does not unpack to the size that it names");
    return out;
  }

  // The text behind 'key': in the dictionary of an .npy header.
  std::string_view value_of(std::string_view header, std::string_view key) const {
    const std::string quoted = "'" + std::string(key) + "':";
    const std::size_t at = header.find(quoted);
    if (at == std::string_view::npos) refuse("expected " + quoted + " in its .npy header");
    header.remove_prefix(at + quoted.size());
    header.remove_prefix(std::min(header.find_first_not_of(' '), header.size()));
    return header;
  }

  void read_npy(std::string_view npy, NpzEntry& entry) const {
    if (!npy.starts_with("\x93NUMPY") || npy.size() < 12) refuse("expected an .npy array");
    const bool is_short = npy[6] == 1;  // format 1.0; later ones have longer headers
    const std::size_t before = is_short ? 10 : 12;
    const std::size_t length =
        is_short ? get<std::uint16_t>(npy, 8) : std::size_t{get<std::uint32_t>(npy, 8)};
    if (npy.size() - before < length) refuse("its .npy header is cut off");
    const std::string_view header = npy.substr(before, length);
    entry.name = name_.ends_with(".npy") ? name_.substr(0, name_.size() - 4) : name_;
    const std::string_view type = value_of(header, "descr");
    entry.type = type.substr(std::min<std::size_t>(1, type.size()), 3);
    if (!value_of(header, "fortran_order").starts_with("False")) refuse("expected C order");
    read_shape(value_of(header, "shape"), entry);
    entry.bytes = npy.substr(before + length);
    const auto expected = bytes_of(entry);
    if (!expected)
      refuse("expected numbers of 1, 2, 4 or 8 bytes, found type '" + entry.type + "'");
    if (*expected != entry.bytes.size()) {
      refuse("expected " + std::to_string(*expected) + " bytes by its shape, found " +
             std::to_string(entry.bytes.size()));
    }
  }

  // "(1024, 22, 46), ..."
  void read_shape(std::string_view text, NpzEntry& entry) const {
    const std::size_t close = text.find(')');
    if (!text.starts_with('(') || close == std::string_view::npos) refuse("expected a shape");
    text = text.substr(1, close - 1);
    while (text.find_first_not_of(" ,") != std::string_view::npos) {
      text.remove_prefix(text.find_first_not_of(" ,"));
      std::int64_t length = 0;
      const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), length);
      if (error != std::errc() || length < 0) refuse("expected lengths in its shape");
      entry.shape.push_back(length);
      text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
    }
  }

  const std::filesystem::path& path_;
  std::string bytes_;
  std::string name_;         // of the member that is being read
  std::size_t read_to_ = 0;  // where its data ends
};

}  // namespace

std::vector<NpzEntry> read_npz_file(const std::filesystem::path& path) {
  return Archive(path).entries();
}

}  // namespace tengen
