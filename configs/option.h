#pragma once

#include <limits>
#include <span>
#include <string_view>

namespace tengen {

// What is said of a config key, once, where the option is defined. A struct of options lists its
// keys in
//
//   template <class Visit> void for_each_option(SearchOptions& o, Visit visit) {
//     visit("visits", o.visits, {"leaf evaluations per move", 1, 1e6});
//   }
//
// and the reader, `tengen config` and the resolved config of a run walk that list. Field types:
// bool, int, std::int64_t, double, std::string, std::vector<int>, std::vector<double>. A string
// with `choices` takes only those.
struct OptionDoc {
  std::string_view text;  // meaning and unit, source of the default
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  std::span<const std::string_view> choices = {};
};

}  // namespace tengen
