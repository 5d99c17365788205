#pragma once

#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nn/net_compare.h"

namespace tengen {

// `tengen export`.
struct ExportRequest {
  std::string net;             // the net's folder, or a model file of KataGo
  std::string to = "katago";   // "katago" or "onnx"
  std::string out;             // the file
  std::optional<int> version;  // KataGo's model version: 8 for old engines
};

// Writes a net as a file for other programs. An imported net, or KataGo's own file, goes out as it
// came. A net trained from an imported one goes out in that one's version, which says what its
// outputs mean, with its scales, options, names of layers and records of norms as far as they have
// not changed, and what training does not know (values of moves) as it was; its own are the weights
// and the name, which is its id. Others go out in version 11. The file is read back and computed by
// itself, and its outputs are compared with `answers`, those of the net, on positions of games on
// boards from 5x5 to 19x19: the largest differences are told to `out`, and what is beyond
// kExportBound is not written and an Error. Throws Error also for what the version cannot say,
// UsageError for a request that makes no sense.
void export_net(const ExportRequest& request, const NetAnswers& answers, std::ostream& out);

inline constexpr OutputDifference kExportBound = {1e-4, 1e-4, 5e-3, 1e-3};

}  // namespace tengen
