#include "selfplay/column_hdf5.h"

#include "rules/check.h"

namespace tengen::hdf5 {

std::string reason() {
  std::string text;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_DOWNWARD,
      [](unsigned, const H5E_error2_t* entry, void* out) -> herr_t {
        if (entry->desc != nullptr && *entry->desc != 0) {
          *static_cast<std::string*>(out) = entry->desc;
        }
        return 0;
      },
      &text);
  H5Eclear2(H5E_DEFAULT);
  return text.empty() ? "HDF5 gives no reason" : text;
}

void Place::refuse(const std::string& what) const {
  throw Error(path_.string() + ": " + what);
}

Handle text_type(const Place& place, std::size_t length) {
  Handle type = place.handle(H5Tcopy(H5T_C_S1), H5Tclose, "text type");
  place.require(H5Tset_size(type.get(), length) >= 0, "text type");
  place.require(H5Tset_cset(type.get(), H5T_CSET_UTF8) >= 0, "text type");
  return type;
}

std::vector<hsize_t> dimensions_of(const ColumnShape& shape) {
  std::vector<hsize_t> dimensions = {static_cast<hsize_t>(shape.rows)};
  for (const std::int64_t n : shape.row) dimensions.push_back(static_cast<hsize_t>(n));
  return dimensions;
}

std::size_t row_width(const ColumnShape& shape) {
  std::size_t width = 1;
  for (const std::int64_t n : shape.row) width *= static_cast<std::size_t>(n);
  return width;
}

}  // namespace tengen::hdf5
