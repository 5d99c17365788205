"""A run on 3x3, from random weights, against exact play on every position."""

import json
import os
import subprocess
import time
import unittest

from harness import HERE, ROOT, SystemTest, tengen

JUDGE = os.environ.get("TENGEN_JUDGE_3X3", str(ROOT / "build/release/judge_3x3"))


class LearningTest(SystemTest):
    def judged(self, net):
        done = subprocess.run([JUDGE, str(net)], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_a_run_of_a_minute_and_a_half_learns_3x3(self):
        run = self.run_directory()
        began = time.monotonic()
        done = tengen(*run.arguments(config=HERE / "learn-3x3.toml"), timeout=500)
        took = time.monotonic() - began
        self.assertEqual(done.code, 0, str(done))
        untrained = self.judged(sorted(run.path.glob("nets/net-*"))[0])
        trained = self.judged(run.champion())
        progress = run.progress()
        print(f"{took:.0f} s, {progress['games']} games, {progress['steps']} steps\n"
              f"untrained {untrained}\ntrained   {trained}")
        self.assertLess(untrained["agree"], 0.8, "a test that an untrained net passes shows nothing")
        self.assertEqual(trained["positions"], 2 * 12675)
        self.assertGreaterEqual(trained["agree"], 0.95)
        self.assertEqual(trained["opening"], "B2")


if __name__ == "__main__":
    unittest.main()
