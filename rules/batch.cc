#include "rules/batch.h"

#include <algorithm>

#include "rules/batch_storage.h"
#include "rules/check.h"

namespace tengen {

static_assert(kPlanes == kInputPlanes);

namespace {

// What a board is worth by rules that are compact.
template <int kPitch>
Score score_of(const BoardState<kPitch>& board, const PitchEngine<kPitch>& engine,
               const Rules& rules) {
  const auto owned = rules.dead_stones == DeadStones::kAsTheyStand
                         ? engine.area(board)
                         : engine.area_without_dead(board, rules.multi_stone_suicide);
  return {owned[0], owned[1], rules.komi};
}

}  // namespace

bool GameBatch::is_compact(const Rules& rules) {
  const bool counts_repetitions =
      rules.ko == Ko::kSimple && rules.repetition != Repetition::kPlayOn;
  return rules.scoring == Scoring::kArea && rules.tax == Tax::kNone &&
         rules.dead_stones <= DeadStones::kPassDead && rules.play_end == PlayEnd::kTwoPasses &&
         !counts_repetitions && !rules.button && !rules.three_ko_draw && rules.move_cap == 0 &&
         rules.handicap == 0;
}

Position* GameBatch::position_of(int game) const {
  const auto& place = storage_->places[game];
  return place.pitch == 0 ? &storage_->positions[place.index] : nullptr;
}

GameBatch::GameBatch(std::span<const Rules> rules, const BatchOptions& options)
    : rules_(rules.begin(), rules.end()), storage_(std::make_unique<Storage>(options.threads)) {
  check(options.max_moves >= 0, "a number of moves");
  Storage& s = *storage_;
  std::size_t keys = 0;
  for (const Rules& r : rules_) {
    check(r.size.is_valid(), "a board size");
    const bool compact = is_compact(r);
    const int max_moves = options.max_moves > 0 ? options.max_moves : 10 * r.size.area();
    const bool keeps_keys = compact && r.ko != Ko::kSimple;
    const std::size_t room = keeps_keys ? static_cast<std::size_t>(max_moves) + 1 : 0;
    Storage::Place place{compact ? pitch_for(r.size) : 0, 0, keys, room};
    const auto add = [&](auto& games) {
      place.index = static_cast<int>(games.size());
      games.emplace_back(r.size);
    };
    if (compact) {
      place.pitch == 10 ? add(s.small) : place.pitch == 14 ? add(s.medium) : add(s.large);
    } else {
      place.index = static_cast<int>(s.positions.size());
      s.positions.emplace_back(r);
    }
    s.places.push_back(place);
    keys += room;
    max_moves_.push_back(max_moves);
    rngs_.emplace_back(options.seed, rngs_.size());
    plane_height_ = std::max<int>(plane_height_, r.size.height);
    plane_width_ = std::max<int>(plane_width_, r.size.width);
  }
  s.keys.resize(keys);
  std::size_t hot = 0;
  for (const Rules& r : rules_) hot += hot_bytes(r.size);
  constexpr std::size_t kNearestCache = 32768;
  is_worth_fetching_ = hot > kNearestCache;
  reset();
}

GameBatch::~GameBatch() = default;

Color GameBatch::to_move(int game) const {
  if (const Position* p = position_of(game)) return p->to_move();
  return visit(game, [](const auto& g, const auto&, const auto&) {
    return g.to_move == 0 ? Color::kBlack : Color::kWhite;
  });
}

int GameBatch::ply(int game) const {
  if (const Position* p = position_of(game)) return p->ply();
  return visit(game, [](const auto& g, const auto&, const auto&) { return g.ply; });
}

bool GameBatch::is_done(int game) const {
  if (const Position* p = position_of(game)) return p->is_over() || p->ply() >= max_moves_[game];
  return visit(game, [&](const auto& g, const auto&, const auto&) {
    return g.passes >= 2 || g.ply >= max_moves_[game];
  });
}

PointSet GameBatch::stones(int game, Color c) const {
  if (const Position* p = position_of(game)) return p->board().stones(c);
  return visit(game, [&](const auto& g, const auto&, const auto& engine) {
    return engine.stones(g.board, index_of(c));
  });
}

std::uint64_t GameBatch::hash(int game) const {
  if (const Position* p = position_of(game)) return p->hash();
  return visit(game, [](const auto& g, const auto&, const auto&) { return g.board.hash; });
}

// The lines of a game that its next move surely touches.
void GameBatch::prefetch(int game) const {
  if (!is_worth_fetching_ || game >= size() || position_of(game) != nullptr) return;
  visit(game, [](const auto& g, const auto&, const auto&) {
    const auto lines = [](const auto& part) {
      const char* const first = reinterpret_cast<const char*>(&part);
      for (std::size_t i = 0; i < sizeof part; i += 64) __builtin_prefetch(first + i);
    };
    lines(g.board.stones);
    lines(g.board.atari);
    lines(g.board.ever);
    lines(g.board.root);
    lines(g.filter);
    __builtin_prefetch(&g.to_move);
  });
}

void GameBatch::legal_moves(std::span<PointSet> legal) const {
  check(std::ssize(legal) == size(), "one entry a game");
  auto job = [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      prefetch(i + kAhead);
      if (const Position* p = position_of(i)) {
        legal[i] = is_done(i) ? PointSet() : p->legal_points();
        continue;
      }
      legal[i] = is_done(i) ? PointSet()
                            : visit(i, [&](const auto& g, const auto& place, const auto& engine) {
                                return engine.legal(g.board, g.to_move, suicide_rule(rules_[i]),
                                                    storage_->past(g, place, rules_[i]));
                              });
    }
  };
  storage_->chunks.run(size(), job);
}

