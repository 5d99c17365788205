#include <hdf5.h>

#include <limits>
#include <map>
#include <utility>

#include "rules/hash.h"
#include "rules/rng.h"
#include "selfplay/column_hdf5.h"

namespace tengen {

using namespace hdf5;

struct ColumnReader::Impl {
  explicit Impl(const std::filesystem::path& path) : place(path) {}

  struct Dataset {
    Handle handle;
    ColumnShape shape;
  };

  Place place;
  Handle file;
  std::map<std::string, Dataset> datasets;  // opened so far

  Handle open_attribute(const std::string& name, H5T_class_t wanted) const {
    Handle attribute = place.handle(H5Aopen(file.get(), name.c_str(), H5P_DEFAULT), H5Aclose,
                                    "attribute '" + name + "'");
    const Handle type = place.handle(H5Aget_type(attribute.get()), H5Tclose, name);
    if (H5Tget_class(type.get()) != wanted) {
      place.refuse("attribute '" + name + "': expected " +
                   (wanted == H5T_STRING ? "text" : "an integer"));
    }
    return attribute;
  }

  template <class T>
  T number_attribute(const std::string& name) const {
    const Session session;
    const Handle attribute = open_attribute(name, H5T_INTEGER);
    const Handle space = place.handle(H5Aget_space(attribute.get()), H5Sclose, name);
    if (H5Sget_simple_extent_npoints(space.get()) != 1) {
      place.refuse("attribute '" + name + "': expected one number");
    }
    T value = 0;
    place.require(H5Aread(attribute.get(), Element<T>::memory_type(), &value) >= 0, name);
    return value;
  }

  std::vector<std::string> texts_attribute(const std::string& name) const {
    const Session session;
    const Handle attribute = open_attribute(name, H5T_STRING);
    const Handle stored = place.handle(H5Aget_type(attribute.get()), H5Tclose, name);
    if (H5Tis_variable_str(stored.get()) <= 0) {
      place.refuse("attribute '" + name + "': expected texts of variable length");
    }
    const Handle space = place.handle(H5Aget_space(attribute.get()), H5Sclose, name);
    const hssize_t count = H5Sget_simple_extent_npoints(space.get());
    place.require(count >= 0, name);
    const Handle type = text_type(place, H5T_VARIABLE);
    std::vector<char*> values(static_cast<std::size_t>(count));
    if (count == 0) return {};
    place.require(H5Aread(attribute.get(), type.get(), values.data()) >= 0, name);
    std::vector<std::string> texts;
    for (const char* value : values) texts.emplace_back(value == nullptr ? "" : value);
    H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, values.data());
    return texts;
  }

  Dataset open(const std::string& name) const {
    Dataset dataset;
    const Handle access = place.handle(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, name);
    dataset.handle = place.handle(H5Dopen2(file.get(), name.c_str(), access.get()), H5Dclose,
                                  "dataset '" + name + "'");
    const Handle space = place.handle(H5Dget_space(dataset.handle.get()), H5Sclose, name);
    const int rank = H5Sget_simple_extent_ndims(space.get());
    if (rank < 1 || rank > 4) place.refuse("dataset '" + name + "' has no rows");
    std::vector<hsize_t> dimensions(static_cast<std::size_t>(rank));
    place.require(H5Sget_simple_extent_dims(space.get(), dimensions.data(), nullptr) >= 0, name);
    for (const hsize_t n : dimensions) {
      if (n > std::numeric_limits<std::int32_t>::max()) place.refuse("'" + name + "' is too large");
    }
    dataset.shape.rows = static_cast<std::int64_t>(dimensions[0]);
    for (std::size_t i = 1; i < dimensions.size(); ++i) {
      dataset.shape.row.push_back(static_cast<std::int64_t>(dimensions[i]));
    }
    return dataset;
  }

  const Dataset& dataset(const std::string& name) {
    const auto found = datasets.find(name);
    if (found != datasets.end()) return found->second;
    return datasets.emplace(name, open(name)).first->second;
  }

  template <class T>
  const Dataset& dataset_of(const std::string& name) {
    const Dataset& found = dataset(name);
    const Handle type = place.handle(H5Dget_type(found.handle.get()), H5Tclose, name);
    if (H5Tequal(type.get(), Element<T>::file_type()) <= 0) {
      place.refuse("dataset '" + name + "': expected elements of type " + Element<T>::kName);
    }
    return found;
  }

  void require_rows(const Dataset& dataset, const std::string& name, std::int64_t first,
                    std::int64_t count) const {
    if (first < 0 || count < 0 || first > dataset.shape.rows - count) {
      place.refuse("dataset '" + name + "' has " + std::to_string(dataset.shape.rows) +
                   " rows, asked for " + std::to_string(first) + " to " +
                   std::to_string(first + count));
    }
  }

  // Requires rows that are there.
  void read(const Dataset& dataset, const std::string& name, hid_t memory_type, std::int64_t first,
            std::int64_t count, void* out) const {
    if (count == 0) return;
    std::vector<hsize_t> size = dimensions_of(dataset.shape);
    const int rank = static_cast<int>(size.size());
    std::vector<hsize_t> start(size.size(), 0);
    const Handle space = place.handle(H5Dget_space(dataset.handle.get()), H5Sclose, name);
    start[0] = static_cast<hsize_t>(first);
    size[0] = static_cast<hsize_t>(count);
    place.require(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr,
                                      size.data(), nullptr) >= 0,
                  name);
    const Handle memory =
        place.handle(H5Screate_simple(rank, size.data(), nullptr), H5Sclose, name);
    place.require(H5Dread(dataset.handle.get(), memory_type, memory.get(), space.get(), H5P_DEFAULT,
                          out) >= 0,
                  "dataset '" + name + "'");
  }
};

