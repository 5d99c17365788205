#include "nn/kata_net_tokens.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

#include "rules/check.h"

namespace tengen {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

constexpr std::size_t kMaxWord = 256;
constexpr std::string_view kBlanks = " \t\n\v\f\r";
constexpr std::string_view kMark = "@BIN@";

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

std::string expected(std::string_view what, std::string_view found) {
  return "expected " + std::string(what) + ", found " + std::string(found);
}

}  // namespace

void KataNetTokens::fail(const std::string& what) const {
  throw Error(std::string(file_) + ": " + (layer_.empty() ? "" : layer_ + ": ") + what);
}

void KataNetTokens::skip_blanks() {
  left_.remove_prefix(std::min(left_.find_first_not_of(kBlanks), left_.size()));
}

std::string KataNetTokens::word(std::string_view what) {
  skip_blanks();
  if (left_.empty()) fail(expected(what, "the end of the file"));
  const std::string_view found = left_.substr(0, left_.find_first_of(kBlanks));
  for (const char c : found.substr(0, kMaxWord + 1)) {
    if (c < '!' || c > '~') fail(expected(what, "bytes that are no text"));
  }
  if (found.size() > kMaxWord) {
    fail(expected(what, "a word of " + std::to_string(found.size()) + " characters"));
  }
  left_.remove_prefix(found.size());
  return std::string(found);
}

int KataNetTokens::integer(std::string_view what, int least, int most) {
  const std::string found = word(what);
  const auto number = number_of<int>(found);
  if (!number || *number < least || *number > most) {
    const std::string range = least == most ? std::to_string(least)
                                            : "a whole number from " + std::to_string(least) +
                                                  " to " + std::to_string(most);
    fail(expected(std::string(what) + ": " + range, "'" + found + "'"));
  }
  return *number;
}

FileNumber KataNetTokens::positive(std::string_view what) {
  const std::string found = word(what);
  const auto number = number_of<double>(found);
  if (!number || !std::isfinite(*number) || *number <= 0) {
    fail(expected(std::string(what) + ": a number above 0", "'" + found + "'"));
  }
  return {*number, found};
}

std::vector<float> KataNetTokens::floats(std::string_view what, const std::vector<int>& sizes) {
  std::uint64_t count = 1;
  for (const int size : sizes) {
    check(size > 0 && size <= 1 << 16, "sizes of arrays are checked");
    count *= static_cast<std::uint64_t>(size);
    // A number takes four bytes, or a digit and a blank. Checked at each size: no overflow.
    const std::uint64_t most = is_text_ ? (left_.size() + 1) / 2 : left_.size() / sizeof(float);
    if (count > most) {
      fail(expected(std::string(what) + ": room for " + std::to_string(count) + " numbers or more",
                    std::to_string(left_.size()) + " bytes to the end of the file"));
    }
  }
  std::vector<float> values = is_text_ ? text_floats(what, count) : binary_floats(what, count);
  for (const float value : values) {
    if (!std::isfinite(value)) fail(std::string(what) + ": a number is not finite");
  }
  return values;
}

std::vector<float> KataNetTokens::binary_floats(std::string_view what, std::uint64_t count) {
  skip_blanks();
  if (!left_.starts_with(kMark)) fail(expected(what, "no @BIN@ before them"));
  left_.remove_prefix(kMark.size());
  const std::uint64_t bytes = count * sizeof(float);
  if (bytes > left_.size()) {
    fail(expected(std::string(what) + ": " + std::to_string(bytes) + " bytes",
                  std::to_string(left_.size()) + " to the end of the file"));
  }
  std::vector<float> values(count);
  std::memcpy(values.data(), left_.data(), bytes);
  left_.remove_prefix(bytes);
  return values;
}

std::vector<float> KataNetTokens::text_floats(std::string_view what, std::uint64_t count) {
  std::vector<float> values(count);
  for (float& value : values) {
    const std::string found = word(what);
    const auto number = number_of<double>(found);
    if (!number) fail(expected(std::string(what) + ": a number", "'" + found + "'"));
    value = static_cast<float>(*number);
  }
  return values;
}

void KataNetTokens::end() {
  skip_blanks();
  if (!left_.empty()) {
    fail(expected("the end of the file", std::to_string(left_.size()) + " bytes more"));
  }
}

}  // namespace tengen
