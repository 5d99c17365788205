// What a net says of every legal 3x3 position with either side to move, without history, at komi
// 0.5, against exact play:
//   judge_3x3 NET
//   {"positions": n, "agree": share, "agree_after_search": share, "opening": "B2", "opening_prior":
//   p}

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "nn/net_evaluator.h"
#include "nn/net_files.h"
#include "rules/check.h"
#include "selfplay/search.h"
#include "superko_solver.h"

namespace tengen {
namespace {

constexpr std::size_t kBatch = 256;
constexpr int kSearched = 50;  // every 50th position is also searched
constexpr BoardSize kSize = BoardSize::square(3);

SearchOptions search_options() {
  SearchOptions options;
  options.visits = 32;
  options.gumbel_scale = 0;
  return options;
}

struct Case {
  Position position;
  bool is_won;  // by the side to move
};

std::vector<Case> cases(const Rules& rules) {
  SuperkoSolver solver(kSize, 1);  // Black needs one point: komi 0.5
  std::vector<Case> result;
  for (int number = 0; number < solver.board_count(); ++number) {
    if (!solver.is_legal(number)) continue;
    for (const Color c : {Color::kBlack, Color::kWhite}) {
      result.push_back({Position(rules, solver.board(number), c),
                        solver.black_wins(number, c) == (c == Color::kBlack)});
    }
  }
  return result;
}

// Of the network's own value, the mean over the symmetries of the board.
double agreement(const std::vector<Case>& cases, Evaluator& evaluator) {
  constexpr std::size_t kSymmetries = Symmetry::kCount;
  std::vector<EvaluationInput> inputs;
  std::vector<Evaluation> outputs(kBatch);
  std::size_t right = 0;
  for (std::size_t first = 0; first < cases.size(); first += kBatch / kSymmetries) {
    const auto count = std::min(kBatch / kSymmetries, cases.size() - first);
    inputs.clear();
    for (std::size_t i = first; i < first + count; ++i) {
      for (std::size_t s = 0; s < kSymmetries; ++s) {
        inputs.push_back({features_of(cases[i].position), Symmetry(static_cast<int>(s))});
      }
    }
    evaluator.evaluate(inputs, std::span(outputs).first(inputs.size()));
    for (std::size_t i = 0; i < count; ++i) {
      double lead = 0;
      for (const Evaluation& e : std::span(outputs).subspan(i * kSymmetries, kSymmetries)) {
        lead += e.win - e.loss;
      }
      right += (lead > 0) == cases[first + i].is_won ? 1U : 0U;
    }
  }
  return static_cast<double>(right) / static_cast<double>(cases.size());
}

double agreement_after_search(const std::vector<Case>& cases, Evaluator& evaluator) {
  int right = 0, count = 0;
  for (std::size_t i = 0; i < cases.size(); i += kSearched, ++count) {
    const auto found = search_position(search_options(), cases[i].position, i, evaluator);
    right += (found.win > 0.5F) == cases[i].is_won ? 1 : 0;
  }
  return static_cast<double>(right) / count;
}

int judge(const std::string& net) {
  auto loaded = load_net(net);
  const auto network = std::make_shared<const Network>(std::move(loaded.network));
  NetEvaluator evaluator(network, loaded.info.id, Calibration{"cpu", "fp32", kBatch, {16}}, kSize);
  Rules rules;
  rules.size = kSize;
  rules.komi = Komi::from_half_points(1);
  const auto all = cases(rules);
  const auto opening = search_position(search_options(), Position(rules), 1, evaluator);
  const int centre = kSize.index(Point::at(1, 1));
  std::cout
      << nlohmann::ordered_json{{"positions", all.size()},
                                {"agree", agreement(all, evaluator)},
                                {"agree_after_search", agreement_after_search(all, evaluator)},
                                {"opening", to_text(opening.move, kSize)},
                                {"centre_prior", opening.prior[static_cast<std::size_t>(centre)]}}
             .dump()
      << "\n";
  return 0;
}

}  // namespace
}  // namespace tengen

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw tengen::UsageError("judge_3x3 NET");
    return tengen::judge(argv[1]);
  } catch (const std::exception& e) {
    std::cerr << e.what() << "\n";
    return 1;
  }
}
