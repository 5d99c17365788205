#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rules/move.h"
#include "rules/point_set.h"
#include "rules/rules.h"

namespace tengen {

// The lines of a gzipped text; empty if it is not there.
std::vector<std::string> read_gzip_lines(const std::string& path);

// KataGo's rules as its `kata-get-rules` tells them (ko, scoring, tax, suicide, hasButton) with
// what else KataGo has under them: no result and same passes under simple ko, pass-dead stones
// under area scoring, clean-up phases under territory scoring.
Rules rules_of_katago(const nlohmann::json& rules, BoardSize size, double komi);

// A file of tests/rules/data, unless the environment variable names another.
std::string katago_data_path(const char* variable, const std::string& file);

// A line of the files there: what they have in common.
struct KataGoGame {
  nlohmann::json json;
  Rules rules;
  std::vector<Move> moves;
  std::string result;  // "B+3.5", "0", "Void"

  explicit KataGoGame(const std::string& line);
  // The points that json[field] names for a ply; none if the ply is not there.
  PointSet points(const char* field, int ply) const;
};

}  // namespace tengen
