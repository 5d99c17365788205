#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "nn/evaluator.h"
#include "selfplay/search_options.h"

namespace tengen {

// PUCT without noise, written from KataGo's description for tests: every node holds its position,
// and every number is worked out from the children each time it is needed. One game of one search.
class NaivePuct {
 public:
  NaivePuct(const SearchOptions& options, Evaluator& evaluator, const Position& root);
  void simulate(int times);
  void advance(Move move);  // to a child that has been visited

  std::vector<int> visits() const;  // of the root's moves, [area + 1]
  double utility() const;           // the root's mean

 private:
  struct Node {
    Position position;
    double raw = 0;
    double correction = 0;
    std::map<int, double> prior = {};  // by policy index
    std::map<int, std::unique_ptr<Node>> children = {};
    std::string kind = {};  // of its last move, for the subtree bias
    double error = 0, error_weight = 0;
    int ends = 0;  // simulations that ended here, in a finished game
  };
  struct Sums {
    int visits = 0;
    double utility = 0, square = 0;
  };
  std::unique_ptr<Node> node(const Position& position);
  Sums sums(const Node& n) const;
  int choice(const Node& n) const;
  void descend(Node& n);
  double kind_mean(const std::string& kind) const;
  static void forget(Node& n, double factor);

  SearchOptions options_;
  Evaluator& evaluator_;
  std::vector<Node*> all_;                   // before `root_`, which adds itself
  std::vector<std::unique_ptr<Node>> gone_;  // roots of before
  std::unique_ptr<Node> root_;
};

}  // namespace tengen
