"""Broken input: one clear line, the right exit code, and what can go on goes on."""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import unittest

import h5py

from harness import TENGEN, TINY, SystemTest, tengen


class BrokenConfigTest(SystemTest):
    def config(self, text):
        file = self.folder / "broken.toml"
        file.write_text(text)
        return file

    def refused(self, text, *words):
        file = self.config(text)
        run = self.run_directory()
        result = tengen("run", "--config", file, "--dir", run.path)
        self.assert_one_line(result, 2, file, *words)
        self.assertFalse(run.path.exists(), "nothing is made of a broken config")

    def test_an_unknown_key_is_refused_with_the_nearest(self):
        self.refused("[run]\nminuts = 5\n", ":2", "minuts", "minutes")

    def test_an_unknown_section_is_refused(self):
        self.refused("[training]\nbatch = 5\n", ":1", "training", "train")

    def test_a_wrong_type_is_refused(self):
        self.refused("[search]\nvisits = \"many\"\n", ":2", "visits", "many")

    def test_a_value_out_of_range_is_refused(self):
        self.refused("[games]\nsizes = [9, 25]\n", ":2", "sizes", "25")

    def test_broken_toml_is_refused(self):
        self.refused("[run\n", ":1")

    def test_an_unknown_net_size_is_refused(self):
        run = self.run_directory()
        result = tengen("run", "--config", TINY, "--dir", run.path, "--set", "net.size=b2c17")
        self.assert_one_line(result, 2, "b2c17", "b2c16")

    def test_a_missing_file_is_refused(self):
        missing = self.folder / "missing.toml"
        result = tengen("run", "--config", missing, "--dir", self.run_directory().path)
        self.assert_one_line(result, 2, missing)

    def test_a_wrong_override_is_refused(self):
        for text, word in (("run.minuts=5", "minutes"), ("run.minutes", "="),
                           ("run.minutes=soon", "soon"), ("minutes=5", "minutes")):
            with self.subTest(text):
                result = tengen(*self.run_directory().arguments(), "--set", text)
                self.assert_one_line(result, 2, word)

    def test_rules_that_make_no_sense_are_refused(self):
        for text, *words in (("japanes", "'japanes'", "japanese"), ("casual-9x9 19x19", "casual-9x9", "19x19", "9x9"),
                             ("tromp-taylor 5x5 handicap=9", "handicap", "5x5"), ("9x9 ko=super", "ko", "simple", "super"),
                             ("9x9 taxes=all", "tax"), ('{"ko": 3}', "ko", "3"), ('{"ko"', "JSON"), ("koLOOSE", "ko", "SIMPLE")):
            with self.subTest(text):
                self.assert_one_line(tengen("rules", "show", text), 2, *words)
                self.assert_one_line(tengen("rules", "diff", "japanese", text), 2, *words)
                self.assert_one_line(tengen("match", "random", "random", "--pairs", 1, "--rules", text), 2, *words)
        self.assert_one_line(tengen("gtp", "--net", "random", "--rules", "chinese 9x9 handicap=2"), 2, "handicap")
        for text, word in (("japanes", "japanese"), ("casual-9x9", "casual-9x9"), ("tromp-taylor 9x9", "no board"),
                           ("chinese handicap=1", "handicap"), ("japanese komi=3", "komi_mean")):
            with self.subTest(text):
                run = self.run_directory()
                result = tengen(*run.arguments(), "--set", f"games.rules={text}")
                self.assert_one_line(result, 2, "games.rules", word)
                self.assertFalse(run.path.exists(), "nothing is made of a broken config")

    def test_wrong_usage_exits_with_2(self):
        for arguments in ([], ["sing"], ["run"], ["run", "--sing"], ["bench", "sing"],
                          ["match", "random"], ["selfplay"]):
            with self.subTest(arguments):
                self.assertEqual(tengen(*arguments).code, 2)

    def test_an_option_given_twice_is_refused_by_name(self):
        for option, first, second, *verb in (("--pairs", 3, 4, "match", "random", "random", "--size", 3),
                                             ("--seed", 1, 1, "match", "random", "random", "--size", 3),
                                             ("--dir", "a", "b", "status"),
                                             ("--config", TINY, TINY, "config")):
            with self.subTest(option):
                result = tengen(*verb, option, first, option, second)
                self.assertEqual(result.code, 2, str(result))
                self.assertTrue(result.err.startswith(f"{option}: At Most 1 required but received 2"), str(result))

    def test_set_repeats_and_the_last_of_one_key_holds(self):
        result = tengen("config", "--set", "run.minutes=1", "--set", "run.seed=3", "--set", "run.minutes=2")
        self.assertEqual(result.code, 0, str(result))
        lines = result.out.splitlines()
        self.assertIn("seed = 3", lines)
        self.assertIn("minutes = 2.0", lines)


