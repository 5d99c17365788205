#include <zlib.h>

#include <limits>

#include "rules/check.h"
#include "rules/durable_file.h"
#include "selfplay/npz_file.h"
#include "selfplay/npz_format.h"

namespace tengen {
namespace {

using namespace npz;

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

}  // namespace tengen
