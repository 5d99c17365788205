#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "eval/playable_net.h"

namespace tengen {

// `tengen match`: paired games between two players; see make_player for their names.
struct MatchRequest {
  std::string a, b;
  std::string rules = {};  // as rules_named reads them; "" takes those of a net, else Tromp-Taylor
  std::string size;        // "" takes the rules that a net of the two was trained under, else 9x9
  std::string komi;        // "" takes that net's, else 7
  int pairs = 50;
  int opening_moves = 4;
  int visits = 64;
  std::string search = "auto";  // see match_search
  std::string search_b;         // of b; "" takes `search`
  int visits_b = 0;             // of b; 0 takes `visits`
  int symmetries = 1;           // as leaves, see ThinkOptions
  int leaves = 1;
  std::uint64_t seed = 1;
  std::string json;  // file for the result, "" for none
};
int run_match(const MatchRequest& request, const OpenNet& open);

// `tengen gtp`: an engine on standard input and output. `version` is what it says of itself.
struct GtpRequest {
  std::string net;
  int visits = 64;
  std::string search = "auto";  // see match_search
  int symmetries = 1;           // as leaves, see ThinkOptions
  int leaves = 8;
  bool ponder = false;     // on the opponent's time; then "auto" is PUCT at any number of visits
  std::string rules = {};  // as rules_named reads them; "" takes those of a net, else Tromp-Taylor
  std::string size;        // "" takes the net's board, the largest that it was trained on, else 9x9
  std::string komi;        // "" takes the net's, else 7
};
int run_gtp(const GtpRequest& request, const OpenNet& open, std::string_view version);

}  // namespace tengen
