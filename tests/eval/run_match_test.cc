#include "eval/run_match.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "rules/durable_file.h"
#include "rules/temporary_directory.h"

namespace tengen {
namespace {

std::unique_ptr<PlayableNet> no_nets(const std::filesystem::path& path) {
  throw Error(path.string() + ": no net is to be opened here");
}

// An engine that only passes, and notes what it is told.
TEST(RunMatch, NoGameIsToldAnewToAGtpPlayer) {
  const TemporaryDirectory directory;
  const auto told = directory.path() / "told";
  MatchRequest request;
  request.a = "gtp:while read line; do echo \"$line\" >>" + told.string() +
              R"(; case "$line" in genmove*) printf '= pass\n\n';; *) printf '=\n\n';; esac; done)";
  request.b = "random";
  request.size = "3";
  request.pairs = 6;
  EXPECT_EQ(run_match(request, no_nets), 0);
  const auto text = read_file(told);
  int games = 0;
  for (std::size_t at = 0; (at = text.find("clear_board", at)) != std::string::npos; ++at) ++games;
  EXPECT_EQ(games, 2 * request.pairs);
}

}  // namespace
}  // namespace tengen
