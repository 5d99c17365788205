#include "rules/playout.h"

#include "rules/board_layout.h"
#include "rules/superko.h"

namespace tengen {
namespace {

constexpr int kPass = -1;

// A uniform draw from the legal moves of `c` that fill no own eye. Superko is tested on the drawn
// point only: drawing again without it gives the same distribution.
template <class Layout>
int draw(const Layout& b, int c, const Rules& rules, const History& history, Rng& rng) {
  auto candidates = b.legal(c, rules.multi_stone_suicide, rules.single_stone_suicide)
                        .without(b.single_point_eyes(c));
  while (true) {
    const Ranks ranks(candidates);
    if (ranks.size() == 0) return kPass;
    const int p = ranks[static_cast<int>(rng.below(static_cast<std::uint32_t>(ranks.size())))];
    if (!is_repetition(b, p, c, rules, history)) [[likely]]
      return p;
    candidates = candidates.without(Layout::Bits::one(p));
  }
}

}  // namespace

struct RandomGame {
  static Move move(const Position& position, Rng& rng) {
    return BoardLayout::visit(position.board_, [&](const auto& b) {
      const int p = draw(b, index_of(position.to_move_), position.rules_, position.history_, rng);
      return p == kPass ? Move::pass() : Move(b.to_point(p));
    });
  }

  static int play(Position& position, Rng& rng, int max_moves) {
    return BoardLayout::visit(position.board_, [&](auto& b) {
      int c = index_of(position.to_move_);
      int passes = position.passes_;
      int moves = 0;
      for (; passes < 2 && moves < max_moves; ++moves) {
        const int p = draw(b, c, position.rules_, position.history_, rng);
        if (p == kPass) {
          b.pass();
          ++passes;
        } else {
          b.play(p, c);
          passes = 0;
        }
        const Color color = c == 0 ? Color::kBlack : Color::kWhite;
        position.recent_[(position.ply_ + moves) % Position::kRecent] = {
            color, p == kPass ? Move::pass() : Move(b.to_point(p))};
        c ^= 1;
        if (position.rules_.ko != Ko::kSimple) {
          position.history_.push(state_key(b.hash(), c, position.rules_.ko));
        }
      }
      position.to_move_ = c == 0 ? Color::kBlack : Color::kWhite;
      position.passes_ = passes;
      position.ply_ += moves;
      return moves;
    });
  }
};

Move random_move(const Position& position, Rng& rng) {
  return RandomGame::move(position, rng);
}

std::vector<Move> random_opening(const Rules& rules, int count, Rng& rng) {
  Position position(rules);
  std::vector<Move> moves;
  while (std::ssize(moves) < count) {
    moves.push_back(random_move(position, rng));
    position.play(moves.back());
  }
  return moves;
}

int play_random_game(Position& position, Rng& rng, int max_moves) {
  return RandomGame::play(position, rng, max_moves);
}

}  // namespace tengen
