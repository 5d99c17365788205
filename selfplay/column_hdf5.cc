#include "selfplay/column_hdf5.h"

#include <hdf5.h>

#include <type_traits>

#include "rules/check.h"

namespace tengen::hdf5 {

static_assert(std::is_same_v<Status, herr_t> && sizeof(Id) == sizeof(hid_t) &&
              std::is_same_v<std::vector<Size>, std::vector<hsize_t>>);

namespace {

std::recursive_mutex& library_mutex() {
  static std::recursive_mutex instance;
  return instance;
}

}  // namespace

Session::Session() : lock_(library_mutex()) {
  H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}
Session::~Session() {
  H5Eset_auto2(H5E_DEFAULT, print_, print_data_);
}

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

std::vector<Size> dimensions_of(const ColumnShape& shape) {
  std::vector<Size> dimensions = {static_cast<Size>(shape.rows)};
  for (const std::int64_t n : shape.row) dimensions.push_back(static_cast<Size>(n));
  return dimensions;
}

std::size_t row_width(const ColumnShape& shape) {
  std::size_t width = 1;
  for (const std::int64_t n : shape.row) width *= static_cast<std::size_t>(n);
  return width;
}

#define TENGEN_ELEMENT(type, stored, native) \
  template <>                                \
  Id Element<type>::file_type() {            \
    return stored;                           \
  }                                          \
  template <>                                \
  Id Element<type>::memory_type() {          \
    return native;                           \
  }                                          \
  template <>                                \
  const char* const Element<type>::kName = #type
TENGEN_ELEMENT(std::uint8_t, H5T_STD_U8LE, H5T_NATIVE_UINT8);
TENGEN_ELEMENT(std::int8_t, H5T_STD_I8LE, H5T_NATIVE_INT8);
TENGEN_ELEMENT(std::uint16_t, H5T_STD_U16LE, H5T_NATIVE_UINT16);
TENGEN_ELEMENT(std::int32_t, H5T_STD_I32LE, H5T_NATIVE_INT32);
TENGEN_ELEMENT(std::int64_t, H5T_STD_I64LE, H5T_NATIVE_INT64);
TENGEN_ELEMENT(std::uint64_t, H5T_STD_U64LE, H5T_NATIVE_UINT64);
TENGEN_ELEMENT(float, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT);
#undef TENGEN_ELEMENT

}  // namespace tengen::hdf5
