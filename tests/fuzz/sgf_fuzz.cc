// Whatever the bytes: they are games that go round through text, or an Error that names a place.

#include <cstdint>
#include <string>

#include "rules/sgf.h"
#include "rules/sgf_game.h"

namespace tengen {
namespace {

bool names_a_place(const Error& error) {
  const std::string_view what = error.what();
  return what.starts_with("line ") && what.find(": expected ") != std::string_view::npos;
}

void check_game(const SgfTree& tree) {
  try {
    const SgfGame game = game_of(tree);
    check(game_of(tree_of(game)) == game, "a game goes round through a tree");
  } catch (const Error& error) {
    check(names_a_place(error), "an error names a place");
  }
}

void check_text(std::string_view text) {
  try {
    const std::vector<SgfTree> games = parse_sgf(text);
    check(parse_sgf(to_text(games)) == games, "games go round through text");
    for (const SgfTree& game : games) check_game(game);
  } catch (const Error& error) {
    check(names_a_place(error), "an error names a place");
  }
}

}  // namespace
}  // namespace tengen

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tengen::check_text({reinterpret_cast<const char*>(data), size});
  return 0;
}
