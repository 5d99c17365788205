#pragma once

#include <string>

namespace tengen {

// What was found in place of what a reader expects, for its error: the first 40 bytes of a JSON
// value. Of lists and objects only that they are one: they may be nested deeper than the stack.
template <class Json>
std::string excerpt(const Json& value) {
  if (value.is_array()) return "a list";
  if (value.is_object()) return "an object";
  return value.dump().substr(0, 40);
}

}  // namespace tengen
