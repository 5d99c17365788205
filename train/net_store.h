#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "nn/net_files.h"

namespace tengen {

// The nets of a run directory:
//
//   candidates/<id>/{weights.safetensors, net.json}   trained, not judged yet
//   candidates/<id>/verdict.json                      rejected: it stays here, with the reason
//   nets/<id>/{weights.safetensors, net.json, verdict.json}   promoted
//   champion.json                                     {"net": id, "index": n}: the net that plays
//
// Every step is one rename, so that a process may be killed between any two: `recover` finishes
// what a kill left half-way (a promoted candidate that was not moved yet). Of several processes on
// one run one adds candidates, one judges and prunes, and all may read.
class NetStore {
 public:
  explicit NetStore(std::filesystem::path run_directory);

  // Moves promoted candidates that a kill left behind, and removes what the judge had half-written:
  // a verdict, champion.json, the result of a match.
  void recover();
  // Removes what a kill left half-written. Requires that no other process adds candidates.
  void remove_unfinished();

  // Index of the next net: one more than the largest there is, in nets and candidates; 0 in a new
  // run.
  int next_index() const;
  // Writes a candidate, which goes back to `origin` if that is given (save_net in nn/net_files.h),
  // and returns its directory. Fills info.id. One with this id, so with these weights, that is
  // there already, since a kill, stays as it is.
  std::filesystem::path add_candidate(const Network& network, NetInfo& info,
                                      const std::filesystem::path& origin = {});
  // Of the nets that were promoted, oldest first: their names, no file is read.
  std::vector<std::string> ids() const;
  // Candidates without a verdict, oldest first.
  std::vector<std::filesystem::path> pending() const;

  // Keeps the verdict beside the candidate, moves it to nets/ and makes it the champion.
  // May be called again for a candidate, also after an error half-way.
  void promote(const std::filesystem::path& candidate, const std::string& verdict_json);
  // Keeps the verdict beside the candidate.
  void reject(const std::filesystem::path& candidate, const std::string& verdict_json);

  // Directory of the net that plays now; nullopt before the first. Throws Error for a champion.json
  // that names a missing net.
  std::optional<std::filesystem::path> champion() const;
  std::filesystem::path current() const;  // the same; Error before the first
  // Directory of the first net there is: the untrained one, which is never removed.
  std::filesystem::path first() const;
  std::filesystem::path net_directory(const std::string& id) const;
  bool has_net(const std::string& id) const;
  // Promoted nets in order of index.
  std::vector<NetInfo> nets() const;

  // Removes all but the newest `keep` nets and as many rejected candidates; the first net, the
  // champion, the ids in `in_use` and the nets of games that any worker has parked always stay.
  void prune(int keep, const std::vector<std::string>& in_use);

 private:
  void name_champion(const std::filesystem::path& net) const;
  std::vector<std::string> nets_of_parked_games() const;

  std::filesystem::path root_;
};

}  // namespace tengen
