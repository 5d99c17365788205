#include "rules/edit_distance.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace tengen {

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);  // from a's beginning so far to each beginning of b
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    int diagonal = std::exchange(row[0], static_cast<int>(i) + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const int replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace tengen
