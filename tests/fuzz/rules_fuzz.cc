// Whatever the bytes: they are rules that go round through text, or an Error that says it is about
// rules.

#include <cstdint>
#include <string_view>

#include "rules/check.h"
#include "rules/rules_text.h"

namespace tengen {
namespace {

bool is_about_rules(std::string_view what) {
  return what.starts_with("rules") || what.starts_with("unknown rules");
}

void check_text(std::string_view text) {
  try {
    const Rules rules = parse_rules(text);
    validate(rules);
    check(parse_rules(to_text(rules)) == rules, "rules go round through text");
    check(!described(rules).empty(), "rules can be described");
    Rules plain;
    plain.size = rules.size;
    check(differences(rules, "read", plain, "plain").empty() == (rules == plain),
          "rules that differ do so in a field");
  } catch (const Error& error) {
    check(is_about_rules(error.what()), "an error is about rules");
  }
}

}  // namespace
}  // namespace tengen

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tengen::check_text({reinterpret_cast<const char*>(data), size});
  return 0;
}
