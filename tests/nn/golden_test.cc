// A published KataGo network (g170 b6c96) says what KataGo said: `kata-raw-nn` on the positions of
// its own test, and on positions of random games under random rules.
//
// KataGo's repository has the answers to its own test from a GPU whose convolutions round to TF32
// (10 bits): they differ from fp32 by up to 2.5e-4 in win probability. data/rawnn_fp32.txt has them
// from the same input on a CPU in fp32 (KataGo v1.18.1 with OpenCL on pocl; tests/interop/katago.py
// runs it), and there only the printed digits differ.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "../reference_data.h"
#include "../rules/katago_games.h"
#include "nn/cpu_evaluator.h"
#include "nn/kata_net_reader.h"
#include "nn/net_compare.h"
#include "nn/net_outputs.h"
#include "nn/reference_network.h"
#include "random_inputs.h"
#include "rules/position.h"
#include "rules/presets.h"

namespace tengen {
namespace {

// One answer as KataGo prints it, White's view: numbers by name, planes row by row, -1 for moves
// that are not legal.
struct Answer {
  int symmetry = 0;
  std::map<std::string, double> numbers;  // whiteWin, noResult, whiteLead, policyPass, ...
  std::vector<double> policy, ownership;  // [area]
};

double number_of(const std::string& text) {
  return text == "NAN" ? -1 : std::stod(text);
}

// What `model` says of the position through `symmetry`, in the same form.
Answer answer_of(const NetModel& model, CpuNetwork& network, const Position& position,
                 int symmetry) {
  const EvaluationInput input{features_of(position, FeatureSchema::kV7), Symmetry(symmetry)};
  RawOutputs raw;
  network.compute({&input, 1}, {&raw, 1});
  const NetOutputs net = net_outputs(raw, model, can_have_no_result(input.features));
  const bool white = position.to_move() == Color::kWhite;
  const double sign = white ? 1 : -1;
  Answer answer;
  answer.symmetry = symmetry;
  answer.numbers = {{"whiteWin", white ? net.win : net.loss},
                    {"whiteLoss", white ? net.loss : net.win},
                    {"noResult", net.no_result},
                    {"whiteLead", sign * net.lead},
                    {"whiteScoreSelfplay", sign * net.score_mean},
                    {"whiteScoreSelfplaySq", net.score_mean_square}};
  const PointSet legal = position.legal_points();
  double sum = 0;
  const double pass = std::exp(net.policy_logits.back());
  for (int i = 0; i < position.size().area(); ++i) {
    answer.policy.push_back(legal.contains(i) ? std::exp(net.policy_logits[i]) : -1);
    answer.ownership.push_back(sign * net.ownership[i]);
    if (legal.contains(i)) sum += answer.policy.back();
  }
  for (double& p : answer.policy) p = p < 0 ? p : p / (sum + pass);
  answer.numbers["policyPass"] = pass / (sum + pass);
  return answer;
}

// The largest difference of each head over many answers.
class Differences {
 public:
  void add(const Answer& ours, const Answer& theirs) {
    ++answers_;
    for (const auto& [name, value] : ours.numbers) note(name, value, theirs.numbers.at(name));
    for (std::size_t i = 0; i < ours.policy.size(); ++i) {
      ASSERT_EQ(ours.policy[i] < 0, theirs.policy[i] < 0) << "legality of point " << i;
      note("policy", ours.policy[i], theirs.policy[i]);
      note("ownership", ours.ownership[i], theirs.ownership[i]);
    }
  }
  double of(const std::string& name) const { return largest_.at(name); }
  int answers() const { return answers_; }
  std::string text() const {
    std::ostringstream out;
    for (const auto& [name, value] : largest_) out << name << " " << value << "  ";
    return out.str();
  }

 private:
  void note(const std::string& name, double a, double b) {
    largest_[name] = std::max(largest_[name], std::abs(a - b));
  }
  int answers_ = 0;
  std::map<std::string, double> largest_;
};

class Golden : public testing::Test {
 protected:
  void SetUp() override {
    const auto path = katago_data() / "g170-b6c96-s175395328-d26788732.bin.gz";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
    model_ = std::make_shared<const NetModel>(read_kata_net(path));
    network_ = make_reference_network(model_);
  }
  std::shared_ptr<const NetModel> model_;
  std::unique_ptr<CpuNetwork> network_;
};

// The answers of rawnn_expected.txt, in its order.
std::vector<Answer> read_answers(std::istream& in) {
  std::vector<Answer> answers;
  std::vector<double>* plane = nullptr;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("= ")) line.erase(0, 2);
    std::istringstream words(line);
    std::string word;
    if (!(words >> word)) continue;
    if (word == "symmetry") {
      words >> answers.emplace_back().symmetry;
    } else if (word == "policy") {
      plane = &answers.back().policy;
    } else if (word == "whiteOwnership") {
      plane = &answers.back().ownership;
    } else if (std::isalpha(word[0]) != 0 && word != "NAN") {
      words >> answers.back().numbers[word];
    } else {
      do plane->push_back(number_of(word));
      while (words >> word);
    }
  }
  return answers;
}

