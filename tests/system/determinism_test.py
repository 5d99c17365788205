"""Games are a function of net, config and seed: not of threads, pools or time."""

import unittest

from harness import TINY, SystemTest, tengen


class DeterminismTest(SystemTest):
    def dump(self, name, net, threads, per_worker, *more):
        file = self.folder / name
        done = tengen("selfplay", "--config", TINY, "--net", net, "--games", 24, "--dump", file,
                      "--set", "games.sizes=[5]", "--set", "search.visits=8",
                      "--set", f"run.threads={threads}", "--set", f"games.per_worker={per_worker}",
                      *more)
        self.assertEqual(done.code, 0, str(done))
        text = file.read_bytes()
        self.assertGreater(len(text), 1000)
        return text

    def check_same_games(self, net, *more):
        one = self.dump("one", net, 1, 4, *more)
        self.assertEqual(one, self.dump("two", net, 2, 4, *more), "two threads")
        self.assertEqual(one, self.dump("pool", net, 1, 13, *more), "a larger pool")
        self.assertEqual(one, self.dump("both", net, 2, 13, *more), "both")
        self.assertNotEqual(one, self.dump("seed", net, 1, 4, *more, "--set", "run.seed=8"),
                            "another seed gives other games")

    def test_with_a_network(self):
        run = self.run_directory()
        done = tengen(*run.arguments(**{"run.samples": 100, "games.sizes": "[5]"}))
        self.assertEqual(done.code, 0, str(done))
        self.check_same_games(run.champion())
        # Also when arithmetic and batch are not named: they do not hang on the clock.
        auto = ["--set", "evaluator.precision=auto", "--set", "evaluator.batch=0"]
        self.assertEqual(self.dump("a", run.champion(), 1, 4, *auto),
                         self.dump("b", run.champion(), 2, 13, *auto))

    def test_with_the_hash_evaluator(self):
        self.check_same_games("hash")

    def test_random_games(self):
        self.assertEqual(self.dump("a", "random", 1, 4), self.dump("b", "random", 2, 13))


if __name__ == "__main__":
    unittest.main()
