#include "eval/net_player.h"

#include <gtest/gtest.h>

#include "rules/durable_file.h"
#include "rules/temporary_directory.h"
#include "tests/error_of.h"

namespace tengen {
namespace {

// Notes for which boards it is made ready.
class FakeNet : public PlayableNet {
 public:
  explicit FakeNet(std::vector<BoardSize>& asked) : asked_(asked) {}
  std::string id() const override { return "fake"; }
  FeatureSchema features() const override { return FeatureSchema::kV7; }
  std::shared_ptr<Evaluator> evaluator(BoardSize largest) override {
    asked_.push_back(largest);
    return std::make_shared<HashEvaluator>(1);
  }
  std::vector<RawOutputs> answers(std::span<const EvaluationInput>) override { return {}; }

 private:
  std::vector<BoardSize>& asked_;
};

void ask(Player& player, BoardSize size) {
  Rules rules;
  rules.size = size;
  const Position position(rules);
  const MoveRequest request{.position = &position, .seed = 1};
  MoveChoice choice;
  player.choose({&request, 1}, {&choice, 1});
  EXPECT_TRUE(position.is_legal(choice.move));
}

TEST(NetPlayer, IsMadeReadyOnceForEachSideOfBoard) {
  std::vector<BoardSize> asked;
  const auto player = make_net_player(std::make_shared<FakeNet>(asked), {.visits = 4});
  EXPECT_EQ(player->name(), "fake");
  for (const BoardSize size :
       {BoardSize{5, 5}, BoardSize{7, 7}, BoardSize{4, 5}, BoardSize{5, 5}}) {
    ask(*player, size);
  }
  EXPECT_EQ(asked, (std::vector<BoardSize>{{5, 5}, {7, 7}}));
}

TEST(MakePlayer, OpensWhatIsThereAsANet) {
  const TemporaryDirectory folder;
  std::vector<BoardSize> asked;
  std::string opened;
  const OpenNet open = [&](const std::filesystem::path& path) {
    opened = path.string();
    return std::make_unique<FakeNet>(asked);
  };
  EXPECT_EQ(make_player(folder.path().string(), {}, open)->name(), "fake");
  EXPECT_EQ(opened, folder.path().string());
}

TEST(MatchSearch, IsGumbelOfFewMovesUpTo16VisitsAndPuctBeyondUnlessItIsSaid) {
  EXPECT_EQ(match_search({}, 16).algorithm, "gumbel");
  EXPECT_EQ(match_search({}, 17).algorithm, "puct");
  EXPECT_EQ(match_search({}, 17, "hybrid").algorithm, "hybrid");
  EXPECT_EQ(match_search({}, 16).max_considered, 4);
  EXPECT_EQ(match_search({.max_considered = 2}, 16).max_considered, 2);
  EXPECT_EQ(match_search({.algorithm = "hybrid"}, 8).algorithm, "hybrid");
  EXPECT_EQ(match_search({}, 65).visits, 65);
  EXPECT_EQ(match_search({}, 65).gumbel_scale, 0);
}

TEST(MakePlayer, RefusesOtherWordsAndSaysWhatThereIs) {
  const OpenNet open = [](const std::filesystem::path&) -> std::unique_ptr<PlayableNet> {
    throw Error("nothing is to be opened");
  };
  for (const char* words : {"rollouts:", "rollouts:0", "rollouts:5x", "rollouts:-3"}) {
    EXPECT_EQ(error_of([&] { make_player(words, {}, open); }),
              "player '" + std::string(words) + "': expected rollouts:N with N >= 1");
  }
  EXPECT_NE(error_of([&] { make_player("nets/none", {}, open); }).find("no such net"),
            std::string::npos);
  EXPECT_NE(make_player("rollouts:5", {}, open), nullptr);
  EXPECT_NE(make_player("random", {}, open), nullptr);
}

}  // namespace
}  // namespace tengen
