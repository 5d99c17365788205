#include "katago_games.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <sstream>

namespace tengen {
namespace {

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

}  // namespace

std::vector<std::string> read_gzip_lines(const std::string& path) {
  std::FILE* in = std::fopen(path.c_str(), "rb");
  if (in == nullptr) return {};
  std::fclose(in);
  std::vector<std::string> lines(1);
  std::FILE* pipe = popen(("gzip -dc '" + path + "'").c_str(), "r");
  std::string buffer(1 << 16, '\0');
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    for (std::size_t i = 0; i < n; ++i) {
      if (buffer[i] == '\n') {
        lines.emplace_back();
      } else {
        lines.back() += buffer[i];
      }
    }
  }
  EXPECT_EQ(pclose(pipe), 0);
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

Rules rules_of_katago(const nlohmann::json& told, BoardSize size, double komi) {
  Rules rules;
  rules.size = size;
  if (told["ko"] == "SIMPLE") {
    rules.ko = Ko::kSimple;
    rules.repetition = Repetition::kNoResult;
    rules.play_end = PlayEnd::kTwoPassesOrSamePass;
  } else {
    rules.ko = told["ko"] == "POSITIONAL" ? Ko::kPositional : Ko::kSituational;
  }
  rules.multi_stone_suicide = told["suicide"];
  rules.tax = told["tax"] == "NONE" ? Tax::kNone : told["tax"] == "SEKI" ? Tax::kSeki : Tax::kAll;
  if (told["scoring"] == "AREA") {
    rules.dead_stones = DeadStones::kPassDead;
  } else {
    rules.scoring = Scoring::kTerritory;
    rules.dead_stones = DeadStones::kPlayedOut;
  }
  rules.button = told["hasButton"];
  rules.komi = Komi::from_half_points(static_cast<int>(2 * komi));
  validate(rules);
  return rules;
}

std::string katago_data_path(const char* variable, const std::string& file) {
  const char* named = std::getenv(variable);
  return named != nullptr ? named : TENGEN_SOURCE_DIR "/tests/rules/data/" + file;
}

KataGoGame::KataGoGame(const std::string& line)
    : json(nlohmann::json::parse(line)),
      rules(rules_of_katago(
          json["rules"], {json["size"][0].get<std::int8_t>(), json["size"][1].get<std::int8_t>()},
          json["komi"].get<double>())),
      result(json["result"]) {
  for (const std::string& word : words(json["moves"])) {
    moves.push_back(parse_move(word, rules.size).value());
  }
}

PointSet KataGoGame::points(const char* field, int ply) const {
  PointSet points;
  const auto found = json[field].find(std::to_string(ply));
  if (found == json[field].end()) return points;
  for (const std::string& word : words(*found)) {
    points.insert(rules.size.index(parse_move(word, rules.size)->point()));
  }
  return points;
}

}  // namespace tengen