class BrokenPlaceTest(SystemTest):
    def test_a_directory_that_cannot_be_made_is_refused(self):
        (self.folder / "file").write_text("")
        for path in (self.folder / "file/run", self.folder / "file"):
            with self.subTest(path.name):
                result = tengen("run", "--config", TINY, "--dir", path)
                self.assert_one_line(result, 1, path)

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_directory_without_leave_to_write_is_refused(self):
        closed = self.folder / "closed"
        closed.mkdir(mode=0o555)
        self.assert_one_line(tengen("run", "--config", TINY, "--dir", closed), 1, closed)

    def small_disk(self, size):
        mount = self.folder / f"disk-{size}"
        mount.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(mount)],
                          capture_output=True, check=False).returncode != 0:
            self.skipTest("a small file system cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", str(mount)], check=False)
        return mount

    def test_a_run_waits_while_the_disk_is_full_and_goes_on(self):
        for size in ("700k", "1500k", "2500k"):  # full at one write or another
            with self.subTest(size):
                mount = self.small_disk(size)
                run = self.run_directory(f"{mount.name}/run")
                live = self.start(*run.arguments())
                live.wait_for("the run waits and tries again")
                self.assertIn("No space left on device", live.text())
                self.assertIn(str(run.path), live.text())
                announced = run.announced()
                subprocess.run(["mount", "-o", "remount,size=80M", str(mount)], check=True)
                live.wait_for("there is room again")
                gates = len(run.metrics("gate"))
                live.wait_until(lambda: len(run.metrics("gate")) > gates + 1, "two more gates")
                (run.path / "STOP").touch()
                self.assertEqual(live.end(), 0, live.text())
                self.assertNotIn("HDF5-DIAG", live.text())
                self.assertLessEqual(announced, {shard.name for shard in run.shards()})
                self.assertEqual(run.quarantined(), [])
                self.check_nothing_half_written(run)

    def test_a_stop_ends_the_wait_for_room_and_the_same_command_goes_on(self):
        mount = self.small_disk("1500k")
        run = self.run_directory(f"{mount.name}/run")
        live = self.start(*run.arguments())
        live.wait_for("the run waits and tries again")
        live.signal(signal.SIGTERM)
        self.assertEqual(live.end(15), 1, live.text())
        self.assertIn("No space left on device", live.text().strip().splitlines()[-1])
        self.check_nothing_half_written(run)
        subprocess.run(["mount", "-o", "remount,size=80M", str(mount)], check=True)
        spent = run.progress()["evaluations"]
        done = tengen(*run.arguments(**{"run.evaluations": spent + 3000}))
        self.assertEqual(done.code, 0, str(done))

    def test_a_device_that_is_not_there_is_one_line(self):
        run = self.run_directory()
        settings = ["--set", "evaluator.device=cuda:77"]
        for arguments in (["run", "--config", TINY, "--dir", run.path],
                          ["selfplay", "--net", "hash", "--games", "1"], ["bench", "selfplay"]):
            result = tengen(*arguments, *settings)
            self.assertEqual(result.code, 2, str(result))
            self.assertIn("evaluator.device = cuda:77: this machine has",
                          result.err.strip().splitlines()[-1])

    def test_a_limit_on_the_size_of_files_is_an_error_of_the_write(self):
        run = self.run_directory()
        result = tengen(*run.arguments(), preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_FSIZE, (60_000, 60_000)))
        self.assertEqual(result.code, 1, str(result))
        self.assertIn("File too large", result.err.strip().splitlines()[-1])

    def test_an_output_that_cannot_be_written_is_a_failure(self):
        for arguments in (["config"], ["version"], ["match", "random", "random", "--size", "3", "--pairs", "1"]):
            with self.subTest(arguments[0]), open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([TENGEN, *arguments], stdout=full, stderr=subprocess.PIPE, text=True,
                                      check=False, timeout=60)
                self.assertEqual(done.returncode, 1)
                self.assertIn("standard output cannot be written", done.stderr)

    def test_a_result_that_cannot_be_kept_is_refused_before_the_games(self):
        (self.folder / "here").mkdir()
        for place in (self.folder / "nowhere/m.json", self.folder / "here", "/dev/full"):
            for verb in (["match", "random", "random", "--size", 3, "--pairs", 1000000, "--json", place],
                         ["selfplay", "--net", "random", "--games", 10000000, "--dump", place]):
                with self.subTest(place=place, verb=verb[0]):
                    self.assert_one_line(tengen(*verb, timeout=20), 1, place)

    def test_values_with_line_breaks_give_one_line(self):
        result = tengen("run", "--dir", self.folder / "run", "--set", 'games.ko="a\\nb\\u001b[31m"')
        self.assert_one_line(result, 2, "games.ko")
        self.assertNotIn("\x1b", result.err)

    def check_nothing_half_written(self, run):
        from harness import shard_report
        for report in shard_report(run.shards()):
            self.assertNotIn("error", report)
        for net in (*run.path.glob("nets/net-*"), *run.path.glob("candidates/net-*")):
            if "." not in net.name:
                json.loads((net / "net.json").read_text())
                self.assertGreater((net / "weights.safetensors").stat().st_size, 1000)
        for checkpoint in run.checkpoints():
            json.loads((checkpoint / "state.json").read_text())
        for name in ("progress.json", "run.json", "champion.json"):
            if (run.path / name).exists():
                json.loads((run.path / name).read_text())


