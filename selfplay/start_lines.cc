#include "selfplay/start_lines.h"

#include <algorithm>

#include "rules/check.h"
#include "rules/sgf_game.h"

namespace tengen {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> sgf_files(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file() && entry.path().extension() == ".sgf") {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

bool is_from_the_empty_board(const SgfGame& game) {
  if (game.setup != Board(game.size())) return false;
  Color to_move = Color::kBlack;
  for (const auto& played : game.moves) {
    if (played.color != to_move) return false;
    to_move = opponent(to_move);
  }
  return !game.moves.empty();
}

void add_lines(const fs::path& file, std::vector<StartLine>& lines) {
  for (const SgfTree& tree : read_sgf(file)) {
    try {
      const SgfGame game = game_of(tree);
      if (!is_from_the_empty_board(game)) continue;
      StartLine& line = lines.emplace_back();
      line.size = game.size();
      for (const auto& played : game.moves) line.moves.push_back(played.move);
    } catch (const Error& e) {
      throw Error(file.string() + ": " + e.what());
    }
  }
}

}  // namespace

std::vector<StartLine> read_start_lines(const fs::path& path) {
  if (!fs::exists(path)) {
    throw UsageError("games.starts: expected an SGF file or a folder, found no " + path.string());
  }
  std::vector<StartLine> lines;
  for (const fs::path& file : sgf_files(path)) add_lines(file, lines);
  if (lines.empty()) {
    throw UsageError("games.starts: " + path.string() +
                     ": expected a game from the empty board, found none");
  }
  return lines;
}

}  // namespace tengen
