"""Self-play, training and the gate as processes of their own on one run directory."""

import signal
import unittest

from harness import TINY, Live, SystemTest, overrides, shard_report, tengen


class PartsTest(SystemTest):
    def start_part(self, run, name, *arguments, **settings):
        live = Live(self.folder / f"{name}.txt", *arguments, "--config", TINY, "--dir", run.path,
                    *overrides({"run.threads": 1, **settings}))
        self.addCleanup(live.kill)
        return live

    def start_parts(self, run, **settings):
        return {"train": self.start_part(run, "train", "train", **settings),
                "gate": self.start_part(run, "gate", "gate", **settings),
                "w1": self.start_part(run, "w1", "selfplay", "--worker", "w1", **settings),
                "w2": self.start_part(run, "w2", "selfplay", "--worker", "w2", **settings)}

    def stop_parts(self, parts):
        for live in parts.values():
            live.signal(signal.SIGTERM)
        for live in parts.values():
            self.assertEqual(live.end(), 0, live.text())

    def test_they_make_one_run_and_keep_what_is_needed_only(self):
        run = self.run_directory()
        (self.folder / "run/shards").mkdir(parents=True)
        abandoned = self.folder / "run/shards/.shard-00000000-w1-1.h5.0123456789abcdef.tmp"
        abandoned.touch()
        another = self.folder / "run/shards/.shard-00000000-w9-1.h5.0123456789abcdef.tmp"
        another.touch()
        # A window of a few shards, so that older ones go.
        settings = {"train.window_min": 300, "train.window_scale": 100, "run.keep_windows": 1,
                    "run.keep_nets": 2}
        parts = self.start_parts(run, **settings)
        parts["gate"].wait_until(lambda: len(run.metrics("gate")) >= 12, "twelfth gate")
        self.stop_parts(parts)
        self.assertFalse(abandoned.exists())
        self.assertTrue(another.exists(), "another worker may be writing it")

        announced, there = run.announced(), run.shards()
        self.assertLess(len(there), len(announced), "shards beyond the window are removed")
        self.assertEqual({name.split("-")[2] for name in announced}, {"w1", "w2"})
        for report in shard_report(there):
            self.assertNotIn("error", report)
        rejected = [p for p in (run.path / "candidates").iterdir() if (p / "verdict.json").exists()]
        # The first net and the champion stay besides.
        self.assertLessEqual(len(list((run.path / "nets").iterdir())), 2 + 2)
        self.assertLessEqual(len(rejected), 2)
        self.assertTrue(run.champion().exists())

        status = tengen("status", "--dir", run.path)
        games = sum(record["games"] for record in run.metrics("shard"))
        self.assertIn(f"{games} games", status.out)
        self.assertIn(f"{run.checkpoint_step()} steps", status.out)

        steps = run.checkpoint_step()
        gates = len(run.metrics("gate"))
        parts = self.start_parts(run, **settings)
        parts["gate"].wait_until(lambda: len(run.metrics("gate")) > gates + 1, "two more gates")
        self.stop_parts(parts)
        self.assertGreater(run.checkpoint_step(), steps)

    def test_a_part_at_work_refuses_its_like_and_the_whole_loop(self):
        run = self.run_directory()
        train = self.start_part(run, "train", "train")
        train.wait_for("training waits")
        for arguments in (["train"], ["run"]):
            second = tengen(*arguments, "--config", TINY, "--dir", run.path)
            self.assert_one_line(second, 1, run.path, f"pid {train.process.pid}")
        train.signal(signal.SIGINT)
        self.assertEqual(train.end(), 0, train.text())


if __name__ == "__main__":
    unittest.main()
