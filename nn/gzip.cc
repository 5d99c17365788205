#include "nn/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "rules/check.h"

namespace tengen {
namespace {

constexpr int kGzipWindow = 16 + MAX_WBITS;  // zlib's way of asking for gzip's header and checksum
constexpr std::size_t kChunk = std::size_t{1} << 16;

// zlib counts in 32 bits; what does not fit comes in the next round.
uInt count_of(std::size_t bytes) {
  return static_cast<uInt>(std::min<std::size_t>(bytes, std::numeric_limits<uInt>::max()));
}

class Inflation {
 public:
  explicit Inflation(std::string_view name) : name_(name) {
    if (inflateInit2(&stream_, kGzipWindow) != Z_OK) fail("zlib does not start");
  }
  ~Inflation() { inflateEnd(&stream_); }
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;

  // Appends one member's content to `out`; gives what is left of `bytes`.
  std::string_view member(std::string_view bytes, std::uint64_t max_bytes, std::string& out) {
    inflateReset(&stream_);
    for (int result = Z_OK; result != Z_STREAM_END;) {
      const std::size_t before = out.size();
      // One byte more than is allowed, to see that there is more.
      out.resize(std::min<std::uint64_t>(before + kChunk, max_bytes + 1));
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      stream_.avail_in = count_of(bytes.size());
      stream_.next_out = reinterpret_cast<Bytef*>(out.data() + before);
      stream_.avail_out = static_cast<uInt>(out.size() - before);
      const uInt given = stream_.avail_in;
      result = inflate(&stream_, Z_NO_FLUSH);
      bytes.remove_prefix(given - stream_.avail_in);
      out.resize(out.size() - stream_.avail_out);
      if (out.size() > max_bytes)
        fail("more than " + std::to_string(max_bytes) + " bytes unpacked");
      if (result == Z_BUF_ERROR || (result == Z_OK && bytes.empty() && stream_.avail_out > 0)) {
        fail("the gzip data ends early, after " + std::to_string(out.size()) + " bytes unpacked");
      }
      if (result != Z_OK && result != Z_STREAM_END) {
        fail(std::string("damaged gzip data: ") + (stream_.msg ? stream_.msg : "unknown"));
      }
    }
    return bytes;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(std::string(name_) + ": " + what);
  }

  std::string_view name_;
  z_stream stream_{};
};

}  // namespace

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b");
}

std::string gunzip(std::string_view bytes, std::uint64_t max_bytes, std::string_view name) {
  Inflation inflation(name);
  std::string out;
  do {
    bytes = inflation.member(bytes, max_bytes, out);
    if (!bytes.empty() && !is_gzip(bytes)) {
      throw Error(std::string(name) + ": expected the end of the gzip data, found " +
                  std::to_string(bytes.size()) + " bytes more");
    }
  } while (!bytes.empty());
  return out;
}

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  check(deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8,
                     Z_DEFAULT_STRATEGY) == Z_OK,
        "zlib starts");
  std::string out;
  for (int result = Z_OK; result != Z_STREAM_END;) {
    const std::size_t before = out.size();
    out.resize(before + kChunk);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = count_of(bytes.size());
    const uInt given = stream.avail_in;
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + before);
    stream.avail_out = static_cast<uInt>(kChunk);
    result = deflate(&stream, given == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    check(result == Z_OK || result == Z_STREAM_END, "zlib goes on");
    bytes.remove_prefix(given - stream.avail_in);
    out.resize(out.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return out;
}

}  // namespace tengen
