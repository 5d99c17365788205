#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "rules/check.h"

namespace tengen {

// A fresh directory, removed with the object. Throws Error if none can be made.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "tengen_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw Error(name + ": cannot make a directory");
    path_ = name;
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace tengen
