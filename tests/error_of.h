#pragma once

#include <functional>
#include <string>

#include "rules/check.h"

namespace tengen {

// What an action's Error says, "" if it throws none.
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace tengen
