#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace tengen {

// NumPy's .npz files: zip archives (PKWARE's APPNOTE 6.3) of .npy arrays (NumPy's format 1.0),
// which numpy.load reads. As far as training rows need them.

// An array by its name (without ".npy"), its type as NumPy writes it ("<f4", "<i2", "|u1", "|i1"),
// its shape, and its elements as bytes in C order.
struct NpzEntry {
  std::string name;
  std::string type;
  std::vector<std::int64_t> shape;
  std::string bytes;
};

// Writes the arrays in this order, deflated, durably (rules/durable_file.h); equal arrays give
// equal files. Replaces what was there. Requires as many bytes as shape and type say. Throws Error,
// also if the file would have 4 GiB or more, which takes zip64.
void write_npz_file(const std::filesystem::path& path, std::span<const NpzEntry> entries);

// All arrays, stored or deflated, their checksums and sizes checked. Throws Error that names the
// file, and the array where it is one's fault: damaged, zip64, encrypted, Fortran order, an array
// of a type that is no number of fixed width, or one that needs more memory than deflate can make
// of the file.
std::vector<NpzEntry> read_npz_file(const std::filesystem::path& path);

}  // namespace tengen
