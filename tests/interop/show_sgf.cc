// show_sgf FILE: what Tengen reads in a file's first game, as one line of JSON, for sgf_readers.py.
#include <iostream>
#include <nlohmann/json.hpp>

#include "rules/sgf_game.h"

namespace {

using namespace tengen;

nlohmann::json names_of(const PointSet& points, BoardSize size) {
  nlohmann::json names = nlohmann::json::array();
  points.for_each([&](int index) { names.push_back(to_text(size.point(index), size)); });
  return names;
}

nlohmann::json to_json(const SgfGame& game) {
  nlohmann::json moves = nlohmann::json::array();
  Board board = game.setup;
  for (const auto& [color, move] : game.moves) {
    moves.push_back({color == Color::kBlack ? "b" : "w", to_text(move, game.size())});
    if (!move.is_pass()) board.play(move.point(), color);
  }
  return {{"size", game.size().width},
          {"komi", game.komi ? game.komi->points() : 0},
          {"handicap", game.handicap},
          {"to_move", game.to_move == Color::kBlack ? "b" : "w"},
          {"black_name", game.black_name},
          {"moves", moves},
          {"black", names_of(board.stones(Color::kBlack), game.size())},
          {"white", names_of(board.stones(Color::kWhite), game.size())}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::cout << to_json(game_of(read_sgf(argv[1]).front())) << '\n';
}
