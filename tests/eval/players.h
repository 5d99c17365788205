#pragma once

#include <functional>
#include <string>
#include <utility>

#include "eval/player.h"

namespace tengen {

// A player whose choice is a function of the position, for tests.
class FunctionPlayer : public Player {
 public:
  using Choose = std::function<MoveChoice(const MoveRequest&)>;
  FunctionPlayer(std::string name, Choose choose)
      : name_(std::move(name)), choose_(std::move(choose)) {}
  std::string name() const override { return name_; }
  void choose(std::span<const MoveRequest> requests, std::span<MoveChoice> choices) override {
    for (std::size_t i = 0; i < requests.size(); ++i) choices[i] = choose_(requests[i]);
  }

 private:
  std::string name_;
  Choose choose_;
};

inline Rules rules_on(int n, double komi) {
  Rules rules;
  rules.size = BoardSize::square(n);
  rules.komi = Komi::from_half_points(static_cast<int>(2 * komi));
  return rules;
}

}  // namespace tengen
