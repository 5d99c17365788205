#include "nn/net_report.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "nn/kata_net_reader.h"
#include "nn/net_source.h"
#include "nn/net_tensors.h"
#include "rules/check.h"

namespace tengen {

namespace fs = std::filesystem;

namespace {

using Kind = ModelBlock::Kind;

struct Line {
  std::string name, text;
};

std::string in_words(double number) {
  std::ostringstream text;
  text << std::setprecision(3);
  if (number >= 1e9) {
    text << number / 1e9 << " G";
  } else if (number >= 1e6) {
    text << number / 1e6 << " M";
  } else if (number >= 1e3) {
    text << number / 1e3 << " k";
  } else {
    text << number << " ";
  }
  return text.str();
}

std::string blocks_in_words(const std::vector<BlockShape>& blocks) {
  std::string text;
  for (Kind kind : {Kind::kOrdinary, Kind::kPooling, Kind::kNested}) {
    const auto count = std::ranges::count(blocks, kind, &BlockShape::kind);
    if (count == 0) continue;
    constexpr const char* kWords[] = {" ordinary", " pooling", " nested bottleneck"};
    text += (text.empty() ? "" : ", ") + std::to_string(count) + kWords[static_cast<int>(kind)];
  }
  return text;
}

std::string heads_in_words(const NetworkShape& shape) {
  std::string text =
      "policy (mover, reply, both softened" +
      std::string(shape.has_optimistic ? ", optimistic" : "") +
      "), value, short-term values, ownership, score (distribution, mean, deviation, lead), time";
  if (misc_outputs(shape.version) > kMiscScoreError) text += ", errors";
  return text;
}

std::int64_t parameters_of(const NetTensors& tensors) {
  std::int64_t count = 0;
  for (const auto& [name, t] : tensors) count += static_cast<std::int64_t>(t.values.size());
  return count;
}

struct ReadNet {
  NetInfo info;
  NetworkShape shape;
  NetTensors tensors;
};

ReadNet read(const fs::path& net) {
  if (!is_kata_net_file(net)) {
    NetDescription described = read_net_description(net);
    return {std::move(described.info), std::move(described.shape), read_net_tensors(net)};
  }
  const NetModel model = read_kata_net(net);
  try {
    return {kata_net_info(model), network_shape(model), net_tensors(model)};
  } catch (const Error& e) {
    throw Error(net.string() + ": " + e.what());
  }
}

std::vector<Line> lines_of(const ReadNet& net) {
  const NetworkShape& shape = net.shape;
  const NetInfo& info = net.info;
  std::string flop;
  for (const int side : {9, 13, 19}) {
    flop += (flop.empty() ? "" : ", ") + in_words(flop_per_evaluation(shape, side * side)) +
            "FLOP on " + std::to_string(side) + "x" + std::to_string(side);
  }
  const int field = 2 * receptive_radius(shape) + 1;
  return {
      {"net", info.id},
      {"size", described(shape)},
      {"blocks", blocks_in_words(shape.blocks)},
      {"parameters", std::to_string(parameters_of(net.tensors))},
      {"an evaluation", flop},
      {"receptive field", std::to_string(field) + "x" + std::to_string(field) +
                              ", beyond it pooling over the whole board"},
      {"heads", heads_in_words(shape)},
      {"outputs", "as KataGo's model version " + std::to_string(shape.version)},
      {"features", "version " + std::to_string(version_of(shape.features)) +
                       (shape.features == FeatureSchema::kV7 ? ": KataGo's V7"
                                                             : ": KataGo's V7 without ladders")},
      {"comes from", info.source.empty() ? "training here" : info.source},
      {"parent", info.parent.empty() ? "none" : info.parent},
      {"rules", info.rules.empty() ? "not said" : info.rules},
      {"trained for", std::to_string(info.step) + " steps on " + std::to_string(info.samples) +
                          " rows, " + std::to_string(info.evaluations) + " self-play evaluations"},
  };
}

struct Distance {
  double relative = 0;  // norm of the difference over that of the first
  double largest = 0;
};

Distance distance(const std::vector<float>& a, const std::vector<float>& b) {
  double square = 0, norm = 0;
  Distance result;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = static_cast<double>(b[i]) - a[i];
    square += d * d;
    norm += static_cast<double>(a[i]) * a[i];
    result.largest = std::max(result.largest, std::abs(d));
  }
  result.relative = norm > 0 ? std::sqrt(square / norm) : (square > 0 ? HUGE_VAL : 0);
  return result;
}

// Returns whether any differs.
bool print_weights(const NetTensors& a, const NetTensors& b, std::ostream& out) {
  bool differs = false;
  for (const auto& [name, t] : a) {
    const auto other = b.find(name);
    if (other == b.end() || other->second.sizes != t.sizes) {
      out << "  " << name << ": "
          << (other == b.end() ? "only in the first" : "of another shape in the second") << "\n";
      differs = true;
      continue;
    }
    const Distance d = distance(t.values, other->second.values);
    if (d.largest == 0) continue;
    out << "  " << std::left << std::setw(32) << name << std::right << std::setprecision(3)
        << " differs by " << 100 * d.relative << " % of its norm, at most by " << d.largest << "\n";
    differs = true;
  }
  for (const auto& [name, t] : b) {
    if (a.contains(name)) continue;
    out << "  " << name << ": only in the second\n";
    differs = true;
  }
  return differs;
}

}  // namespace

void print_net(const fs::path& net, std::ostream& out) {
  for (const Line& line : lines_of(read(net))) {
    out << std::left << std::setw(17) << line.name << line.text << "\n";
  }
}

void print_net_difference(const fs::path& a, const fs::path& b, std::ostream& out) {
  const ReadNet net_a = read(a), net_b = read(b);
  const auto lines_a = lines_of(net_a), lines_b = lines_of(net_b);
  bool differs = false;
  for (std::size_t i = 0; i < lines_a.size(); ++i) {
    if (lines_a[i].text == lines_b[i].text) continue;
    out << std::left << std::setw(17) << lines_a[i].name << lines_a[i].text << " | "
        << lines_b[i].text << "\n";
    differs = true;
  }
  differs |= print_weights(net_a.tensors, net_b.tensors, out);
  if (!differs) out << "no difference\n";
}

}  // namespace tengen
