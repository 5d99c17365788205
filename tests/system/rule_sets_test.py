"""Every rule set that has a name is played, written with its name's rules, and not mixed unless asked."""

import unittest

import h5py

from harness import SystemTest, shard_report, tengen

PRESETS = ("tromp-taylor", "chinese", "japanese", "korean", "aga", "new-zealand", "ing", "stone-scoring",
           "club-area", "traditional", "casual-9x9", "three-rules", "japanese-9x9")


class RuleSetsTest(SystemTest):
    def test_a_hundred_games_of_each_end_and_verify(self):
        for name in PRESETS:
            with self.subTest(name):
                shards = self.folder / name
                done = tengen("selfplay", "--net", "hash", "--games", 100, "--out", shards, "--set",
                              f"games.rules={name}", "--set", "games.sizes=[9]", "--set", "search.visits=2",
                              "--set", "search.max_considered=2", timeout=200)
                self.assertEqual(done.code, 0, str(done))
                files = sorted(shards.glob("*.h5"))
                for report in shard_report(files):
                    self.assertNotIn("error", report)
                games = 0
                for path in files:
                    with h5py.File(path) as file:
                        games += int(file.attrs["games"])
                        self.assertEqual(len(file.attrs["rule_sets"]), 1)
                self.assertEqual(games, 100)

    def test_shards_of_other_rules_are_trained_on_only_if_the_config_says_so(self):
        run = self.run_directory()
        done = tengen(*run.arguments(**{"games.rules": "japanese", "run.samples": 300}))
        self.assertEqual(done.code, 0, str(done))
        other = {"games.rules": "tromp-taylor", "run.samples": 600}
        kept = (run.path / "config.toml").read_bytes()
        for command in (run.arguments(**other), ("selfplay", "--dir", run.path, "--set", "games.rules=chinese"),
                        ("train", "--dir", run.path, "--set", "games.rules=chinese")):
            self.assert_one_line(tengen(*command), 2, "other rules", "scoring=territory", "train.mixed_rules")
        self.assertEqual((run.path / "config.toml").read_bytes(), kept, "a refused command changes nothing")
        done = tengen(*run.arguments(**other, **{"train.mixed_rules": "true"}))
        self.assertEqual(done.code, 0, str(done))


if __name__ == "__main__":
    unittest.main()
