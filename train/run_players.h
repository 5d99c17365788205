#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "eval/player.h"
#include "nn/net_evaluator.h"
#include "nn/net_files.h"

namespace tengen {

// The directory of the net that `path` names: itself, or a run directory's champion; nullopt if it
// names neither.
std::optional<std::filesystem::path> find_net(const std::filesystem::path& path);
// The same; throws Error that says what was looked for.
std::filesystem::path resolve_net(const std::filesystem::path& path);

// Loads the net that `path` names and calibrates it on this machine for boards up to `largest`.
std::shared_ptr<NetEvaluator> open_evaluator(const std::filesystem::path& path,
                                             const EvaluatorOptions& options, BoardSize largest);

// A player by its words on the command line: a net's or a run's directory, "rollouts:N", "random",
// "hash", "uniform" or "gtp:COMMAND LINE". Nets search `options.visits` per move and are calibrated
// for each board size when it first occurs. Throws UsageError or Error.
std::unique_ptr<Player> make_player(const std::string& words, const SearchOptions& options);

// Search as in matches: no Gumbel noise, `visits` per move.
SearchOptions match_search(const SearchOptions& self_play, int visits);

}  // namespace tengen
