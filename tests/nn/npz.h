#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace tengen {

// One array of an .npz file: its type as NumPy writes it ("<f4", "|u1"), its shape, its raw bytes
// in C order.
struct NpzArray {
  std::string type;
  std::vector<std::int64_t> shape;
  std::vector<unsigned char> bytes;
};

// Reads a NumPy .npz file (a zip of .npy files, stored or deflated) by names without ".npy". Enough
// for reference data: no zip64, no Fortran order. Throws Error.
std::map<std::string, NpzArray> read_npz(const std::filesystem::path& path);

}  // namespace tengen
