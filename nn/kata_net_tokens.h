#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nn/net_model.h"

namespace tengen {

// Reads the tokens of a KataGo model file one by one: ASCII words between blanks, and arrays of
// numbers, which are words too in the text form; in the binary form "@BIN@" and little-endian
// float32. Whatever is wrong is an Error "file: layer: expected, found".
class KataNetTokens {
 public:
  KataNetTokens(std::string_view bytes, bool is_text, std::string_view file)
      : left_(bytes), is_text_(is_text), file_(file) {}

  // The layer that errors name from now on.
  void enter(std::string layer) { layer_ = std::move(layer); }

  // The next word, at most 256 printable characters; `what` is expected, for the error.
  std::string word(std::string_view what);
  int integer(std::string_view what, int least, int most);
  FileNumber positive(std::string_view what);
  // As many as the product of `sizes`, each at most 2^16. Asks whether the bytes left can hold
  // them before it makes room for them.
  std::vector<float> floats(std::string_view what, const std::vector<int>& sizes);
  // Nothing but blanks may follow.
  void end();

  [[noreturn]] void fail(const std::string& what) const;

 private:
  void skip_blanks();
  std::vector<float> binary_floats(std::string_view what, std::uint64_t count);
  std::vector<float> text_floats(std::string_view what, std::uint64_t count);

  std::string_view left_;
  bool is_text_;
  std::string_view file_;
  std::string layer_;
};

}  // namespace tengen
