#pragma once

#include <memory>
#include <string>

#include "eval/playable_net.h"
#include "eval/player.h"

namespace tengen {

// How a net thinks, beside its search's options.
struct ThinkOptions {
  int symmetries = 1;  // through which it sees a position: 1, drawn each time, or all 8's mean
  int leaves = 1;      // of a search in one batch
  bool is_one_game = false;  // of one game alone: keeps trees and ponders (make_tree_player)
};

// A net that may be asked about any board: it is made ready for each size of board when that first
// occurs, and searches `options.visits` per move.
std::unique_ptr<Player> make_net_player(std::shared_ptr<PlayableNet> net,
                                        const SearchOptions& options,
                                        const ThinkOptions& think = {});

// A player by its words on the command line: what a net is found by (nn/net_source.h),
// "rollouts:N", "random", "hash", "uniform" or "gtp:COMMAND LINE". Throws UsageError or Error.
std::unique_ptr<Player> make_player(const std::string& words, const SearchOptions& options,
                                    const OpenNet& open, const ThinkOptions& think = {});

// Search as in matches: `visits` per move, no noise; in PUCT the constants of KataGo's matches
// (program/setup.cpp, v1.17), in Gumbel at most kMatchConsidered moves, as without noise more of
// them only take visits from the best (selfplay/README.md has the figures). `algorithm`: one of
// kSearchAlgorithms, or "auto": that of self-play, but PUCT in place of Gumbel beyond
// kGumbelVisits.
inline constexpr int kMatchConsidered = 4;
inline constexpr int kGumbelVisits = 16;
SearchOptions match_search(const SearchOptions& self_play, int visits,
                           const std::string& algorithm = "auto");

}  // namespace tengen