void GameBatch::play(std::span<const MoveIndex> moves) {
  check(std::ssize(moves) == size(), "one entry a game");
  auto job = [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      prefetch(i + kAhead);
      if (moves[i] == kNoMove) continue;
      if (Position* p = position_of(i)) {
        const BoardSize size = rules_[i].size;
        check(!is_done(i) && moves[i] >= 0 && moves[i] <= size.area(), "a move of a game");
        p->play(moves[i] == size.area() ? Move::pass() : Move(size.point(moves[i])));
        continue;
      }
      visit(i, [&]<int kPitch>(Game<kPitch>& g, const Storage::Place& place,
                               const PitchEngine<kPitch>& engine) {
        const BoardSize size = rules_[i].size;
        check(!is_done(i) && moves[i] >= 0 && moves[i] <= size.area(), "a move of a game");
        int p = 0;
        if (moves[i] == size.area()) {
          g.board.ko = 0;
          ++g.passes;
        } else {
          p = Layout<kPitch>::point_of(size.point(moves[i]));
          check(g.board.root[p] == 0, "a play needs an empty point");
          engine.play(g.board, p, g.to_move);
          g.passes = 0;
        }
        g.recent[g.ply % Game<kPitch>::kRecent] = static_cast<std::int16_t>(p);
        ++g.ply;
        g.to_move ^= 1;
        storage_->push_key(g, place, rules_[i]);
      });
    }
  };
  storage_->chunks.run(size(), job);
}

void GameBatch::done(std::span<std::uint8_t> is_done) const {
  check(std::ssize(is_done) == size(), "one entry a game");
  for (int i = 0; i < size(); ++i) is_done[i] = this->is_done(i) ? 1 : 0;
}

void GameBatch::scores(std::span<Score> scores) const {
  check(std::ssize(scores) == size(), "one entry a game");
  auto job = [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      if (const Position* p = position_of(i)) {
        scores[i] = p->score();
        continue;
      }
      visit(i, [&](const auto& g, const auto&, const auto& engine) {
        scores[i] = score_of(g.board, engine, rules_[i]);
      });
    }
  };
  storage_->chunks.run(size(), job);
}

void GameBatch::begin(int game) {
  if (Position* p = position_of(game)) {
    *p = Position(rules_[game]);
    return;
  }
  visit(game, [&]<int kPitch>(Game<kPitch>& g, const auto& place, const auto&) {
    storage_->begin(g, place, rules_[game], BoardState<kPitch>(rules_[game].size), Color::kBlack);
  });
}

void GameBatch::set_up(int game, const Board& board, Color to_move) {
  check(board.size() == rules_[game].size, "the board has the size of the rules");
  if (Position* p = position_of(game)) {
    *p = Position(rules_[game], board, to_move);
    return;
  }
  visit(game, [&]<int kPitch>(Game<kPitch>& g, const auto& place, const auto&) {
    storage_->begin(g, place, rules_[game], BoardAccess::state_of<kPitch>(board), to_move);
  });
}

void GameBatch::reset(std::span<const std::uint8_t> games) {
  check(std::ssize(games) == size(), "one entry a game");
  for (int i = 0; i < size(); ++i) {
    if (games[i] != 0) begin(i);
  }
}

void GameBatch::reset() {
  for (int i = 0; i < size(); ++i) begin(i);
}

void GameBatch::planes_of(int game, AreaPlanes area, Planes& planes) const {
  if (const Position* p = position_of(game)) {
    planes = input_planes(*p, LadderPlanes::kNo);
    if (area == AreaPlanes::kNo) planes[kPlaneOwnArea] = planes[kPlaneOpponentArea] = {};
    return;
  }
  visit(game, [&](const auto& g, const auto& place, const auto& engine) {
    const int shown = std::min<int>(g.ply, is_done(game) ? 1 : Position::kRecent);
    engine.planes(g.board,
                  {g.to_move, suicide_rule(rules_[game]), storage_->past(g, place, rules_[game]),
                   g.recent.data(), shown, g.ply, area == AreaPlanes::kYes},
                  planes);
  });
}

void GameBatch::encode(std::span<Planes> planes, AreaPlanes area) const {
  check(std::ssize(planes) == size(), "one entry a game");
  auto job = [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      prefetch(i + kAhead);
      planes_of(i, area, planes[i]);
    }
  };
  storage_->chunks.run(size(), job);
}

void GameBatch::encode(std::span<float> planes, AreaPlanes area) const {
  const std::size_t plane = static_cast<std::size_t>(plane_height_) * plane_width_;
  check(planes.size() == plane * kPlanes * size(), "one number a point, plane and game");
  auto job = [&](int begin, int end) {
    Planes bits;
    for (int i = begin; i < end; ++i) {
      prefetch(i + kAhead);
      planes_of(i, area, bits);
      engine().small.to_floats(bits, rules_[i].size, plane_height_, plane_width_,
                               planes.data() + plane * kPlanes * i);
    }
  };
  storage_->chunks.run(size(), job);
}

std::size_t GameBatch::hot_bytes(BoardSize size) {
  switch (pitch_for(size)) {
    case 10:
      return sizeof(Game<10>);
    case 14:
      return sizeof(Game<14>);
    default:
      return sizeof(Game<20>);
  }
}

}  // namespace tengen
