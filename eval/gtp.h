#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "eval/player.h"

namespace tengen {

// A GTP 2 engine (draft 2, Farneback) around a player. Knows no network: main gives it one.
class GtpEngine {
 public:
  struct Options {
    std::string name = "Tengen";
    std::string version;
    Rules rules;  // the start; boardsize and komi change it
    std::uint64_t seed = 0;
  };
  GtpEngine(std::shared_ptr<Player> player, const Options& options);

  // Answers one line: "=..." or "?..." with the id and the closing blank line; "" for blank lines
  // and comments.
  std::string answer(const std::string& line);
  bool quit() const;

  // Reads lines until quit or the end of the input.
  void serve(std::istream& in, std::ostream& out);

 private:
  // builder's
};

}  // namespace tengen
