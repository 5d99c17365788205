// Writes games for sgf_readers.py into the directory named by the argument: whole games, a handicap
// game whose texts need escapes, a set-up position, variations.
#include <filesystem>

#include "rules/durable_file.h"
#include "rules/playout.h"
#include "rules/sgf_game.h"

namespace {

using namespace tengen;

void add_random_moves(SgfGame& game, std::uint64_t seed) {
  Rng rng(seed);
  Rules rules;
  rules.size = game.size();
  Position position(rules, game.setup, game.to_move);
  while (!position.is_over()) {
    game.moves.push_back({position.to_move(), random_move(position, rng)});
    position.play(game.moves.back().move);
  }
}

SgfTree whole_game(int n, int seed) {
  SgfGame game;
  game.setup = Board(BoardSize::square(n));
  game.komi = Komi::from_half_points(15 - 2 * seed);
  add_random_moves(game, static_cast<std::uint64_t>(seed));
  return tree_of(game);
}

SgfTree handicap_game() {
  SgfGame game;
  const BoardSize size = BoardSize::square(19);
  PointSet stones;
  for (const char* name : {"D4", "Q16", "D16"}) stones.insert(size.index(*parse_point(name, size)));
  game.setup = *Board::from_stones(size, stones, {});
  game.to_move = Color::kWhite;
  game.handicap = 3;
  game.komi = Komi::from_half_points(1);
  game.charset = "UTF-8";
  game.application = "Tengen:test";
  game.black_name = "a]b\\c: [d]";
  game.white_name = "\xE6\xA3\x8B\xE5\xA3\xAB";  // "go player" in Japanese
  game.rules = "Chinese";
  game.result = "B+3.5";
  add_random_moves(game, 3);
  SgfTree tree = tree_of(game);
  tree.node(2).add("C", "[1] a\\b]\nsecond line");
  return tree;
}

SgfTree set_up_position() {
  SgfGame game;
  game.setup = board_from_text(R"(
      . X O . .
      X . X O .
      . X O . .
      . . . . .
      . . . . .)");
  game.to_move = Color::kWhite;
  game.komi = Komi::from_half_points(0);
  return tree_of(game);
}

SgfTree variations() {
  return parse_sgf(R"((;FF[4]SZ[9]KM[7];B[ee](;W[ce];B[cd](;W[de])(;W[be]))(;W[]C[second])))")
      .front();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::filesystem::path directory = argv[1];
  write_durable(directory / "whole-9.sgf", to_text(whole_game(9, 1)));
  write_durable(directory / "whole-19.sgf", to_text(whole_game(19, 2)));
  write_durable(directory / "handicap-19.sgf", to_text(handicap_game()));
  write_durable(directory / "set-up-5.sgf", to_text(set_up_position()));
  write_durable(directory / "variations-9.sgf", to_text(variations()));
}
