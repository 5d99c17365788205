"""kill -9 before, in and after every kind of write, fsync and rename that a run makes.

TENGEN_KILL_POINTS names the library that kills (kill_points.cc). The points are found, not listed: a run
is watched to its end, then killed at each point that it went through, one start after another.
"""

import os
import random
import signal
import subprocess
import unittest
from collections import Counter

from harness import TENGEN, RunTest

LIBRARY = os.environ.get("TENGEN_KILL_POINTS", "")
SEED = 20240607
EVALUATIONS = 1200  # of a start that is not killed: two cycles or so
# Every candidate is promoted and plays an old net, so that a start goes through everything.
SETTINGS = {"gate.kind": '"off"', "run.check_every": 1, "run.keep_checkpoints": 1, "run.keep_nets": 2}
# What a run with these settings must at least go through.
EXPECTED = ("shards/shard-", "train/checkpoint-", "nets/net-", "candidates/net-", "champion.json",
            "matches/net-", "parked/w#.games", "metrics.jsonl", "logs/run.log", "run.json",
            "config.toml", "progress.json", "weights.safetensors", "optimizer.safetensors")


@unittest.skipUnless(LIBRARY, "TENGEN_KILL_POINTS names no library")
class KillPointsTest(RunTest):
    def go(self, run, **environment):
        """A start, to its budget or its kill. Returns the exit code and the output."""
        progress = run.path / "progress.json"
        spent = run.progress()["evaluations"] if progress.exists() else 0
        arguments = run.arguments(**SETTINGS, **{"run.evaluations": spent + EVALUATIONS})
        done = subprocess.run([TENGEN, *arguments], capture_output=True, text=True, timeout=120,
                              stdin=subprocess.DEVNULL,
                              env={**os.environ, "LD_PRELOAD": LIBRARY,
                                   "KILL_POINTS_ROOT": f"{run.path}/", **environment})
        return done.returncode, done.stdout + done.stderr

    def passed_points(self, name):
        """Points of a run from its beginning, and how often it passes each in one start."""
        run, log = self.run_directory(name), self.folder / f"{name}.points"
        for _ in range(2):  # a new run, and one that goes on
            code, out = self.go(run, KILL_POINTS_LOG=log)
            self.assertEqual(code, 0, out)
        return Counter(log.read_text().splitlines())

    def test_a_kill_at_every_point_loses_nothing(self):
        passed = self.passed_points("watched")
        for words in EXPECTED:
            self.assertTrue(any(words in point for point in passed), words)
        chance = random.Random(SEED)
        run = self.run_directory()
        points = sorted(passed)
        chance.shuffle(points)
        hit = 0
        for point in points:
            with self.subTest(point=point):
                before = run.checkpoint_step()
                passes = chance.randrange(min(passed[point] // 2, 3) or 1)
                code, out = self.go(run, KILL_POINT=point, KILL_POINT_PASSES=str(passes))
                if code == 0:  # what only a new run writes, or this start happened not to
                    run = self.run_directory(f"run-{hit}")
                    before = 0
                    code, out = self.go(run, KILL_POINT=point)
                self.assertEqual(code, -signal.SIGKILL, out)
                hit += 1
                self.assert_whole(run, before)
        self.assertEqual(hit, len(points))
        code, out = self.go(run)
        self.assertEqual(code, 0, out)
        self.assert_whole(run)
        self.assertEqual([p for p in run.path.rglob(".*.tmp")], [])
        print(f"{hit} points, checkpoint at step {run.checkpoint_step()}, {len(run.shards())} shards")


if __name__ == "__main__":
    unittest.main()
