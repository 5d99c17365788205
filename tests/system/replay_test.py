"""Games of a shard are a function of seed, config and nets: played again they are the same, bit for bit."""

import shutil
import unittest

from harness import TINY, SystemTest, overrides, tengen

# What varies from game to game and in the course of a run.
VARIED = {"games.fork_share": 0.3, "games.late_fork_share": 0.3, "games.random_opening_share": 0.3,
          "games.opening_mean": 0.2, "games.first_visits": 2, "games.change_nets_at": "move",
          "games.opponent_share": 0.3, "games.cheap_share": 0.3, "games.cheap_visits": 2,
          "gate.kind": "off", "run.keep_nets": 1000, "run.samples": 1500}


class ReplayTest(SystemTest):
    def test_every_game_of_a_run_is_the_same_again(self):
        run = self.run_directory()
        done = tengen(*run.arguments(**VARIED))
        self.assertEqual(done.code, 0, str(done))
        shards = sorted((run.path / "shards").glob("*.h5"))
        self.assertGreater(len(shards), 5)
        text = ""
        for shard in shards:
            done = tengen("replay", shard)
            self.assertEqual(done.code, 0, str(done))
            text += done.out
        games = [line for line in text.splitlines() if line.endswith("the same")]
        self.assertGreater(len(games), 100)
        self.assertTrue(any(" 0 searched" in line for line in games), "random games")
        self.assertTrue(any(" 0 given" not in line for line in games), "forks")
        self.assertTrue(any(" 0 given" in line and " 0 searched" not in line for line in games))

    def test_other_settings_or_nets_are_told_by_game_and_ply(self):
        done = tengen("selfplay", "--config", TINY, "--net", "hash", "--games", 4, "--out", self.folder)
        self.assertEqual(done.code, 0, str(done))
        shard = next(self.folder.glob("*.h5"))
        replay = ("replay", shard, "--config", TINY, "--net", "hash")
        done = tengen(*replay, "--game", 2)
        self.assertEqual(done.code, 0, str(done))
        self.assertEqual(len(done.out.splitlines()), 1)
        done = tengen(*replay, "--game", 2, *overrides({"search.c_scale": 0.1}))
        self.assertEqual(done.code, 1, str(done))
        self.assertIn("expected the win probability", done.out)
        self.assert_one_line(tengen(*replay, "--game", 9), 1, "expected game 9")

    def test_a_net_that_is_gone_is_named(self):
        run = self.run_directory()
        done = tengen(*run.arguments(**VARIED | {"run.samples": 300}))
        self.assertEqual(done.code, 0, str(done))
        for net in (run.path / "nets").iterdir():
            shutil.rmtree(net)
        shard = max((run.path / "shards").glob("*.h5"))
        self.assert_one_line(tengen("replay", shard), 1, "net-", "it is gone (run.keep_nets)")


if __name__ == "__main__":
    unittest.main()