def flip_bytes(path, share=0.5, count=64):
    """Turns over a stretch of bytes in the middle of the file's data."""
    data = bytearray(path.read_bytes())
    begin = int(len(data) * share)
    for i in range(begin, min(begin + count, len(data))):
        data[i] ^= 0xFF
    path.write_bytes(data)


def cut_off(path, share=0.6):
    os.truncate(path, int(path.stat().st_size * share))


class DamagedRunTest(SystemTest):
    """Damage to a run directory that was stopped cleanly."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        import tempfile
        from pathlib import Path
        from harness import RunDirectory
        cls.original = RunDirectory(Path(tempfile.mkdtemp(prefix="tengen-system-")) / "run")
        cls.addClassCleanup(shutil.rmtree, cls.original.path.parent, ignore_errors=True)
        done = tengen(*cls.original.arguments(**{"run.samples": 1200}))
        assert done.code == 0, str(done)
        assert len(cls.original.checkpoints()) == 2, "two checkpoints"

    def copy(self):
        run = self.run_directory()
        shutil.copytree(self.original.path, run.path)
        return run

    def goes_on(self, run):
        """It trains and gates again; returns its output."""
        gates = len(run.metrics("gate"))
        live = self.start(*run.arguments())
        live.wait_until(lambda: len(run.metrics("gate")) >= gates + 2, "two gates")
        live.signal(signal.SIGTERM)
        self.assertEqual(live.end(), 0, live.text())
        return live.text()

    def check_set_aside(self, run, path, text):
        self.assertFalse(path.exists())
        self.assertIn(path.name, run.quarantined())
        reasons = [p for p in (run.path / "quarantine").glob("*.txt") if path.name in p.name]
        self.assertEqual(len(reasons), 1)
        self.assertTrue(reasons[0].read_text().strip())
        lines = [line for line in text.splitlines() if path.name in line and "set aside" in line]
        self.assertEqual(len(lines), 1, text)
        self.assertIn("quarantine", tengen("status", "--dir", run.path).out)

    def test_a_damaged_shard_is_set_aside_and_the_run_goes_on(self):
        def overwrite(path):
            with h5py.File(path, "r+") as file:
                file["policy"][...] = 65535

        def link_to_itself(path):
            path.unlink()
            path.symlink_to(path)

        damages = {"flipped bytes": flip_bytes, "flipped bytes near the end": lambda p: flip_bytes(p, 0.9),
                   "cut off": cut_off, "empty": lambda p: os.truncate(p, 0),
                   "not HDF5": lambda p: p.write_text("hello\n"), "other policies": overwrite, "a link to itself": link_to_itself}
        run = self.copy()
        victims = dict(zip(damages, run.shards()[1:]))
        self.assertEqual(len(victims), len(damages), "enough shards to damage")
        for name, damage in damages.items():
            damage(victims[name])
        text = self.goes_on(run)
        self.assertNotIn("HDF5-DIAG", text)
        for name, path in victims.items():
            with self.subTest(name):
                self.check_set_aside(run, path, text)
        self.assertEqual(len(run.quarantined()), len(damages))
        for record in run.metrics("train"):
            self.assertIsNotNone(record["total"])

    def test_a_truncated_checkpoint_is_set_aside_and_the_one_before_goes_on(self):
        for name in ("weights.safetensors", "optimizer.safetensors", "state.json"):
            with self.subTest(name):
                run = self.copy()
                before, newest = run.checkpoints()
                cut_off(newest / name)
                text = self.goes_on(run)
                self.check_set_aside(run, newest, text)
                self.assertIn(f"training goes on from {before.name}", text)
                shutil.rmtree(run.path)

    def test_without_a_good_checkpoint_training_begins_from_the_champion_and_says_so(self):
        run = self.copy()
        for checkpoint in run.checkpoints():
            cut_off(checkpoint / "ema.safetensors")
        text = self.goes_on(run)
        self.assertEqual(len(run.quarantined()), 2)
        self.assertIn(f"training begins anew from {self.original.champion().name}", text)

    def test_a_truncated_champion_ends_the_run_with_a_line(self):
        run = self.copy()
        file = run.champion() / "weights.safetensors"
        cut_off(file)
        result = tengen(*run.arguments())
        self.assertEqual(result.code, 1, str(result))
        self.assertIn(str(file), result.err.strip().splitlines()[-1])
        for arguments in (["gtp", "--net", run.path], ["match", run.path, "random", "--size", "3"],
                          ["selfplay", "--net", run.champion(), "--games", "1", *sets()]):
            with self.subTest(arguments[0]):
                self.assert_one_line(tengen(*arguments), 1, file)

    def test_a_truncated_candidate_is_rejected_and_the_run_goes_on(self):
        run = self.copy()
        newest = sorted(run.path.glob("nets/net-*"))[-1]
        number = int(newest.name.split("-")[1]) + 50
        candidate = run.path / "candidates" / f"net-{number:06d}-0123abcd"
        shutil.copytree(newest, candidate)
        (candidate / "verdict.json").unlink()
        cut_off(candidate / "weights.safetensors")
        text = self.goes_on(run)
        self.assertIn(f"{candidate.name} is rejected: cannot be judged", text)
        self.assertFalse(json.loads((candidate / "verdict.json").read_text())["promoted"])

    def test_without_its_counters_a_run_is_refused_for_games_would_come_twice(self):
        run = self.copy()
        (run.path / "progress.json").unlink()
        for _ in range(2):
            result = tengen(*run.arguments())
            self.assertEqual(result.code, 1, str(result))
            last = result.err.strip().splitlines()[-1]
            self.assertIn(str(run.path / "progress.json"), last)
            self.assertIn("put the file back", last)

    def test_a_damaged_progress_file_ends_the_run_with_a_line(self):
        for damage in (lambda p: p.write_text("{"), lambda p: p.write_text("[]"),
                       lambda p: p.write_text("{}"),
                       lambda p: p.write_text(p.read_text().replace('"games": ', '"games": "x", "_": ')),
                       lambda p: p.write_text(p.read_text().replace('"games": ', '"games": 9223372036854775807, "_": '))):
            run = self.copy()
            file = run.path / "progress.json"
            damage(file)
            self.assert_one_line(tengen(*run.arguments()), 1, file)
            shutil.rmtree(run.path)

    def test_damaged_json_files_end_the_run_with_a_line(self):
        for name in ("run.json", "champion.json"):
            with self.subTest(name):
                run = self.copy()
                (run.path / name).write_text("{")
                result = tengen(*run.arguments())
                self.assertEqual(result.code, 1, str(result))
                self.assertIn(str(run.path / name), result.err.strip().splitlines()[-1])
                shutil.rmtree(run.path)

    def test_damaged_parked_games_are_set_aside_and_the_run_goes_on(self):
        run = self.copy()
        parked = run.path / "parked" / "w0.games"
        cut_off(parked)
        text = self.goes_on(run)
        self.assertIn("w0.games is set aside", text)

    def test_parked_games_whose_nets_are_gone_are_set_aside_too(self):
        run = self.copy()
        parked = run.path / "parked" / "w0.games"
        text = re.sub(r"(?m)^net .*", "net net-000077-aaaaaaaa", parked.read_text(), count=1)
        parked.write_text(text)
        said = self.goes_on(run)
        self.assertIn("the nets of 1 of its games are gone", said)
        self.assertEqual((run.path / "quarantine" / "w0.games").read_text(), text)

    def test_another_net_size_than_the_runs_is_refused(self):
        run = self.copy()
        result = tengen(*run.arguments(**{"net.size": "b3c32"}))
        self.assertEqual(result.code, 2, str(result))
        self.assertIn("b2c16", result.err)
        self.assertEqual(len(run.checkpoints()), 2, "the checkpoints stay")


class GateTest(SystemTest):
    def test_what_is_wrong_with_the_champion_ends_the_run_and_rejects_no_candidate(self):
        run = self.run_directory()
        done = tengen(*run.arguments(**{"run.samples": 200}))
        self.assertEqual(done.code, 0, str(done))
        candidate = run.path / "candidates" / "net-000900-0123abcd"
        shutil.copytree(run.champion(), candidate)
        (candidate / "verdict.json").unlink()
        cut_off(run.champion() / "weights.safetensors")
        done = tengen("gate", "--config", TINY, "--dir", run.path)
        self.assertEqual(done.code, 1, str(done))
        self.assertIn(str(run.champion()), done.err.strip().splitlines()[-1])
        self.assertFalse((candidate / "verdict.json").exists())

    def test_options_without_sense_are_refused_before_anything_is_made(self):
        for settings, words in (({"gate.kind": "sprt", "gate.elo1": 0}, "gate.elo1 = 0: expected more than"),
                                ({"run.exam_every": 3}, "run.exam_every = 3: the exam is of 5x5")):
            run = self.run_directory()
            self.assert_one_line(tengen(*run.arguments(**settings)), 2, words)
            self.assertFalse(run.path.exists())


class NotFiniteTest(SystemTest):
    def test_a_loss_that_is_not_finite_ends_the_run_at_the_last_good_checkpoint(self):
        run = self.run_directory()
        done = tengen(*run.arguments(**{"run.samples": 400}))
        self.assertEqual(done.code, 0, str(done))
        good, champion = run.checkpoints(), run.champion()
        done = tengen(*run.arguments(**{
            "train.learning_rate": 1, "train.weight_decay": 10, "train.clip_norm": 1e9, "train.warmup_steps": 0,
            "train.replay_ratio": 500, "train.value_weight": 1000, "gate.kind": "off"}))
        self.assertEqual(done.code, 1, str(done))
        last = done.err.strip().splitlines()[-1]
        self.assertIn("not finite", last)
        self.assertIn(run.checkpoints()[-1].name, last)
        self.assertIn(good[-1], run.checkpoints())
        self.assertTrue(champion.exists())
        # What is left plays and goes on.
        self.assertEqual(tengen("match", run.path, "random", "--size", 3, "--pairs", 1, "--visits", 2).code, 0)
        done = tengen(*run.arguments(**{"run.evaluations": run.progress()["evaluations"] + 200}))
        self.assertEqual(done.code, 0, str(done))


def sets():
    return ["--config", TINY]


if __name__ == "__main__":
    unittest.main()
