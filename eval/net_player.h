#pragma once

#include <memory>
#include <string>

#include "eval/playable_net.h"
#include "eval/player.h"

namespace tengen {

// A net that may be asked about any board: it is made ready for each size of board when that first
// occurs, and searches `options.visits` per move. `symmetries` through which it sees each position:
// 1, drawn anew each time, or the mean of 8, all of them.
std::unique_ptr<Player> make_net_player(std::shared_ptr<PlayableNet> net,
                                        const SearchOptions& options, int symmetries = 1);

// A player by its words on the command line: what a net is found by (nn/net_source.h),
// "rollouts:N", "random", "hash", "uniform" or "gtp:COMMAND LINE". Throws UsageError or Error.
std::unique_ptr<Player> make_player(const std::string& words, const SearchOptions& options,
                                    const OpenNet& open, int symmetries = 1);

// Search as in matches: no Gumbel noise, `visits` per move.
SearchOptions match_search(const SearchOptions& self_play, int visits);

}  // namespace tengen
