#include "rules/prove.h"

#include <chrono>
#include <cstdio>

#include "rules/playout.h"
#include "rules/prove_counts.h"
#include "rules/rules_text.h"
#include "rules/symmetry.h"

namespace tengen {
namespace {

Finding equal(std::int64_t found, std::int64_t expected) {
  std::string figures = std::to_string(found);
  if (found != expected) figures += ", expected " + std::to_string(expected);
  return {found == expected, figures};
}

// The board once more, from its stones: the same hash, legal moves and liberties.
bool equals_from_scratch(const Board& board) {
  const auto again =
      Board::from_stones(board.size(), board.stones(Color::kBlack), board.stones(Color::kWhite));
  if (!again || again->hash() != board.hash()) return false;
  for (const Color c : {Color::kBlack, Color::kWhite}) {
    PointSet closed;
    if (const auto ko = board.ko_point()) closed.insert(board.size().index(*ko));
    for (const bool multi : {false, true}) {
      for (const bool single : {false, true}) {
        if (board.legal(c, multi, single) - closed != again->legal(c, multi, single) - closed) {
          return false;
        }
      }
    }
  }
  return board.stones_by_liberties() == again->stones_by_liberties();
}

// Random games on one board, every position of which is compared with itself from scratch.
Finding incremental_equals_from_scratch(BoardSize size, std::int64_t positions,
                                        const Teller& progress) {
  constexpr std::int64_t kTold = 10'000'000;
  Rules rules;
  rules.size = size;
  rules.multi_stone_suicide = rules.single_stone_suicide = true;
  rules.ko = Ko::kSituational;
  std::int64_t compared = 0;
  for (std::uint64_t game = 0; compared < positions; ++game) {
    Rng rng(2026, game);
    Position position(rules);
    for (int i = 0; i < 3 * size.area() && !position.is_over(); ++i) {
      const Move move = random_move(position, rng);
      const std::uint64_t hash = position.board().hash();
      const std::uint64_t expected =
          move.is_pass() ? hash : position.board().hash_after(move.point(), position.to_move());
      position.play(move);
      if (position.hash() != expected || !equals_from_scratch(position.board())) {
        return {false, "game " + std::to_string(game) + ", move " + std::to_string(i + 1) + ":\n" +
                           position.board().to_text()};
      }
      if (++compared % kTold == 0) progress(std::to_string(compared) + " positions");
    }
  }
  return {true, std::to_string(compared) + " positions"};
}

// Rules that treat both colours alike.
Rules fair_rules(BoardSize size, Rng& rng) {
  Rules rules = any_rules(size, rng);
  rules.komi = Komi::from_half_points(0);
  rules.handicap = 0;
  return rules;
}

// Whether the position is the image of the other in all that a player sees.
bool is_image(const Position& image, const Position& position, Symmetry symmetry, bool swaps) {
  const auto to_image = [&](const PointSet& s) { return symmetry.apply(s, position.size()); };
  if (image.ending() != position.ending() || image.phase() != position.phase() ||
      image.legal_points() != to_image(position.legal_points()) ||
      image.ko_banned() != to_image(position.ko_banned()) ||
      image.ko_blocked() != to_image(position.ko_blocked())) {
    return false;
  }
  const DeadStones dead = position.rules().dead_stones;
  const bool is_judged = dead == DeadStones::kMarked || dead == DeadStones::kAutomatic;
  const Score a = is_judged ? position.score_sheet({}).score() : position.score();
  const Score b = is_judged ? image.score_sheet({}).score() : image.score();
  return a.black_margin_half_points() == (swaps ? -1 : 1) * b.black_margin_half_points() &&
         to_image(a.black_area) == (swaps ? b.white_area : b.black_area);
}

Finding commutes_with_symmetries(std::int64_t positions, const Teller& progress) {
  constexpr std::int64_t kTold = 5'000'000;
  std::int64_t compared = 0, told = kTold;
  for (std::uint64_t game = 0; compared < positions; ++game) {
    Rng rng(2027, game);
    BoardSize size{static_cast<std::int8_t>(2 + rng.below(8)),
                   static_cast<std::int8_t>(2 + rng.below(8))};
    if (game % 2 == 0) size = BoardSize::square(size.width);
    const Rules rules = fair_rules(size, rng);
    const Symmetry symmetry(
        static_cast<int>(rng.below(static_cast<std::uint32_t>(Symmetry::count(size)))));
    const bool swaps = rng.below(2) == 0;
    Position position(rules, Board(size), Color::kBlack);
    Position image(rules, Board(size), swaps ? Color::kWhite : Color::kBlack);
    for (int i = 0; i < 4 * size.area() && !position.is_over(); ++i, ++compared) {
      const Move move = rng.below(20) == 0 ? Move::pass() : random_move(position, rng);
      position.play(move);
      image.play(symmetry.apply(move, size));
      if (!is_image(image, position, symmetry, swaps)) {
        return {false, to_text(rules) + ", symmetry " + std::to_string(symmetry.index()) +
                           ", game " + std::to_string(game) + ", move " + std::to_string(i + 1) +
                           ":\n" + position.board().to_text()};
      }
    }
    if (compared >= told) {
      progress(std::to_string(compared) + " positions");
      told += kTold;
    }
  }
  return {true, std::to_string(compared) + " positions"};
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

std::vector<Proof> proofs() {
  std::vector<Proof> all;
  for (const PositionCount& published : published_position_counts()) {
    const std::string board = to_text(published.size);
    all.push_back({"legal positions on " + board, false, [=](const Teller&) {
                     return equal(count_colourings(published.size), published.positions);
                   }});
    for (const bool suicide : {false, true}) {
      all.push_back({"positions that play reaches on " + board + (suicide ? " with suicide" : ""),
                     false, [=](const Teller&) {
                       return equal(count_reachable(published.size, suicide), published.positions);
                     }});
    }
  }
  for (const GameCount& published : published_game_counts()) {
    constexpr std::int64_t kManyGames = 100'000'000'000;
    all.push_back({"games on " + to_text(published.size), published.games > kManyGames,
                   [=](const Teller& progress) {
                     return equal(count_games(published.size, true, progress), published.games);
                   }});
  }
  for (const PerftCounts& counts : perft_counts()) {
    const Rules rules = parse_rules(counts.rules);
    const auto depth = static_cast<int>(counts.sequences.size());
    all.push_back(
        {"sequences of " + std::to_string(depth) + " moves, " + std::string(counts.rules), false,
         [=](const Teller&) { return equal(perft(rules, depth), counts.sequences.back()); }});
  }
  for (const int n : {4, 9, 13, 19}) {
    for (const bool is_long : {false, true}) {
      const std::int64_t positions = (is_long ? 100'000'000 : 10'000'000) / n;
      const BoardSize size = BoardSize::square(n);
      all.push_back({"boards move by move and from scratch, " + to_text(size), is_long,
                     [=](const Teller& progress) {
                       return incremental_equals_from_scratch(size, positions, progress);
                     }});
    }
  }
  for (const bool is_long : {false, true}) {
    all.push_back(
        {"all rules commute with symmetries and colours", is_long, [=](const Teller& progress) {
           return commutes_with_symmetries(is_long ? 10'000'000 : 1'000'000, progress);
         }});
  }
  return all;
}

Rules any_rules(BoardSize size, Rng& rng) {
  while (true) {
    Rules rules;
    rules.size = size;
    for (const RuleField& field : rule_fields()) {
      if (field.values.empty()) continue;
      const auto count = static_cast<std::uint32_t>(field.values.size());
      check(field.set(rules, field.values[rng.below(count)].name), "a field takes its own values");
    }
    rules.komi = Komi::from_half_points(static_cast<int>(rng.below(40)) - 10);
    if (rng.below(2) == 0) rules.handicap = static_cast<int>(rng.below(10));
    if (rng.below(3) == 0) rules.move_cap = 1 + static_cast<int>(rng.below(200));
    try {
      validate(rules);
      return rules;
    } catch (const Error&) {  // drawn again
    }
  }
}

bool prove(const ProveOptions& options, const Teller& tell) {
  bool all_hold = true;
  int count = 0;
  for (const Proof& proof : proofs()) {
    if (proof.is_long && !options.with_long) continue;
    if (proof.name.find(options.only) == std::string::npos) continue;
    ++count;
    const double start_s = seconds_now();
    const Finding finding =
        proof.run([&](const std::string& line) { tell("    " + proof.name + ": " + line); });
    char time[32];
    std::snprintf(time, sizeof time, ", %.1f s", seconds_now() - start_s);
    tell((finding.holds ? "holds  " : "FAILS  ") + proof.name + ": " + finding.figures + time);
    all_hold = all_hold && finding.holds;
  }
  if (count == 0) throw UsageError("no proof's name has '" + options.only + "' in it");
  return all_hold;
}

}  // namespace tengen
