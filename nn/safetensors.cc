#include "nn/safetensors.h"

#include <algorithm>
#include <bit>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "nn/json_excerpt.h"
#include "rules/check.h"
#include "rules/durable_file.h"

namespace tengen {
namespace {

using nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;  // as in the safetensors library
constexpr std::int64_t kMaxColons = 200'000;            // of a header: some 50,000 tensors
constexpr int kDepth = 3;                               // of the header: header, tensor, shape
constexpr std::uint64_t kAlignment = 8;                 // of the data, by blanks after the header

const char* dtype_name(TensorType type) {
  return type == TensorType::kFloat ? "F32" : "I64";
}

std::uint64_t element_bytes(TensorType type) {
  return type == TensorType::kFloat ? sizeof(float) : sizeof(std::int64_t);
}

std::uint64_t bytes_of(const TensorHeader& t) {
  std::uint64_t bytes = element_bytes(t.type);
  for (const std::int64_t n : t.sizes) bytes *= static_cast<std::uint64_t>(n);
  return bytes;
}

// One tensor of a header, checked on its own.
struct Entry : TensorHeader {
  std::uint64_t begin = 0, end = 0;  // bytes from the end of the header
};

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
  throw Error(path.string() + ": " + what);
}

std::uint64_t unsigned_of(const std::filesystem::path& path, const std::string& name,
                          const ordered_json& value) {
  if (!value.is_number_unsigned()) {
    fail(path, "tensor '" + name + "': expected a number >= 0, found " + excerpt(value));
  }
  return value.get<std::uint64_t>();
}

Entry entry_of(const std::filesystem::path& path, const std::string& name,
               const ordered_json& about) {
  const std::string where = "tensor '" + name + "'";
  if (!about.is_object() || about.size() != 3 || !about.contains("dtype") ||
      !about.contains("shape") || !about.contains("data_offsets")) {
    fail(path, where + ": expected dtype, shape and data_offsets");
  }
  Entry entry;
  entry.name = name;
  if (about["dtype"] == "I64") {
    entry.type = TensorType::kInt64;
  } else if (about["dtype"] != "F32") {
    fail(path, where + ": dtype " + excerpt(about["dtype"]) + ", expected F32 or I64");
  }
  const ordered_json& shape = about["shape"];
  const ordered_json& offsets = about["data_offsets"];
  if (!shape.is_array() || shape.size() > 8) fail(path, where + ": shape is no list of at most 8");
  if (!offsets.is_array() || offsets.size() != 2) fail(path, where + ": data_offsets are no pair");
  std::uint64_t bytes = element_bytes(entry.type);
  for (const ordered_json& length : shape) {
    const std::uint64_t n = unsigned_of(path, name, length);
    if (n != 0 && bytes > (1ULL << 46) / n) fail(path, where + ": shape is too large");
    bytes *= n;
    entry.sizes.push_back(static_cast<std::int64_t>(n));
  }
  entry.begin = unsigned_of(path, name, offsets[0]);
  entry.end = unsigned_of(path, name, offsets[1]);
  if (entry.end < entry.begin || entry.end - entry.begin != bytes) {
    fail(path, where + ": data_offsets [" + std::to_string(entry.begin) + ", " +
                   std::to_string(entry.end) + ") do not hold the " + std::to_string(bytes) +
                   " bytes of its shape");
  }
  return entry;
}

// Tensors fill the data exactly: no gap, no overlap, nothing left.
void require_seamless(const std::filesystem::path& path, const std::vector<Entry>& entries,
                      std::uint64_t data_bytes) {
  std::vector<const Entry*> ordered;
  for (const Entry& entry : entries) ordered.push_back(&entry);
  std::ranges::sort(ordered, {}, [](const Entry* e) { return std::pair(e->begin, e->end); });
  std::uint64_t at = 0;
  for (const Entry* entry : ordered) {
    if (entry->begin != at) {
      fail(path, "tensor '" + entry->name + "' begins at byte " + std::to_string(entry->begin) +
                     ", expected " + std::to_string(at));
    }
    at = entry->end;
  }
  if (at != data_bytes) {
    fail(path, "expected " + std::to_string(at) + " bytes of tensors, found " +
                   std::to_string(data_bytes));
  }
}

// Keeps the order of the file; a name that comes twice is an error.
ordered_json parse_header(const std::filesystem::path& path, const std::string& text) {
  std::set<std::string> names;
  std::string twice;
  bool is_deep = false;
  const auto note = [&](int depth, ordered_json::parse_event_t event, ordered_json& parsed) {
    using Event = ordered_json::parse_event_t;
    if (event == Event::key && depth == 1 && !names.insert(parsed.get<std::string>()).second) {
      twice = parsed.get<std::string>();
    }
    const bool begins = event == Event::array_start || event == Event::object_start;
    if (begins && depth >= kDepth) is_deep = true;
    return !is_deep;  // what is copied, is copied by recursion
  };
  // Keys are looked for one by one, so many of them would take for ever.
  if (std::ranges::count(text, ':') > kMaxColons) fail(path, "the header has too many tensors");
  auto header = ordered_json::parse(text, note, false);
  if (is_deep) fail(path, "the header is no list of tensors");
  if (!header.is_object()) fail(path, "the header is no JSON object");
  if (!twice.empty()) fail(path, "tensor '" + twice + "' comes twice");
  return header;
}

// `order` is that of the data, as indices into `tensors`.
std::string header_of(std::span<const TensorView> tensors, const std::vector<std::size_t>& order,
                      const std::map<std::string, std::string>& metadata) {
  std::vector<std::uint64_t> begins(tensors.size());
  std::uint64_t end = 0;
  for (const std::size_t i : order) {
    begins[i] = end;
    end += bytes_of(tensors[i]);
  }
  ordered_json header = ordered_json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const TensorView& t = tensors[i];
    check(t.name != "__metadata__" && !header.contains(t.name), "tensors have names of their own");
    header[t.name] = {{"dtype", dtype_name(t.type)},
                      {"shape", t.sizes},
                      {"data_offsets", {begins[i], begins[i] + bytes_of(t)}}};
  }
  std::string text = header.dump();
  text.append((kAlignment - text.size() % kAlignment) % kAlignment, ' ');
  return text;
}

}  // namespace

