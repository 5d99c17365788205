// Whatever the bytes: they are a network that holds together and goes round through its file, or an
// Error that names the file. The first byte says how they are read: as binary, as text, unpacked.

#include <cstdint>
#include <string_view>

#include "nn/gzip.h"
#include "nn/kata_net_reader.h"
#include "nn/kata_net_writer.h"
#include "rules/check.h"

namespace tengen {
namespace {

constexpr std::uint64_t kMaxBytes = 1 << 20;

void check_net(std::string_view bytes, bool is_text) {
  const NetModel model = parse_kata_net(bytes, is_text, "net");
  validate(model, "net");
  const std::string written = to_kata_net(model);
  check(parse_kata_net(written, false, "net") == model, "a net goes round through bytes");
  const std::string text = to_kata_net(model, KataNetForm::kText);
  check(to_kata_net(parse_kata_net(text, true, "net")) == written, "and through text");
}

void check_input(std::string_view input) {
  if (input.empty()) return;
  const std::string_view bytes = input.substr(1);
  try {
    switch (input[0]) {
      case 'b':
        return check_net(bytes, false);
      case 't':
        return check_net(bytes, true);
      default:
        return check_net(gunzip(bytes, kMaxBytes, "net"), false);
    }
  } catch (const Error& error) {
    check(std::string_view(error.what()).starts_with("net: "), "an error names the file");
  }
}

}  // namespace
}  // namespace tengen

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tengen::check_input({reinterpret_cast<const char*>(data), size});
  return 0;
}
