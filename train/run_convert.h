#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace tengen {

// `tengen convert`: rows of shards as KataGo's, or KataGo's as files of rows
// (selfplay/kata_convert.h).
struct ConvertRequest {
  std::vector<std::string> paths;  // shards, their directories, or runs; from KataGo: .npz files
  std::string to, from;            // "kata" in one of them
  std::string out;                 // folder
  int board = 19;                  // to KataGo: points of a side that its rows have room for
};
// A line for each file. Damaged ones are named on the error stream and left out: exit code 1.
int run_convert(const ConvertRequest& request, std::ostream& out);

}  // namespace tengen