void write_safetensors(const std::filesystem::path& path, std::span<const TensorView> tensors,
                       const std::map<std::string, std::string>& metadata) {
  // The data has larger elements first, so that each tensor is aligned to its own.
  std::vector<std::size_t> order(tensors.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(),
                           [tensors](std::size_t i) { return element_bytes(tensors[i].type); });

  const std::string header = header_of(tensors, order, metadata);
  const std::uint64_t length = header.size();
  std::vector<std::string_view> parts = {{reinterpret_cast<const char*>(&length), sizeof length},
                                         header};
  for (const std::size_t i : order) {
    parts.emplace_back(static_cast<const char*>(tensors[i].data), bytes_of(tensors[i]));
  }
  write_durable(path, parts);
}

void read_safetensors(const std::filesystem::path& path, const TensorPlacement& place) {
  std::error_code error;
  const std::uint64_t file_bytes = std::filesystem::file_size(path, error);
  if (error) fail(path, error.message());
  std::ifstream in(path, std::ios::binary);
  std::uint64_t header_bytes = 0;
  if (!in || file_bytes < kLengthBytes ||
      !in.read(reinterpret_cast<char*>(&header_bytes), kLengthBytes)) {
    fail(path, "expected a safetensors file, found " + std::to_string(file_bytes) + " bytes");
  }
  if (header_bytes > kMaxHeaderBytes || header_bytes > file_bytes - kLengthBytes) {
    fail(path, "the header claims " + std::to_string(header_bytes) + " bytes, the file has " +
                   std::to_string(file_bytes - kLengthBytes) + " after its first 8");
  }
  std::string text(header_bytes, ' ');
  if (!in.read(text.data(), static_cast<std::streamsize>(header_bytes))) fail(path, "cannot read");
  std::vector<Entry> entries;
  const auto header = parse_header(path, text);
  for (const auto& [name, about] : header.items()) {
    if (name != "__metadata__") entries.push_back(entry_of(path, name, about));
  }
  const std::uint64_t data_bytes = file_bytes - kLengthBytes - header_bytes;
  require_seamless(path, entries, data_bytes);

  for (const Entry& entry : entries) {
    void* data = place(entry);
    in.seekg(static_cast<std::streamoff>(kLengthBytes + header_bytes + entry.begin));
    if (entry.end > entry.begin &&
        !in.read(static_cast<char*>(data), static_cast<std::streamsize>(entry.end - entry.begin))) {
      fail(path, "cannot read tensor '" + entry.name + "'");
    }
  }
}

}  // namespace tengen