ColumnReader::ColumnReader(const std::filesystem::path& path, SealCheck seal)
    : impl_(std::make_unique<Impl>(path)) {
  if (seal == SealCheck::kRequired) check_seal(impl_->place);
  const Session session;
  const Place& place = impl_->place;
  const Handle access = place.handle(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "properties");
#if H5_VERSION_GE(1, 10, 7)
  // Files are complete or absent, so nothing is to be locked; network file systems often cannot.
  place.require(H5Pset_file_locking(access.get(), false, true) >= 0, "locking");
#endif
  // A little more than the largest chunk (19x19 planes), so that many open files cost little.
  place.require(H5Pset_cache(access.get(), 0, 31, 256 * 1024, 1.0) >= 0, "cache");
  impl_->file = place.handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose,
                             "cannot open as HDF5");
}
ColumnReader::~ColumnReader() = default;
ColumnReader::ColumnReader(ColumnReader&&) noexcept = default;
ColumnReader& ColumnReader::operator=(ColumnReader&&) noexcept = default;

std::string ColumnReader::text_attribute(const std::string& name) const {
  const std::vector<std::string> texts = impl_->texts_attribute(name);
  if (texts.size() != 1) impl_->place.refuse("attribute '" + name + "': expected one text");
  return texts[0];
}
std::int64_t ColumnReader::number_attribute(const std::string& name) const {
  return impl_->number_attribute<std::int64_t>(name);
}
std::uint64_t ColumnReader::unsigned_attribute(const std::string& name) const {
  return impl_->number_attribute<std::uint64_t>(name);
}
std::vector<std::string> ColumnReader::texts_attribute(const std::string& name) const {
  return impl_->texts_attribute(name);
}

template <class T>
ColumnShape ColumnReader::shape_of(const std::string& name) const {
  const Session session;
  return impl_->dataset_of<T>(name).shape;
}

template <class T>
std::vector<T> ColumnReader::read(const std::string& name, std::int64_t first,
                                  std::int64_t count) const {
  const Session session;
  const Impl::Dataset& dataset = impl_->dataset_of<T>(name);
  impl_->require_rows(dataset, name, first, count);
  std::vector<T> values(static_cast<std::size_t>(count) * row_width(dataset.shape));
  impl_->read(dataset, name, Element<T>::memory_type(), first, count, values.data());
  return values;
}

std::vector<std::string> ColumnReader::read_texts(const std::string& name) const {
  const Session session;
  const Impl::Dataset& dataset = impl_->dataset(name);
  const Handle type = impl_->place.handle(H5Dget_type(dataset.handle.get()), H5Tclose, name);
  const std::size_t length = H5Tget_size(type.get());
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0 ||
      length == 0 || length > 65536 || !dataset.shape.row.empty()) {
    impl_->place.refuse("dataset '" + name + "': expected one text of fixed length a row");
  }
  std::string bytes(static_cast<std::size_t>(dataset.shape.rows) * length, '\0');
  impl_->read(dataset, name, type.get(), 0, dataset.shape.rows, bytes.data());
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < bytes.size(); i += length) {
    const std::string text = bytes.substr(i, length);
    texts.push_back(text.substr(0, text.find('\0')));
  }
  return texts;
}

bool ColumnReader::has_all_chunks(const std::string& name) const {
  const Session session;
  const Impl::Dataset& dataset = impl_->dataset(name);
  const Place& place = impl_->place;
  const Handle properties = place.handle(H5Dget_create_plist(dataset.handle.get()), H5Pclose, name);
  std::vector<hsize_t> chunk(1 + dataset.shape.row.size());
  const int rank = static_cast<int>(chunk.size());
  if (H5Pget_chunk(properties.get(), rank, chunk.data()) != rank || chunk[0] == 0) return false;
  const Handle space = place.handle(H5Dget_space(dataset.handle.get()), H5Sclose, name);
  hsize_t found = 0;
  place.require(H5Dget_num_chunks(dataset.handle.get(), space.get(), &found) >= 0, name);
  const auto rows = static_cast<hsize_t>(dataset.shape.rows);
  return found == (rows + chunk[0] - 1) / chunk[0];
}

std::uint64_t ColumnReader::content_hash(std::span<const std::string> names) const {
  const Session session;
  std::uint64_t hash = 0;
  for (const std::string& name : names) {
    const Impl::Dataset& dataset = impl_->dataset(name);
    const Handle type = impl_->place.handle(H5Dget_type(dataset.handle.get()), H5Tclose, name);
    std::vector<std::byte> bytes(static_cast<std::size_t>(dataset.shape.rows) *
                                 row_width(dataset.shape) * H5Tget_size(type.get()));
    impl_->read(dataset, name, type.get(), 0, dataset.shape.rows, bytes.data());
    hash = mix64(hash ^ hash_of_bytes(name));
    hash = mix64(hash ^ hash_of_bytes(bytes));
  }
  return hash;
}

#define TENGEN_COLUMN(type)                                                             \
  template ColumnShape ColumnReader::shape_of<type>(const std::string&) const;          \
  template std::vector<type> ColumnReader::read<type>(const std::string&, std::int64_t, \
                                                      std::int64_t) const
TENGEN_COLUMN(std::uint8_t);
TENGEN_COLUMN(std::int8_t);
TENGEN_COLUMN(std::uint16_t);
TENGEN_COLUMN(std::int32_t);
TENGEN_COLUMN(std::int64_t);
TENGEN_COLUMN(std::uint64_t);
TENGEN_COLUMN(float);
#undef TENGEN_COLUMN

}  // namespace tengen
