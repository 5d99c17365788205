"""kill -9 at random moments: what was announced is there, and nothing is counted twice."""

import collections
import os
import random
import shutil
import time
import unittest

import h5py
import numpy

from harness import RunTest

KILLS = 20
# Of a part of a run; a longer campaign: TENGEN_KILL_ROUNDS=100 (tests/system/README.md).
ROUNDS = int(os.environ.get("TENGEN_KILL_ROUNDS", 20))
SEED = 20240607


def plant_poison(shard, target):
    """A shard with every number turned into nonsense, under a temporary name."""
    shutil.copy(shard, target)
    with h5py.File(target, "r+") as file:

        def poison(_, item):
            if isinstance(item, h5py.Dataset) and item.dtype.kind == "f" and item.size > 0:
                item[...] = numpy.full(item.shape, numpy.nan, item.dtype)

        file.visititems(poison)


class KillTest(RunTest):
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
                self.assert_whole(run, checkpoint)
                for record in run.metrics()[records:]:
                    self.assertGreaterEqual(record["step"], checkpoint, record)
            steps.append(run.checkpoint_step())

        # And it still goes on to a clean end.
        gates = len(run.metrics("gate"))
        live = self.start(*run.arguments())
        live.wait_until(lambda: len(run.metrics("gate")) > gates, "another gate")
        (run.path / "STOP").touch()
        self.assertEqual(live.end(), 0, live.text())
        reports = self.assert_whole(run)
        self.assertGreater(run.checkpoint_step(), steps[0], "the run got nowhere between kills")
        for poison in poisons:
            self.assertNotIn(poison.name, run.log())
        drafts = [p for p in run.path.rglob(".*.tmp")]
        self.assertEqual(drafts, [], "what the kills left half-written is gone")
        print(f"{len(reports)} shards, {sum(len(r['games']) for r in reports)} games, "
              f"checkpoints at steps {sorted(set(steps))}, stretch {stretch:.1f} s")

    def test_kills_of_the_parts_lose_nothing_that_was_announced(self):
        chance = random.Random(SEED)
        run = self.run_directory()
        commands = {"w1": ("selfplay", "--worker", "w1"), "train": ("train",), "gate": ("gate",)}
        parts = {name: self.start_part(run, name, *command) for name, command in commands.items()}
        parts["gate"].wait_until(lambda: len(run.metrics("gate")) >= 1, "first gate")
        first = run.checkpoint_step()
        killed = collections.Counter()
        for kill in range(ROUNDS):
            checkpoint = run.checkpoint_step()
            time.sleep(chance.uniform(0, 1.5))
            name = chance.choice(sorted(parts))
            for part, live in parts.items():
                self.assertIsNone(live.process.poll(), f"{part} ended by itself:\n{live.text()}")
            parts[name].kill()
            killed[name] += 1
            with self.subTest(kill=kill, part=name):
                self.assert_whole(run, checkpoint)
            parts[name] = self.start_part(run, name, *commands[name])
        gates, written = len(run.metrics("gate")), len(run.shards())
        parts["gate"].wait_until(lambda: len(run.metrics("gate")) > gates + 1, "two more gates")
        self.stop_parts(parts)
        self.assert_whole(run, first + 1)
        self.assertGreater(len(run.shards()), written)
        self.assertEqual([p for p in run.path.rglob(".*.tmp")], [])
        print(f"{dict(killed)} killed, {written} shards, checkpoint at step {run.checkpoint_step()}")


if __name__ == "__main__":
    unittest.main()
