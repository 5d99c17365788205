#pragma once

#include <cstddef>

namespace tengen {

// Columns of globalTargetsNC by KataGo's numbers; those that are not here stay 0.
enum Column : std::size_t {
  kResult = 0,       // win, loss, no result, score
  kShortTerm = 4,    // three times the same
  kSearch = 16,      // the same, of the search
  kFinalScore = 20,  // 0 where it does not count
  kVarianceTime = 22,
  kNoShortTerm = 24,  // 1 - weight of the short-term values
  kRowWeight = 25,
  kPolicyWeight = 26,
  kScoreWeight = 27,  // of score and ownership
  kReplyWeight = 28,
  kSurprise = 30,
  kSearchEntropy = 32,
  kFutureWeight = 33,
  kScoringWeight = 34,
  kHistory = 36,   // 1: the move 1 ... 5 plies ago may be shown
  kGameHash = 41,  // two numbers of 64 bits, each as 22, 22 and 20 bits
  kSelfKomi = 47,
  kIsArea = 48,
  kNetChanged = 49,
  kPly = 51,
  kHitCap = 52,
  kFirstRow = 53,
  kExtraBlack = 54,
  kGameType = 55,  // 0 normal, 2 fork, 3 handicap
  kRawWinLoss = 57,
  kRawScore = 58,
  kVisits = 60,
  kFinished = 62,
  kDataVersion = 63,
};

inline constexpr float kScoringUnit = 120;    // of the scoring map, for a point
inline constexpr float kPolicyScale = 32767;  // of a policy of 1
inline constexpr int kValuePlanes = 5;        // ownership, seki, two futures, scoring
inline constexpr std::size_t kFuturePlies[] = {8, 32};
inline constexpr int kHashBits[] = {22, 22, 20};

}  // namespace tengen
