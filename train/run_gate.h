#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "eval/exam.h"
#include "eval/gate.h"
#include "train/run_context.h"

namespace tengen {

// The judging part of a run: gate matches, checks against old nets, the exam.
class GatePart {
 public:
  explicit GatePart(RunContext& context) : context_(context) {}

  // Plays the candidate against the champion as the gate says; promotes or rejects it. Returns
  // whether it was promoted. A candidate that cannot be loaded, or fails in the match, is rejected
  // with the reason; what is wrong with anything else is thrown, and the candidate waits.
  bool judge_candidate(const std::filesystem::path& candidate);
  // After a promotion: every so many, as configured, checks against old nets and the exam.
  void follow_promotion();

 private:
  // Small matches of the champion against the first net and against one `check_every` nets older,
  // so that `status` can say whether the run is learning. Kept in matches/ and the metrics.
  void check_against_old_nets();

  // The 5x5 exam of the champion, quick form: true if it passes.
  bool passes_exam();

  Verdict decide(const std::filesystem::path& candidate);
  void check_against(const NetInfo& champion, const NetInfo& old);

  RunContext& context_;
};

// The 5x5 exam under the config's rules and search.
ExamReport examine(std::shared_ptr<Evaluator> net, std::shared_ptr<Evaluator> untrained,
                   const RunConfig& config, bool stop_at_failure);

}  // namespace tengen
