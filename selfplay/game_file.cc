#include "selfplay/game_file.h"

#include <string>

#include "rules/durable_file.h"
#include "selfplay/game_text.h"

namespace tengen {

void write_games(const std::filesystem::path& path, std::span<const GameRecord> games) {
  std::string text;
  for (const GameRecord& game : games) text += canonical_text(game);
  write_durable(path, text);
}

std::vector<GameRecord> read_games(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  try {
    return parse_canonical_text(text);
  } catch (const Error& error) {
    throw Error(path.string() + ": " + error.what());
  }
}

}  // namespace tengen
