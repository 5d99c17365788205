#include <fcntl.h>
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>

#include "rules/check.h"
#include "rules/durable_file.h"
#include "rules/hash.h"
#include "rules/rng.h"
#include "selfplay/column_hdf5.h"

namespace tengen {

using namespace hdf5;

namespace {

constexpr hsize_t kChunkRows = 128;
constexpr std::size_t kGrowth = 1 << 20;  // of the file in memory, at a time

// The file as it is built in memory, with the user block, which HDF5 leaves out of its image.
std::string image_of(const Handle& file, const Place& place) {
  const auto size = H5Fget_file_image(file.get(), nullptr, 0);
  place.require(size > 0, "cannot be laid out");
  std::string image(kSealBytes + static_cast<std::size_t>(size), '\0');
  place.require(
      H5Fget_file_image(file.get(), image.data() + kSealBytes, image.size() - kSealBytes) == size,
      "cannot be laid out");
  return image;
}

void write_new(const std::filesystem::path& path, const std::string& bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) throw_errno(path, "cannot be written");
  try {
    write_all(file, path, bytes);
  } catch (...) {
    ::close(file);
    throw;
  }
  if (::close(file) != 0) throw_errno(path, "cannot be written");
}

}  // namespace

struct ColumnWriter::Impl {
  explicit Impl(const std::filesystem::path& path) : place(path) {}

  Place place;
  Handle file;
  Handle link_properties;  // makes groups on the way
  std::uint64_t hash = 0;

  void write(const std::string& name, hid_t file_type, hid_t memory_type,
             const std::vector<hsize_t>& dimensions, std::span<const std::byte> bytes) {
    const Session session;
    const int rank = static_cast<int>(dimensions.size());
    const Handle space =
        place.handle(H5Screate_simple(rank, dimensions.data(), nullptr), H5Sclose, name);
    const Handle properties = place.handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, name);
    if (dimensions[0] > 0) {  // a chunk may not be empty
      std::vector<hsize_t> chunk = dimensions;
      chunk[0] = std::min(chunk[0], kChunkRows);
      place.require(H5Pset_chunk(properties.get(), rank, chunk.data()) >= 0, name);
      place.require(H5Pset_shuffle(properties.get()) >= 0, name);
      place.require(H5Pset_deflate(properties.get(), 1) >= 0, name);
      place.require(H5Pset_fletcher32(properties.get()) >= 0, name);
    }
    const Handle dataset =
        place.handle(H5Dcreate2(file.get(), name.c_str(), file_type, space.get(),
                                link_properties.get(), properties.get(), H5P_DEFAULT),
                     H5Dclose, name);
    if (!bytes.empty()) {
      place.require(
          H5Dwrite(dataset.get(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0,
          name);
    }
    hash = mix64(hash ^ hash_of_bytes(name));
    hash = mix64(hash ^ hash_of_bytes(bytes));
  }

  void write_attribute(const std::string& name, hid_t file_type, hid_t memory_type,
                       const Handle& space, const void* value) {
    const Handle attribute = place.handle(
        H5Acreate2(file.get(), name.c_str(), file_type, space.get(), H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose, name);
    place.require(H5Awrite(attribute.get(), memory_type, value) >= 0, name);
  }
  Handle scalar() const { return place.handle(H5Screate(H5S_SCALAR), H5Sclose, "scalar"); }
};

ColumnWriter::ColumnWriter(const std::filesystem::path& path)
    : impl_(std::make_unique<Impl>(path)) {
  const Session session;
  const Place& place = impl_->place;
  const Handle creation = place.handle(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "properties");
  place.require(H5Pset_userblock(creation.get(), kSealBytes) >= 0, "user block");
  const Handle access = place.handle(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "properties");
  // In memory: a file that HDF5 cannot write out, on a full disk, it can never close again.
  place.require(H5Pset_fapl_core(access.get(), kGrowth, false) >= 0, "memory");
  // The oldest format, which every reader knows.
  place.require(H5Pset_libver_bounds(access.get(), H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST) >= 0,
                "version");
  impl_->link_properties = place.handle(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "properties");
  place.require(H5Pset_create_intermediate_group(impl_->link_properties.get(), 1) >= 0, "groups");
  impl_->file = place.handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()),
                             H5Fclose, "cannot create");
}
ColumnWriter::~ColumnWriter() = default;

template <class T>
void ColumnWriter::write(const std::string& name, std::span<const T> values,
                         const ColumnShape& shape) {
  check(values.size() == static_cast<std::size_t>(shape.rows) * row_width(shape),
        "as many values as the shape says");
  impl_->write(name, Element<T>::file_type(), Element<T>::memory_type(), dimensions_of(shape),
               std::as_bytes(values));
}

void ColumnWriter::write_texts(const std::string& name, const std::vector<std::string>& values) {
  std::size_t length = 1;
  for (const std::string& value : values) length = std::max(length, value.size());
  std::string bytes;
  for (const std::string& value : values) {
    bytes += value;
    bytes.append(length - value.size(), '\0');
  }
  const Session session;
  const Handle type = text_type(impl_->place, length);
  impl_->place.require(H5Tset_strpad(type.get(), H5T_STR_NULLPAD) >= 0, name);
  impl_->write(name, type.get(), type.get(), {values.size()}, std::as_bytes(std::span(bytes)));
}

void ColumnWriter::set_attribute(const std::string& name, const std::string& text) {
  const Session session;
  const Handle type = text_type(impl_->place, H5T_VARIABLE);
  const char* value = text.c_str();
  impl_->write_attribute(name, type.get(), type.get(), impl_->scalar(), &value);
}

void ColumnWriter::set_attribute(const std::string& name, std::int64_t number) {
  const Session session;
  impl_->write_attribute(name, H5T_STD_I64LE, H5T_NATIVE_INT64, impl_->scalar(), &number);
}

void ColumnWriter::set_attribute(const std::string& name, std::uint64_t number) {
  const Session session;
  impl_->write_attribute(name, H5T_STD_U64LE, H5T_NATIVE_UINT64, impl_->scalar(), &number);
}

void ColumnWriter::set_attribute(const std::string& name, const std::vector<std::string>& texts) {
  const Session session;
  const Handle type = text_type(impl_->place, H5T_VARIABLE);
  const hsize_t count = texts.size();
  const Handle space = impl_->place.handle(H5Screate_simple(1, &count, nullptr), H5Sclose, name);
  std::vector<const char*> values;
  for (const std::string& text : texts) values.push_back(text.c_str());
  impl_->write_attribute(name, type.get(), type.get(), space, values.data());
}

std::uint64_t ColumnWriter::content_hash() const {
  return impl_->hash;
}

void ColumnWriter::close() {
  const Place& place = impl_->place;
  std::string image;
  {
    const Session session;
    place.require(H5Fflush(impl_->file.get(), H5F_SCOPE_GLOBAL) >= 0, "cannot be laid out");
    image = image_of(impl_->file, place);
    place.require(impl_->file.close(), "cannot be closed");
  }
  write_new(place.path(), image);
  write_seal(place);
}

#define TENGEN_COLUMN(type) \
  template void ColumnWriter::write(const std::string&, std::span<const type>, const ColumnShape&)
TENGEN_COLUMN(std::uint8_t);
TENGEN_COLUMN(std::int8_t);
TENGEN_COLUMN(std::uint16_t);
TENGEN_COLUMN(std::int32_t);
TENGEN_COLUMN(std::int64_t);
TENGEN_COLUMN(std::uint64_t);
TENGEN_COLUMN(float);
#undef TENGEN_COLUMN

}  // namespace tengen
