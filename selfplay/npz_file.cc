#include "selfplay/npz_file.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

#include "rules/check.h"
#include "rules/durable_file.h"

namespace tengen {
namespace {

static_assert(std::endian::native == std::endian::little, "zip and our arrays are little-endian");

constexpr std::uint32_t kLocalHeader = 0x04034B50, kCentralHeader = 0x02014B50, kEnd = 0x06054B50;
constexpr std::size_t kLocalBytes = 30, kCentralBytes = 46, kEndBytes = 22;
constexpr std::uint16_t kVersion = 20, kDeflated = 8, kStored = 0;
constexpr std::uint16_t kFirstOfJanuary1980 = 0x21;  // the same file whenever it is written
constexpr std::uint64_t kMostDeflated = 1032;        // bytes that one of deflate's can stand for
constexpr std::size_t kNpyAlignment = 64;            // of the data in an .npy file

// Bytes of an element of a type as "<f4"; nullopt for what is no number of fixed width.
std::optional<std::uint64_t> element_bytes(std::string_view type) {
  if (type.size() != 3 || std::string_view("<|").find(type[0]) == std::string_view::npos ||
      std::string_view("fiub").find(type[1]) == std::string_view::npos ||
      std::string_view("1248").find(type[2]) == std::string_view::npos) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(type[2] - '0');
}

// nullopt if the product of the shape does not fit into 64 bits, or if the type has no width.
std::optional<std::uint64_t> bytes_of(const NpzEntry& entry) {
  auto bytes = element_bytes(entry.type);
  for (const std::int64_t n : entry.shape) {
    if (!bytes || n < 0) return std::nullopt;
    const auto length = static_cast<std::uint64_t>(n);
    if (length != 0 && *bytes > std::numeric_limits<std::uint64_t>::max() / length) {
      return std::nullopt;
    }
    *bytes *= length;
  }
  return bytes;
}

template <class T>
void put(std::string& out, T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}

template <class T>
T get(std::string_view bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::uint32_t crc_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

// --- writing ---

std::string npy_of(const NpzEntry& entry) {
  std::string shape;
  for (const std::int64_t n : entry.shape) shape += (shape.empty() ? "" : ", ") + std::to_string(n);
  if (entry.shape.size() == 1) shape += ',';
  std::string text =
      "{'descr': '" + entry.type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  std::string npy("\x93NUMPY\x01\x00", 8);
  const std::size_t used = npy.size() + sizeof(std::uint16_t) + text.size() + 1;
  text.append((kNpyAlignment - used % kNpyAlignment) % kNpyAlignment, ' ');
  text += '\n';
  put(npy, static_cast<std::uint16_t>(text.size()));
  return npy + text + entry.bytes;
}

std::string deflated(std::string_view bytes) {
  z_stream stream{};
  check(deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8,
                     Z_DEFAULT_STRATEGY) == Z_OK,
        "zlib starts");
  std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = deflate(&stream, Z_FINISH);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  check(result == Z_STREAM_END, "deflate has room");
  return out;
}

// What a local and a central header have in common: from the version to the length of the extra
// field.
std::string common_header(const std::string& name, std::string_view npy, std::size_t packed) {
  std::string header;
  put(header, kVersion);
  put(header, std::uint16_t{0});  // flags
  put(header, kDeflated);
  put(header, std::uint16_t{0});  // midnight
  put(header, kFirstOfJanuary1980);
  put(header, crc_of(npy));
  put(header, static_cast<std::uint32_t>(packed));
  put(header, static_cast<std::uint32_t>(npy.size()));
  put(header, static_cast<std::uint16_t>(name.size()));
  put(header, std::uint16_t{0});  // extra field
  return header;
}

// --- reading ---

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

  std::string_view data_at(std::size_t local, std::size_t length) const {
    require_header(local, kLocalBytes, kLocalHeader);
    const std::string_view header = std::string_view(bytes_).substr(local);
    const std::size_t before =
        kLocalBytes + get<std::uint16_t>(header, 26) + get<std::uint16_t>(header, 28);
    if (header.size() < before || header.size() - before < length) refuse("cut off");
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
  std::string name_;  // of the member that is being read
};

}  // namespace

void write_npz_file(const std::filesystem::path& path, std::span<const NpzEntry> entries) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  const auto require_small = [&](std::uint64_t bytes) {
    if (bytes >= kMost) throw Error(path.string() + ": expected less than 4 GiB to write");
  };
  std::string out, central;
  for (const NpzEntry& entry : entries) {
    check(bytes_of(entry) == entry.bytes.size(), "as many bytes as the shape says");
    require_small(entry.bytes.size() + 0xFFFF);
    const std::string name = entry.name + ".npy";
    const std::string npy = npy_of(entry), packed = deflated(npy);
    const std::string header = common_header(name, npy, packed.size());
    put(central, kCentralHeader);
    put(central, kVersion);
    central += header;
    put(central, std::uint16_t{0});                        // comment
    put(central, std::uint16_t{0});                        // disk
    put(central, std::uint16_t{0});                        // internal attributes
    put(central, std::uint32_t{0});                        // external attributes
    put(central, static_cast<std::uint32_t>(out.size()));  // where its local header is
    central += name;
    put(out, kLocalHeader);
    out += header + name + packed;
    require_small(out.size() + central.size() + kEndBytes);
  }
  std::string end;
  put(end, kEnd);
  put(end, std::uint32_t{0});  // disks
  put(end, static_cast<std::uint16_t>(entries.size()));
  put(end, static_cast<std::uint16_t>(entries.size()));
  put(end, static_cast<std::uint32_t>(central.size()));
  put(end, static_cast<std::uint32_t>(out.size()));
  put(end, std::uint16_t{0});  // comment
  const std::string_view parts[] = {out, central, end};
  write_durable(path, parts);
}

std::vector<NpzEntry> read_npz_file(const std::filesystem::path& path) {
  return Archive(path).entries();
}

}  // namespace tengen
