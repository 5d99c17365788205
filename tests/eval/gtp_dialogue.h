#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "eval/gtp.h"

namespace tengen {

// Feeds a dialogue: lines without a mark in front are commands, lines with "=" or "?" the expected
// answer to the last one.
inline void expect_dialogue(GtpEngine& engine, const std::string& dialogue) {
  std::istringstream lines(dialogue);
  std::string answer, command;
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, line.find_first_not_of(' '));
    if (line.empty()) continue;
    if (line[0] != '=' && line[0] != '?') {
      command = line;
      answer = engine.answer(line);
    } else {
      EXPECT_EQ(answer, line + "\n\n") << "to " << command;
    }
  }
}

}  // namespace tengen
