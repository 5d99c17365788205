#include "eval/exam.h"

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <functional>
#include <utility>

#include "eval/arena.h"
#include "eval/player.h"
#include "rules/check.h"
#include "rules/rng.h"

namespace tengen {
namespace {

constexpr BoardSize kExamSize = BoardSize::square(5);
constexpr Point kCentre = Point::at(2, 2);
constexpr Komi kKomiBlackWins = Komi::from_half_points(48);  // 24
constexpr Komi kKomiWhiteWins = Komi::from_half_points(51);  // 25.5
constexpr double kWinHigh = 0.95, kWinLow = 0.05;            // root values that pass
constexpr int kReplyGamesLost = 1;                           // of 20, at most
constexpr double kMatchShare = 0.95;                         // of the games or pairs, won
constexpr double kMostOpeningKomi = 16.5;                    // two thirds of the board
constexpr std::uint64_t kOpeningsSeed = 5;                   // the suite is the same in every exam

std::string line(const char* format, ...) __attribute__((format(printf, 1, 2)));
std::string line(const char* format, ...) {
  char text[300];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

class Exam {
 public:
  Exam(std::shared_ptr<Evaluator> net, std::shared_ptr<Evaluator> untrained,
       const ExamOptions& options)
      : options_(options), net_(std::move(net)) {
    search_ = options.search;
    search_.visits = options.visits;
    search_.gumbel_scale = 0;
    player_ = make_search_player(net_, search_);
    untrained_ = make_search_player(std::move(untrained), search_);
  }

  ExamReport run() {
    using Step = void (Exam::*)();
    for (const Step step : {&Exam::check_opening, &Exam::check_root_values, &Exam::check_replies,
                            &Exam::check_untrained, &Exam::check_rollouts}) {
      (this->*step)();
      if (options_.stop_at_failure && !report_.checks.back().passed) return report_;
    }
    report_.is_complete = true;
    return report_;
  }

 private:
  void add(bool passed, std::string text) { report_.checks.push_back({passed, std::move(text)}); }

  Rules rules_at(Komi komi) const {
    Rules rules = options_.rules;
    rules.komi = komi;
    return rules;
  }

  SearchResult search_empty_board(Komi komi) {
    return search_position(search_, Position(rules_at(komi)), options_.seed, *net_);
  }

  void check_opening() {
    const SearchResult result = search_empty_board(kKomiBlackWins);
    win_at_24_ = result.win;
    add(result.move == Move(kCentre), line("at komi 24 the net opens at %s (the centre is C3)",
                                           to_text(result.move, kExamSize).c_str()));
  }

  void check_root_values() {
    const double win_at_25_5 = search_empty_board(kKomiWhiteWins).win;
    add(win_at_24_ > kWinHigh && win_at_25_5 < kWinLow,
        line("root value for Black after %d visits: %.3f at komi 24 (wanted > %.2f), %.3f at komi "
             "25.5 (wanted < %.2f)",
             options_.visits, win_at_24_, kWinHigh, win_at_25_5, kWinLow));
  }

  void check_replies() {
    std::vector<ArenaStart> starts;
    for (int i = 0; i < kExamSize.area(); ++i) {
      const Point reply = kExamSize.point(i);
      const bool is_corner = reply.row() % 4 == 0 && reply.column() % 4 == 0;
      if (reply == kCentre || is_corner) continue;
      starts.push_back({.rules = rules_at(kKomiBlackWins),
                        .opening = {kCentre, reply},
                        .seed = mix64(options_.seed, static_cast<std::uint64_t>(i))});
    }
    const auto games = play_games(*player_, *player_, starts);
    std::string lost;
    int wins = 0;
    for (const ArenaGame& game : games) {
      wins += game.black_margin > 0 ? 1 : 0;
      if (game.black_margin <= 0) (lost += ' ') += to_text(game.moves[1], kExamSize);
    }
    const int needed = static_cast<int>(games.size()) - kReplyGamesLost;
    add(wins >= needed,
        line("after the centre and %zu different replies, at komi 24, Black wins %d games (wanted "
             "%d)%s%s",
             games.size(), wins, needed, lost.empty() ? "" : "; not after", lost.c_str()));
  }

  void check_untrained() {
    const int games = 2 * options_.match_pairs;
    const int needed = static_cast<int>(std::ceil(kMatchShare * games - 1e-9));
    const auto match = play(*untrained_, [&](const MatchScore& so_far) {
      return options_.stop_at_failure && so_far.games() - so_far.wins > games - needed;
    });
    const MatchScore& score = match.score;
    add(score.wins >= needed,
        line("against the untrained net it wins %d of %d games, %d distinct (wanted %d of %d)",
             score.wins, score.games(), distinct_games(match.games), needed, games));
  }

  void check_rollouts() {
    const auto rollouts = make_rollout_player(options_.rollout_playouts);
    const auto match = play(*rollouts, {});
    const PairMargins pairs = pair_margins(match.games);
    add(pairs.share() >= kMatchShare && 2 * (pairs.won + pairs.lost) >= pairs.pairs(),
        line("against a tree search of %d playouts without a net, each opening with both colours, "
             "it makes more points in %d pairs, fewer in %d, as many in %d: %.1f %% of those "
             "decided "
             "(wanted %.0f %% of at least half); it wins %d of the %d games",
             options_.rollout_playouts, pairs.won, pairs.lost, pairs.even, 100 * pairs.share(),
             100 * kMatchShare, match.score.wins, match.score.games()));
  }

  MatchResult play(Player& opponent, const std::function<bool(const MatchScore&)>& stop) {
    if (openings_.empty()) openings_ = exam_openings(options_.rules, options_.match_pairs);
    ArenaOptions arena{
        .rules = options_.rules, .pairs = options_.match_pairs, .seed = options_.seed};
    for (const EvenOpening& opening : openings_) {
      arena.openings.push_back(opening.moves);
      arena.komis.push_back(opening.komi);
    }
    return play_match(*player_, opponent, arena, stop);
  }

  const ExamOptions options_;
  SearchOptions search_;
  std::shared_ptr<Evaluator> net_;
  std::unique_ptr<Player> player_, untrained_;
  std::vector<EvenOpening> openings_;
  double win_at_24_ = 0.5;  // root value for Black on the empty board
  ExamReport report_;
};

}  // namespace

bool ExamReport::passed() const {
  for (const ExamCheck& check : checks) {
    if (!check.passed) return false;
  }
  return is_complete;
}

std::vector<EvenOpening> exam_openings(const Rules& rules, int count) {
  return even_openings(
      {.rules = rules, .count = count, .most_komi = kMostOpeningKomi, .seed = kOpeningsSeed});
}

ExamReport exam_5x5(std::shared_ptr<Evaluator> net, std::shared_ptr<Evaluator> untrained,
                    const ExamOptions& options) {
  if (options.rules.size != kExamSize) {
    throw Error("exam: expected rules on 5x5, found " + to_text(options.rules.size));
  }
  return Exam(std::move(net), std::move(untrained), options).run();
}

std::string to_text(const ExamReport& report) {
  std::string text;
  for (const ExamCheck& check : report.checks) {
    text += (check.passed ? "passed: " : "FAILED: ") + check.text + "\n";
  }
  return text;
}

}  // namespace tengen
