"""Self-play, training and the gate as processes of their own on one run directory."""

import json
import signal
import unittest

import h5py

from harness import TINY, RunTest, tengen


class PartsTest(RunTest):
    def test_they_make_one_run_and_keep_what_is_needed_only(self):
        run = self.run_directory()
        (self.folder / "run/shards").mkdir(parents=True)
        abandoned = self.folder / "run/shards/.shard-00000000-w1-1.h5.0123456789abcdef.tmp"
        abandoned.touch()
        another = self.folder / "run/shards/.shard-00000000-w9-1.h5.0123456789abcdef.tmp"
        another.touch()
        # A window of a few shards, so that older ones go; a komi that self-play soon leaves; a gate
        # that lets most nets through.
        settings = {"train.window_min": 300, "train.window_scale": 100, "run.keep_windows": 1,
                    "run.keep_nets": 2, "games.komi_mean": -9,
                    "gate.threshold": 0.4, "run.check_every": 1}
        parts = self.start_parts(run, **settings)
        parts["gate"].wait_until(lambda: len(run.metrics("gate")) >= 12, "twelfth gate")
        status = tengen("status", "--dir", run.path).out
        for words in ("running", f"train     pid {parts['train'].process.pid} on",
                      f"gate      pid {parts['gate'].process.pid} on", "workers w1, w2"):
            self.assertIn(words, status)
        parts["gate"].wait_until(lambda: len(run.metrics("check")) >= 12, "twelfth check")
        self.stop_parts(parts)
        self.assertFalse(abandoned.exists())
        self.assertTrue(another.exists(), "another worker may be writing it")

        announced, there = run.announced(), run.shards()
        self.assertLess(len(there), len(announced), "shards beyond the window are removed")
        self.assertEqual({name.split("-")[2] for name in announced}, {"w1", "w2"})
        self.assert_no_game_twice(run)
        rejected = [p for p in (run.path / "candidates").iterdir() if (p / "verdict.json").exists()]
        # The first net, the champion and those of games under way or parked stay besides.
        nets = list((run.path / "nets").iterdir())
        promoted = sum(line["promoted"] for line in run.metrics("gate"))
        self.assertLess(len(nets), promoted + 1, "old nets are removed")
        self.assertLessEqual(len(rejected), 2)
        self.assertTrue(run.champion().exists())
        self.assertGreater(json.loads((run.champion() / "net.json").read_text())["evaluations"], 0)

        # Of each stretch, and those of stretches that were to come when all were told to stop.
        centres = [line["komi_centre"] for line in run.metrics("selfplay")] + \
            [json.loads(file.read_text())["komi_centre"] for file in run.path.glob("progress-selfplay-*")]
        in_force = {round(2 * centre) / 2 for centre in centres}
        played = {game["komi"] for match in (run.path / "matches").iterdir()
                  for game in json.loads(match.read_text())["record"]}
        self.assertLessEqual(played, in_force | {-9})
        self.assertNotEqual(played, {-9}, "matches are at the komi in force")

        status = tengen("status", "--dir", run.path)
        games = sum(record["games"] for record in run.metrics("shard"))
        self.assertIn(f"{games:,} games", status.out)
        self.assertIn(f"{run.checkpoint_step():,} steps", status.out)
        self.assertIn("not running", status.out)
        self.assertIn("asked to by a signal", status.out)
        starts = json.loads((run.path / "run.json").read_text())["starts"]
        self.assertEqual(len(starts), 4)

        steps = run.checkpoint_step()
        gates = len(run.metrics("gate"))
        parts = self.start_parts(run, **settings)
        parts["gate"].wait_until(lambda: len(run.metrics("gate")) > gates + 1, "two more gates")
        self.stop_parts(parts)
        self.assertGreater(run.checkpoint_step(), steps)

    def test_a_worker_that_joins_late_writes_the_newest_shards(self):
        run = self.run_directory()
        parts = self.start_parts(run, ["w1"])
        parts["w1"].wait_until(lambda: len(run.shards()) >= 5, "fifth shard")
        parts["w2"] = self.start_part(run, "w2", "selfplay", "--worker", "w2")
        of_w2 = lambda: [path for path in run.shards() if "-w2-" in path.name]
        parts["w2"].wait_until(of_w2, "a shard of the second worker")
        self.assertGreaterEqual(int(of_w2()[0].name.split("-")[1]), 5)
        self.stop_parts(parts)
        self.assert_no_game_twice(run)
        # The random games, which the second worker found there.
        random = 0
        for path in run.shards():
            with h5py.File(path) as shard:
                if shard.attrs["bootstrap"]:
                    self.assertIn("-w1-", path.name)
                    random += shard.attrs["games"]
        self.assertEqual(random, 20)

    def test_the_whole_loop_and_its_parts_follow_one_another(self):
        run = self.run_directory()
        evaluations = 0
        for attempt, arguments in enumerate((["run"], ["selfplay"], ["run"], ["selfplay"]), 1):
            evaluations += 2000
            # With the loop away no one trains, so w0 must not wait for that.
            settings = {"run.evaluations": evaluations, "run.rows_per_cycle": 100000} \
                if arguments == ["selfplay"] else {"run.evaluations": evaluations}
            done = tengen(*self.part_arguments(run, *arguments, **settings))
            self.assertEqual(done.code, 0, str(done))
            self.assertIn("stopped: run.evaluations are spent", done.err)
            self.assertEqual(run.progress()["attempt"], attempt)
            self.assertGreaterEqual(run.progress()["evaluations"], evaluations)
            if attempt > 1:
                self.assertIn("games under way are taken up again", done.err)
        self.assert_no_game_twice(run)
        self.assertEqual([int(path.name.split("-")[1]) for path in run.shards()],
                         list(range(len(run.shards()))))
        self.assertEqual({path.name.split("-")[3] for path in run.shards()},
                         {"1.h5", "2.h5", "3.h5", "4.h5"})

    def test_a_budget_ends_them_all_and_the_last_candidate_is_judged(self):
        run = self.run_directory()
        parts = self.start_parts(run, **{"run.evaluations": 6000})
        for live in parts.values():
            self.assertEqual(live.end(), 0, live.text())
            self.assertIn("stopped: run.evaluations are spent", live.text())
        for candidate in (run.path / "candidates").iterdir():
            self.assertTrue((candidate / "verdict.json").exists(), candidate)
        self.assertGreater(len(run.metrics("gate")), 1)

    def test_the_gate_tries_the_exam_and_a_passed_one_ends_them_all(self):
        run = self.run_directory()
        settings = {"games.sizes": "[5]", "gate.kind": '"off"', "run.check_every": 0,
                    "run.exam_every": 1}
        parts = self.start_parts(run, ["w1"], **settings)
        parts["gate"].wait_until(lambda: run.metrics("exam"), "an exam")
        counters = run.path / "progress-gate.json"
        parts["gate"].kill()
        passed = {**json.loads(counters.read_text()), "exam_passed": True}
        counters.write_text(json.dumps(passed))
        for name in ("train", "w1"):
            self.assertEqual(parts[name].end(), 0, parts[name].text())
            self.assertIn("stopped: the exam is passed", parts[name].text())
        later = tengen(*self.part_arguments(run, "gate", **settings))
        self.assertEqual(later.code, 0, str(later))
        self.assertIn("stopped: the exam is passed", later.err)

    def test_a_number_of_games_ends_a_worker(self):
        run = self.run_directory()
        first = tengen(*run.arguments(**{"run.evaluations": 1000}))
        self.assertEqual(first.code, 0, str(first))
        before = run.progress()["games"]
        settings = {"run.rows_per_shard": 100000}
        done = tengen(*self.part_arguments(run, "selfplay", "--games", 1, **settings))
        self.assertEqual(done.code, 0, str(done))
        self.assertIn("stopped: 1 games are played", done.err)
        self.assertEqual(run.progress()["stopped"], "1 games are played")
        self.assertGreater(run.progress()["games"], before)
        self.assertLess(run.progress()["games"], before + 40, "thousands of rows were not asked for")
        self.assertIn("1 games are played", tengen("status", "--dir", run.path).out)

    def test_games_without_rows_are_no_obstacle_to_parking(self):
        run = self.run_directory()
        first = tengen(*run.arguments(**{"run.evaluations": 1000}))
        self.assertEqual(first.code, 0, str(first))
        # One game at a time; a third of them are over, all pass-alive, with their random opening. The
        # others are slow, so that the worker stops before it finishes one.
        settings = {"games.random_opening_share": 1, "games.random_opening_mean": 1,
                    "games.pass_alive_end_share": 1, "games.per_worker": 1,
                    "search.visits": 200}
        without = 0
        for seed in range(1, 7):
            shards = len(run.shards())
            done = tengen(*self.part_arguments(run, "selfplay", "--worker", f"t{seed}", "--games", 1,
                                               **{"run.seed": seed, **settings}))
            self.assertEqual(done.code, 0, str(done))
            without += len(run.shards()) == shards
        self.assertGreater(without, 0)

    def test_the_gate_leaves_the_first_net_to_training(self):
        run = self.run_directory()

        def train_until_it_waits():
            train = self.start_part(run, "train", "train")
            train.wait_for("training waits")
            train.signal(signal.SIGINT)
            self.assertEqual(train.end(), 0, train.text())

        train_until_it_waits()
        first = run.champion().name
        # As a kill leaves it that was between the net's move and its naming.
        (run.path / "champion.json").unlink()
        train_until_it_waits()
        self.assertEqual(run.champion().name, first)
        self.assertEqual(list((run.path / "candidates").iterdir()), [])
        # As it stands before training has promoted it.
        (run.path / "champion.json").unlink()
        (run.path / "nets" / first).rename(run.path / "candidates" / first)
        gate = self.start_part(run, "gate", "gate")
        gate.wait_for("the gate waits for a champion")
        train_until_it_waits()
        gate.wait_for("the gate waits for candidates")
        gate.signal(signal.SIGINT)
        self.assertEqual(gate.end(), 0, gate.text())
        self.assertEqual(run.champion().name, first)
        self.assertEqual(run.metrics("gate"), [])

    def test_a_worker_whose_name_no_shard_can_have_is_refused_at_once(self):
        run = self.run_directory()
        for name in ("node-1", "a b", "", "..", "n" * 300):
            result = tengen("selfplay", "--config", TINY, "--dir", run.path, "--worker", name)
            self.assert_one_line(result, 2, f"--worker '{name[:64]}'")
            self.assertFalse(run.path.exists())

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
