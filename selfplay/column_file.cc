#include "selfplay/column_file.h"

#include <fcntl.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <utility>

#include "rules/check.h"
#include "rules/rng.h"

namespace tengen {
namespace {

constexpr hsize_t kSealBytes = 512;  // of the user block, the smallest that HDF5 has
constexpr hsize_t kChunkRows = 128;

// --- the library: one thread at a time, silent, errors as text ---

// Holds the library for the length of a call and keeps it from printing to stderr.
class Session {
 public:
  Session() : lock_(mutex()) {
    H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Session() { H5Eset_auto2(H5E_DEFAULT, print_, print_data_); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  static std::recursive_mutex& mutex() {
    static std::recursive_mutex instance;
    return instance;
  }
  std::lock_guard<std::recursive_mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* print_data_ = nullptr;
};

// What HDF5 says of its last failure: the innermost entry of its error stack.
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

// An HDF5 identifier and the function that closes it.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close closer) : id_(id), close_(closer) {}
  Handle(Handle&& o) noexcept : id_(std::exchange(o.id_, -1)), close_(o.close_) {}
  Handle& operator=(Handle&& o) noexcept {
    std::swap(id_, o.id_);
    std::swap(close_, o.close_);
    return *this;
  }
  ~Handle() {
    if (id_ < 0) return;
    const Session session;
    close_(id_);
  }
  hid_t get() const { return id_; }
  // Closes now; the return value says whether that worked.
  bool close() { return close_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

// Names one file in errors.
class Place {
 public:
  explicit Place(std::filesystem::path path) : path_(std::move(path)) {}
  const std::filesystem::path& path() const { return path_; }
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(path_.string() + ": " + what);
  }
  void require(bool holds, const std::string& what) const {
    if (!holds) refuse(what + ": " + reason());
  }
  Handle handle(hid_t id, Handle::Close close, const std::string& what) const {
    require(id >= 0, what);
    return Handle(id, close);
  }

 private:
  std::filesystem::path path_;
};

template <class T>
struct Element;
#define TENGEN_ELEMENT(type, stored, native)      \
  template <>                                     \
  struct Element<type> {                          \
    static hid_t file_type() { return stored; }   \
    static hid_t memory_type() { return native; } \
    static constexpr const char* kName = #type;   \
  }
TENGEN_ELEMENT(std::uint8_t, H5T_STD_U8LE, H5T_NATIVE_UINT8);
TENGEN_ELEMENT(std::int8_t, H5T_STD_I8LE, H5T_NATIVE_INT8);
TENGEN_ELEMENT(std::uint16_t, H5T_STD_U16LE, H5T_NATIVE_UINT16);
TENGEN_ELEMENT(std::int32_t, H5T_STD_I32LE, H5T_NATIVE_INT32);
TENGEN_ELEMENT(std::int64_t, H5T_STD_I64LE, H5T_NATIVE_INT64);
TENGEN_ELEMENT(std::uint64_t, H5T_STD_U64LE, H5T_NATIVE_UINT64);
TENGEN_ELEMENT(float, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT);
#undef TENGEN_ELEMENT

Handle text_type(const Place& place, std::size_t length) {
  Handle type = place.handle(H5Tcopy(H5T_C_S1), H5Tclose, "text type");
  place.require(H5Tset_size(type.get(), length) >= 0, "text type");
  place.require(H5Tset_cset(type.get(), H5T_CSET_UTF8) >= 0, "text type");
  return type;
}

// --- the seal ---

class FileDescriptor {
 public:
  FileDescriptor(const Place& place, int flags)
      : fd_(::open(place.path().c_str(), flags | O_CLOEXEC)) {
    if (fd_ < 0) place.refuse(std::string("cannot open: ") + std::strerror(errno));
  }
  ~FileDescriptor() { ::close(fd_); }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

std::vector<std::byte> read_bytes(const Place& place, const FileDescriptor& file) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) {
    place.refuse(std::string("cannot stat: ") + std::strerror(errno));
  }
  if (!S_ISREG(status.st_mode)) place.refuse("cannot read: not a file");
  std::vector<std::byte> bytes(static_cast<std::size_t>(status.st_size));
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n =
        ::pread(file.get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) place.refuse(std::string("cannot read: ") + std::strerror(errno));
    done += static_cast<std::size_t>(n);
  }
  return bytes;
}

std::string seal_of(std::span<const std::byte> bytes) {
  char hash[17];
  std::snprintf(hash, sizeof hash, "%016llx",
                static_cast<unsigned long long>(hash_of_bytes(bytes.subspan(kSealBytes))));
  std::string seal =
      "tengen-sealed hash=" + std::string(hash) + " bytes=" + std::to_string(bytes.size()) + "\n";
  seal.resize(kSealBytes, '\0');
  return seal;
}

void write_seal(const Place& place) {
  const FileDescriptor file(place, O_RDWR);
  const std::vector<std::byte> bytes = read_bytes(place, file);
  if (bytes.size() <= kSealBytes) place.refuse("is too short to seal");
  const std::string seal = seal_of(bytes);
  if (::pwrite(file.get(), seal.data(), seal.size(), 0) != static_cast<ssize_t>(seal.size()) ||
      ::fsync(file.get()) != 0) {
    place.refuse(std::string("cannot write the seal: ") + std::strerror(errno));
  }
}

void check_seal(const Place& place) {
  const std::vector<std::byte> bytes = read_bytes(place, FileDescriptor(place, O_RDONLY));
  if (bytes.size() <= kSealBytes) {
    place.refuse("damaged: " + std::to_string(bytes.size()) + " bytes are too few");
  }
  const std::string_view found(reinterpret_cast<const char*>(bytes.data()), kSealBytes);
  if (!found.starts_with("tengen-sealed ")) place.refuse("has no seal: incomplete or not ours");
  const std::string expected = seal_of(bytes);
  if (found != expected) {
    place.refuse("damaged: expected '" + expected.substr(0, expected.find('\n')) +
                 "', the seal says '" + std::string(found.substr(0, found.find('\n'))) + "'");
  }
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

}  // namespace

std::uint64_t hash_of_bytes(std::span<const std::byte> bytes, std::uint64_t h) {
  std::size_t i = 0;
  std::uint64_t word = 0;
  for (; i + sizeof word <= bytes.size(); i += sizeof word) {
    std::memcpy(&word, bytes.data() + i, sizeof word);
    h = mix64(h ^ word);
  }
  if (i < bytes.size()) {
    word = 0;
    std::memcpy(&word, bytes.data() + i, bytes.size() - i);
    h = mix64(h ^ word);
  }
  return mix64(h ^ bytes.size());
}

// --- writing ---

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
    hash = mix64(hash ^ hash_of_bytes(std::as_bytes(std::span(name))));
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
  {
    const Session session;
    impl_->place.require(H5Fflush(impl_->file.get(), H5F_SCOPE_GLOBAL) >= 0, "cannot write");
    impl_->place.require(impl_->file.close(), "cannot close");
  }
  write_seal(impl_->place);
}

// --- reading ---

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

ColumnReader::ColumnReader(const std::filesystem::path& path)
    : impl_(std::make_unique<Impl>(path)) {
  check_seal(impl_->place);
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

std::uint64_t ColumnReader::content_hash(std::span<const std::string> names) const {
  const Session session;
  std::uint64_t hash = 0;
  for (const std::string& name : names) {
    const Impl::Dataset& dataset = impl_->dataset(name);
    const Handle type = impl_->place.handle(H5Dget_type(dataset.handle.get()), H5Tclose, name);
    std::vector<std::byte> bytes(static_cast<std::size_t>(dataset.shape.rows) *
                                 row_width(dataset.shape) * H5Tget_size(type.get()));
    impl_->read(dataset, name, type.get(), 0, dataset.shape.rows, bytes.data());
    hash = mix64(hash ^ hash_of_bytes(std::as_bytes(std::span(name))));
    hash = mix64(hash ^ hash_of_bytes(bytes));
  }
  return hash;
}

#define TENGEN_COLUMN(type)                                                             \
  template void ColumnWriter::write(const std::string&, std::span<const type>,          \
                                    const ColumnShape&);                                \
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
