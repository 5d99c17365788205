"""One run, one window and one net for 7x7, 9x9 and 13x13."""

import unittest

import h5py

from harness import SystemTest, shard_report, tengen


class MixedSizesTest(SystemTest):
    def test_one_run_mixes_three_sizes(self):
        run = self.run_directory()
        done = tengen(*run.arguments(**{
            "games.sizes": "[7,9,13]", "games.move_cap": 1.0, "search.visits": 2,
            "run.bootstrap_games": 12, "run.rows_per_cycle": 1500, "run.rows_per_shard": 1500,
            "train.batch": 32, "train.replay_ratio": 0.5, "run.samples": 1500, "gate.kind": "off",
            "run.check_every": 0}), timeout=200)
        self.assertEqual(done.code, 0, str(done))
        sizes = set()
        for path in run.shards():
            with h5py.File(path) as file:
                sizes |= set(int(w) for w in file["width"])
        self.assertEqual(sizes, {7, 9, 13})
        for report in shard_report(run.shards()):
            self.assertNotIn("error", report)
        self.assertGreaterEqual(len(run.metrics("gate")), 1)
        for record in run.metrics("train"):
            self.assertIsNotNone(record["total"])
        for size in (7, 9, 13):
            match = tengen("match", run.path, "random", "--size", size, "--pairs", 1, "--visits", 2)
            self.assertEqual(match.code, 0, str(match))


if __name__ == "__main__":
    unittest.main()
