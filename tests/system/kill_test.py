"""kill -9 at random moments: what was announced is there, and nothing is counted twice."""

import random
import shutil
import time
import unittest

import h5py
import numpy

from harness import SystemTest, shard_report

KILLS = 20
SEED = 20240607


def plant_poison(shard, target):
    """A shard with every number turned into nonsense, under a temporary name."""
    shutil.copy(shard, target)
    with h5py.File(target, "r+") as file:

        def poison(_, item):
            if isinstance(item, h5py.Dataset) and item.dtype.kind == "f" and item.size > 0:
                item[...] = numpy.full(item.shape, numpy.nan, item.dtype)

        file.visititems(poison)


class KillTest(SystemTest):
    def check_shards(self, run):
        """All announced shards are there, whole, and no game is in two of them."""
        reports = shard_report(run.shards())
        for report in reports:
            self.assertNotIn("error", report, report)
        self.assertEqual(run.announced() - {report["file"] for report in reports}, set())
        games = [game for report in reports for game in report["games"]]
        self.assertEqual(len(games), len(set(games)), "a game index occurs twice")
        return reports

    def check_counts(self, run, reports):
        """Nothing but the rows of whole shards is ever counted."""
        rows = sum(report["rows"] for report in reports)
        for record in run.metrics("train"):
            self.assertLessEqual(record["window_rows"], rows)
            self.assertIsNotNone(record["total"], "a loss that is not finite")
        self.assertLessEqual(run.progress()["training_rows"], rows)

    def test_twenty_kills_lose_nothing_that_was_announced(self):
        chance = random.Random(SEED)
        run = self.run_directory()
        # How long a start and two cycles take on this machine.
        began = time.monotonic()
        live = self.start(*run.arguments())
        live.wait_until(lambda: len(run.metrics("gate")) >= 2, "second gate", 120)
        stretch = time.monotonic() - began
        live.kill()

        poisons = [run.path / "shards" / name for name in
                   ("shard-00999999-w0-1.h5.tmp", "shard-00000000-w0-1.h5.12345.tmp")]
        for poison in poisons:
            plant_poison(run.shards()[0], poison)

        steps = [run.checkpoint_step()]
        for kill in range(KILLS):
            records = len(run.metrics())
            checkpoint = run.checkpoint_step()
            live = self.start(*run.arguments())
            delay = chance.uniform(0, stretch)
            time.sleep(delay)
            self.assertIsNone(live.process.poll(), f"kill {kill}: ended by itself:\n{live.text()}")
            live.kill()
            with self.subTest(kill=kill, delay=round(delay, 3)):
                self.check_counts(run, self.check_shards(run))
                self.assertGreaterEqual(run.checkpoint_step(), checkpoint)
                for record in run.metrics()[records:]:
                    self.assertGreaterEqual(record["step"], checkpoint, record)
            steps.append(run.checkpoint_step())

        # And it still goes on to a clean end.
        gates = len(run.metrics("gate"))
        live = self.start(*run.arguments())
        live.wait_until(lambda: len(run.metrics("gate")) > gates, "another gate")
        (run.path / "STOP").touch()
        self.assertEqual(live.end(), 0, live.text())
        reports = self.check_shards(run)
        self.check_counts(run, reports)
        self.assertEqual(run.quarantined(), [])
        self.assertGreater(run.checkpoint_step(), steps[0], "the run got nowhere between kills")
        for poison in poisons:
            self.assertNotIn(poison.name, run.log())
        drafts = [p for p in run.path.rglob(".*.tmp")]
        self.assertEqual(drafts, [], "what the kills left half-written is gone")
        print(f"{len(reports)} shards, {sum(len(r['games']) for r in reports)} games, "
              f"checkpoints at steps {sorted(set(steps))}, stretch {stretch:.1f} s")


if __name__ == "__main__":
    unittest.main()
