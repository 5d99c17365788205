"""Stopping: signals, the STOP file, the budget, the lock."""

import json
import signal
import time
import unittest

from harness import TINY, SystemTest, shard_report, tengen


class StopTest(SystemTest):
    def started(self, run, **settings):
        """A run that has gone through its first gate."""
        before = len(run.metrics("gate"))
        live = self.start(*run.arguments(**settings))
        live.wait_until(lambda: len(run.metrics("gate")) > before, "a gate")
        return live

    def test_signals_stop_cleanly_and_parked_games_go_on(self):
        run = self.run_directory()
        for number, name in ((signal.SIGINT, "SIGINT"), (signal.SIGTERM, "SIGTERM")):
            with self.subTest(signal=name):
                live = self.started(run)
                live.signal(number)
                self.assertEqual(live.end(), 0, live.text())
                self.assertIn("stopped: asked to by a signal", live.text())
                self.assertIn("games under way are parked", live.text())
                self.assertEqual([p.name for p in (run.path / "parked").iterdir()], ["w0.games"])
                self.assertEqual(run.checkpoint_step(), run.progress()["steps"])
        live = self.started(run)
        self.assertIn("games under way are taken up again", live.text())
        self.assertIn("training goes on from checkpoint-", live.text())
        self.assertEqual([p.name for p in (run.path / "parked").iterdir()], ["w0.nets"])
        live.signal(signal.SIGTERM)
        live.end()
        games = [game for report in shard_report(run.shards()) for game in report["games"]]
        self.assertEqual(len(games), len(set(games)))
        self.assertEqual(run.progress()["attempt"], 3)

    def test_a_second_signal_stops_at_once(self):
        run = self.run_directory()
        # So many random games to stop in the middle of.
        live = self.start(*run.arguments(**{"games.sizes": "[9]", "run.bootstrap_games": 100000}))
        live.wait_for("bootstrap")
        live.signal(signal.SIGINT)
        live.signal(signal.SIGTERM)
        code = live.end(timeout=10)
        self.assertIn(code, (0, 130), live.text())  # 0: it was quicker than the second signal

    def test_a_stop_file_stops_and_keeps_from_starting(self):
        run = self.run_directory()
        live = self.started(run)
        (run.path / "STOP").touch()
        self.assertEqual(live.end(), 0, live.text())
        self.assertIn("STOP file", live.text())
        shards = run.shards()
        again = tengen(*run.arguments())
        self.assertEqual(again.code, 0, str(again))
        self.assertIn("STOP file", again.err)
        self.assertEqual(run.shards(), shards)
        (run.path / "STOP").unlink()
        self.started(run).kill()

    def test_budgets_count_over_restarts(self):
        run = self.run_directory()
        first = tengen(*run.arguments(**{"run.evaluations": 3000}))
        self.assertEqual(first.code, 0, str(first))
        self.assertIn("run.evaluations are spent", first.err)
        spent = run.progress()["evaluations"]
        self.assertGreaterEqual(spent, 3000)
        self.assertLess(spent, 3000 + 2000)
        again = tengen(*run.arguments(**{"run.evaluations": 3000}))
        self.assertEqual(again.code, 0, str(again))
        self.assertEqual(run.progress()["evaluations"], spent, "nothing is played beyond the budget")
        more = tengen(*run.arguments(**{"run.evaluations": spent + 3000}))
        self.assertEqual(more.code, 0, str(more))
        self.assertGreaterEqual(run.progress()["evaluations"], spent + 3000)
        self.assertLess(run.progress()["evaluations"], spent + 3000 + 2000)

    def test_budgets_of_samples_and_minutes_end_a_run(self):
        run = self.run_directory()
        done = tengen(*run.arguments(**{"run.samples": 500}))
        self.assertEqual(done.code, 0, str(done))
        self.assertIn("run.samples are spent", done.err)
        self.assertGreaterEqual(run.progress()["samples"], 500)
        self.assertLess(run.progress()["samples"], 500 + 16)
        began = time.monotonic()
        done = tengen(*self.run_directory("minutes").arguments(**{"run.minutes": 0.05}))
        self.assertEqual(done.code, 0, str(done))
        self.assertIn("run.minutes are spent", done.err)
        self.assertLess(time.monotonic() - began, 30)

    def test_training_that_starts_late_does_not_keep_self_play_from_bringing_its_rows(self):
        # More rows to start with than two cycles make.
        run = self.run_directory()
        done = tengen(*run.arguments(**{"train.min_rows": 700, "run.rows_per_cycle": 100,
                                        "run.bootstrap_games": 0, "run.samples": 100}))
        self.assertEqual(done.code, 0, str(done))
        self.assertGreaterEqual(run.progress()["samples"], 100)

    def test_the_calibration_is_kept_for_the_same_options_and_made_anew_for_others(self):
        run = self.run_directory()
        for settings, batch in (({}, 16), ({}, 16), ({"evaluator.batch": 8}, 8)):
            done = tengen(*run.arguments(**{"run.samples": 100, **settings}))
            self.assertEqual(done.code, 0, str(done))
            about = json.loads((run.path / "run.json").read_text())
            self.assertEqual(about["calibration"]["batch"], batch)
        told = [line for line in run.log().splitlines() if "rows at a time" in line]
        self.assertEqual(len(told), 2, told)

    def test_a_live_directory_is_refused_by_name_and_a_stale_lock_is_none(self):
        run = self.run_directory()
        live = self.started(run)
        second = tengen(*run.arguments())
        self.assert_one_line(second, 1, run.path, f"pid {live.process.pid}")
        self.assertIsNone(live.process.poll(), "the first run goes on")
        live.kill()
        self.assertTrue((run.path / "run.lock").read_text(), "the lock file is left behind")
        self.started(run).kill()

    def test_status_tells_of_a_run_live_and_stopped(self):
        run = self.run_directory()
        live = self.started(run)
        status = tengen("status", "--dir", run.path)
        self.assertEqual(status.code, 0, str(status))
        self.assertIn(f"running: pid {live.process.pid}", status.out)
        live.signal(signal.SIGTERM)
        self.assertEqual(live.end(), 0)
        status = tengen("status", "--dir", run.path)
        self.assertIn("not running", status.out)
        self.assertIn("asked to by a signal", status.out)
        self.assertLessEqual(len(status.out.splitlines()), 24, "a screen")
        missing = tengen("status", "--dir", self.folder / "nothing")
        self.assert_one_line(missing, 1, self.folder / "nothing")
        self.assertFalse((self.folder / "nothing").exists())


if __name__ == "__main__":
    unittest.main()