// Of our answers to KataGo's own test from those in the file.
Differences differences_from(const std::filesystem::path& path, const NetModel& model,
                             CpuNetwork& network) {
  std::ifstream file(path);
  const auto expected = read_answers(file);
  EXPECT_EQ(expected.size(), 11U) << path;
  // The positions of rawnn_input.gtp. Its `kata-set-rules` leaves komi at 7.5.
  const auto position_of = [](std::string_view rules, BoardSize size,
                              std::initializer_list<const char*> moves) {
    Rules r = preset_rules(rules, size);
    r.komi = Komi::from_half_points(15);
    Position position(r);
    for (const char* move : moves) position.play(*parse_move(move, size));
    return position;
  };
  const Position square = position_of("chinese", {9, 9}, {"C3", "C6"});
  const Position wide = position_of("new-zealand", {7, 10}, {"C3", "C7", "F7"});
  Differences differences;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Position& position = i < 3 ? square : wide;
    // KataGo has no transposition of boards that are not square: 4 to 7 are 0 to 3.
    const int symmetry = expected[i].symmetry % Symmetry::count(position.size());
    differences.add(answer_of(model, network, position, symmetry), expected[i]);
  }
  return differences;
}

// Bounds in the unit of the printed numbers; half a unit of their last digit is in them.
struct Bounds {
  double probability, ownership, score, mean_square;
};

void expect_within(const Differences& differences, const Bounds& bounds) {
  const std::string all = differences.text();
  for (const char* name : {"whiteWin", "whiteLoss", "noResult", "policy", "policyPass"}) {
    EXPECT_LT(differences.of(name), bounds.probability) << name << "; all: " << all;
  }
  EXPECT_LT(differences.of("ownership"), bounds.ownership) << all;
  EXPECT_LT(differences.of("whiteLead"), bounds.score) << all;
  EXPECT_LT(differences.of("whiteScoreSelfplay"), bounds.score) << all;
  EXPECT_LT(differences.of("whiteScoreSelfplaySq"), bounds.mean_square) << all;
}

TEST_F(Golden, G170SaysWhatKataGoSaysToItsOwnTestInFp32) {
  const auto path = TENGEN_SOURCE_DIR "/tests/nn/data/rawnn_fp32.txt";
  expect_within(differences_from(path, *model_, *network_), {5e-6, 5e-6, 6e-4, 1e-3});
}

TEST_F(Golden, G170SaysWhatKataGosOwnTestExpectsUpToTheRoundingOfItsGpu) {
  const auto path = katago_data() / "rawnn_expected.txt";
  expect_within(differences_from(path, *model_, *network_), {1e-3, 5e-4, 8e-3, 0.05});
}

Answer answer_in(const nlohmann::json& net) {
  Answer answer;
  for (const auto& [name, value] : net.items()) {
    if (value.is_string()) answer.numbers[name] = number_of(value.get<std::string>());
  }
  for (const auto& p : net["policy"]) answer.policy.push_back(number_of(p.get<std::string>()));
  for (const auto& o : net["own"]) answer.ownership.push_back(number_of(o.get<std::string>()));
  return answer;
}

TEST_F(Golden, G170SaysWhatKataGoSaidInRandomGames) {
  const auto lines = read_gzip_lines(katago_data() / "traces.jsonl.gz");
  if (lines.empty()) GTEST_SKIP() << "no traces";
  Differences differences;
  for (const std::string& line : lines) {
    const auto game = nlohmann::json::parse(line);
    const BoardSize size{game["w"].get<std::int8_t>(), game["h"].get<std::int8_t>()};
    Position position(rules_of_katago(game["rules"], size, game["komi"].get<double>()));
    const auto compare = [&](int ply) {
      const auto net = game["net"].find(std::to_string(ply));
      if (net == game["net"].end()) return;
      differences.add(answer_of(*model_, *network_, position, 0), answer_in(*net));
    };
    int ply = 0;
    for (const auto& move : game["moves"]) {
      compare(ply++);
      position.play(*parse_move(move.get<std::string>(), size));
    }
    compare(ply);
  }
  EXPECT_EQ(differences.answers(), 877);
  expect_within(differences, {1e-5, 2e-5, 8e-4, 0.02});
}

TEST_F(Golden, PathsOfLowPrecisionStayNearFp32OnAThousandPositions) {
  auto paths = available_cpu_paths(*model_);
  std::erase_if(paths, [](CpuPath path) { return path < CpuPath::kFp16; });
  if (paths.empty()) GTEST_SKIP() << "this machine has fp32 only";
  const auto inputs = random_inputs(1000, {{9, 9}}, 11);
  const auto said_by = [&](CpuPath path) {
    std::vector<RawOutputs> raw(inputs.size());
    make_cpu_network(model_, path)->compute(inputs, raw);
    return net_outputs(raw, inputs, *model_);
  };
  const auto expected = said_by(CpuPath::kReference);
  for (const CpuPath path : paths) {
    const OutputDifference difference = largest_difference(expected, said_by(path));
    const std::string name(name_of(path));
    EXPECT_LT(difference.policy, 0.02) << name;
    EXPECT_LT(difference.value, 0.01) << name;
    RecordProperty(name + "_policy", std::to_string(difference.policy));
    RecordProperty(name + "_value", std::to_string(difference.value));
  }
}

}  // namespace
}  // namespace tengen
