// What a model file of KataGo's says of positions, computed without LibTorch: a JSON object a line,
// with the fields of Position in katago.py and, as `answer`, those of its RawOutput (White's view).
//
//   write_kata_answers NET.bin.gz
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>

#include "nn/kata_net_reader.h"
#include "nn/net_outputs.h"
#include "nn/reference_network.h"
#include "rules/playout.h"

namespace tengen {
namespace {

using nlohmann::json;

constexpr int kPositions = 20;

struct Asked {
  Position position;
  json fields;
};

// Of random games on several boards and under several rules.
Asked asked_for(int index) {
  constexpr BoardSize kSizes[] = {{9, 9}, {7, 10}, {13, 13}, {19, 19}};
  constexpr Ko kKos[] = {Ko::kPositional, Ko::kSimple, Ko::kSituational};
  constexpr const char* kKoNames[] = {"POSITIONAL", "SIMPLE", "SITUATIONAL"};
  Rules rules;
  rules.size = kSizes[index % std::size(kSizes)];
  rules.ko = kKos[index % std::size(kKos)];
  rules.dead_stones = DeadStones::kPassDead;
  rules.multi_stone_suicide = index % 2 == 0;
  rules.komi = Komi::from_half_points(11 + index % 5);
  Asked asked{Position(rules), {}};
  Rng rng(3, static_cast<std::uint64_t>(index));
  json moves = json::array();
  const int plies = rules.size.area() * (index + 1) / (kPositions + 4);
  for (int ply = 0; ply < plies && !asked.position.is_over(); ++ply) {
    const Move move = random_move(asked.position, rng);
    moves.push_back(
        {asked.position.to_move() == Color::kBlack ? "b" : "w", to_text(move, rules.size)});
    asked.position.play(move);
  }
  asked.fields = {{"width", rules.size.width},
                  {"height", rules.size.height},
                  {"komi", (11 + index % 5) / 2.0},
                  {"moves", moves},
                  {"rules",
                   {{"ko", kKoNames[index % std::size(kKos)]},
                    {"scoring", "AREA"},
                    {"tax", "NONE"},
                    {"suicide", rules.multi_stone_suicide},
                    {"hasButton", false},
                    {"friendlyPassOk", false},
                    {"whiteHandicapBonus", "0"}}}};
  return asked;
}

// Probabilities of the legal moves; NaN for others.
std::vector<double> policy_of(const NetOutputs& outputs, const Position& position) {
  const BoardSize size = position.size();
  std::vector<double> p(outputs.policy_logits.begin(), outputs.policy_logits.end());
  double sum = 0;
  for (int i = 0; i <= size.area(); ++i) {
    const bool legal = i == size.area() || position.is_legal(Move(size.point(i)));
    p[i] = legal ? std::exp(p[i]) : std::nan("");
    if (legal) sum += p[i];
  }
  for (double& x : p) x /= sum;
  return p;
}

json grid(const std::vector<double>& values, BoardSize size) {
  json rows = json::array();
  for (int row = 0; row < size.height; ++row) {
    json line = json::array();
    for (int column = 0; column < size.width; ++column) {
      const double x = values[static_cast<std::size_t>(row * size.width + column)];
      line.push_back(std::isnan(x) ? json() : json(x));
    }
    rows.push_back(line);
  }
  return rows;
}

json answer(const NetOutputs& o, const Position& position) {
  const double sign = position.to_move() == Color::kWhite ? 1 : -1;
  const auto policy = policy_of(o, position);
  std::vector<double> ownership;
  for (const float x : o.ownership) ownership.push_back(sign * x);
  return {{"scalars",
           {{"whiteWin", sign > 0 ? o.win : o.loss},
            {"whiteLoss", sign > 0 ? o.loss : o.win},
            {"noResult", o.no_result},
            {"whiteLead", sign * o.lead},
            {"whiteScoreSelfplay", sign * o.score_mean},
            {"whiteScoreSelfplaySq", o.score_mean_square},
            {"varTimeLeft", o.variance_time},
            {"shorttermWinlossError", o.winloss_error},
            {"shorttermScoreError", o.score_error}}},
          {"policy", grid(policy, position.size())},
          {"policy_pass", policy.back()},
          {"white_ownership", grid(ownership, position.size())}};
}

void print_answers(const char* file) {
  const auto model = std::make_shared<const NetModel>(read_kata_net(file));
  const auto network = make_reference_network(model);
  for (int i = 0; i < kPositions; ++i) {
    Asked asked = asked_for(i);
    const EvaluationInput input{features_of(asked.position), Symmetry()};
    RawOutputs raw;
    network->compute({&input, 1}, {&raw, 1});
    const NetOutputs outputs = net_outputs(raw, *model, can_have_no_result(input.features));
    asked.fields["answer"] = answer(outputs, asked.position);
    std::printf("%s\n", asked.fields.dump().c_str());
  }
}

}  // namespace
}  // namespace tengen

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_kata_answers NET.bin.gz\n");
    return 2;
  }
  try {
    tengen::print_answers(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
