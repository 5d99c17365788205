"""Runs the program as a user does, and looks at what it leaves in a run directory.

TENGEN names the program, TENGEN_SHARD_REPORT the helper of the same build that verifies shards.
"""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TINY = HERE / "tiny.toml"
TENGEN = os.environ.get("TENGEN", str(ROOT / "build/release/tengen"))
SHARD_REPORT = os.environ.get("TENGEN_SHARD_REPORT", str(ROOT / "build/release/shard_report"))


def overrides(settings):
    """["--set", "a.b=1", ...] from {"a.b": 1}."""
    return [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def __str__(self):
        return f"exit code {self.code}\n{self.out}\n{self.err}"


def tengen(*arguments, timeout=240, **options):
    """Runs to the end."""
    done = subprocess.run([TENGEN, *map(str, arguments)], capture_output=True, text=True,
                          timeout=timeout, stdin=subprocess.DEVNULL, **options)
    return Result(done.returncode, done.stdout, done.stderr)


class Live:
    """A program under way, its output in a file."""

    def __init__(self, log, *arguments):
        self.log = Path(log)
        with open(self.log, "ab") as out:
            self.begin = out.tell()
            self.process = subprocess.Popen([TENGEN, *map(str, arguments)], stdout=out, stderr=out,
                                            stdin=subprocess.DEVNULL)

    def text(self):
        return self.log.read_bytes()[self.begin:].decode(errors="replace")

    def wait_for(self, words, timeout=180):
        """Until the output holds `words`; fails if the program ends or takes too long."""
        self.wait_until(lambda: words in self.text(), f"'{words}'", timeout)

    def wait_until(self, holds, what, timeout=180):
        end = time.monotonic() + timeout
        while not holds():
            code = self.process.poll()
            if code is not None and not holds():
                raise AssertionError(f"ended with {code} before {what}:\n{self.text()}")
            if time.monotonic() > end:
                self.kill()
                raise AssertionError(f"no {what} within {timeout} s:\n{self.text()}")
            time.sleep(0.02)

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        if self.process.poll() is None:
            self.signal(signal.SIGKILL)
        self.process.wait()

    def end(self, timeout=180):
        """Waits for the end and returns the exit code."""
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"still running after {timeout} s:\n{self.text()}") from None


class RunDirectory:
    """A run directory, looked at from outside."""

    def __init__(self, path):
        self.path = Path(path)

    def arguments(self, config=TINY, **settings):
        return ["run", "--config", str(config), "--dir", str(self.path), *overrides(settings)]

    def metrics(self, kind=None):
        file = self.path / "metrics.jsonl"
        records = []
        for line in file.read_text().splitlines() if file.exists() else []:
            try:
                record = json.loads(line)
            except json.JSONDecodeError:
                continue  # torn by a kill
            if kind in (None, record["kind"]):
                records.append(record)
        return records

    def progress(self):
        return json.loads((self.path / "progress.json").read_text())

    def log(self):
        return (self.path / "logs/run.log").read_text(errors="replace")

    def shards(self):
        return sorted((self.path / "shards").glob("shard-*.h5"))

    def quarantined(self):
        return sorted(p.name for p in (self.path / "quarantine").iterdir() if p.suffix != ".txt")

    def announced(self):
        """Names of the shards that the log or the metrics speak of as written."""
        names = {record["file"] for record in self.metrics("shard")}
        log = self.path / "logs/run.log"
        for line in log.read_text(errors="replace").splitlines() if log.exists() else []:
            words = line.split()
            if "shard" in words and words[-1] == "out":
                names.add(words[words.index("shard") + 1].rstrip(":"))
        return names

    def checkpoints(self):
        return sorted(p for p in (self.path / "train").glob("checkpoint-*") if "." not in p.name)

    def checkpoint_step(self):
        """Step of the newest checkpoint, 0 before the first."""
        found = self.checkpoints()
        return int(found[-1].name.split("-")[1]) if found else 0

    def champion(self):
        return self.path / "nets" / json.loads((self.path / "champion.json").read_text())["net"]


def shard_report(paths):
    """Verifies shards in full. Returns one dictionary a shard: file, rows, games (their indices), or
    file and error."""
    if not paths:
        return []
    done = subprocess.run([SHARD_REPORT, *map(str, paths)], capture_output=True, text=True,
                          timeout=240)
    if done.returncode != 0:
        raise AssertionError(done.stdout + done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


class SystemTest(unittest.TestCase):
    """A temporary folder each; programs that a failed test leaves behind are ended."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="tengen-system-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def run_directory(self, name="run"):
        return RunDirectory(self.folder / name)

    def start(self, *arguments):
        live = Live(self.folder / "output.txt", *arguments)
        self.addCleanup(live.kill)
        return live

    def assert_one_line(self, result, code, *words):
        """It failed with this code and one line on stderr that holds the words."""
        self.assertEqual(result.code, code, str(result))
        lines = result.err.strip().splitlines()
        self.assertEqual(len(lines), 1, str(result))
        for word in words:
            self.assertIn(str(word), lines[0])


class RunTest(SystemTest):
    """About run directories, and the parts of the program that meet there."""

    def part_arguments(self, run, *arguments, **settings):
        return [*arguments, "--config", TINY, "--dir", run.path,
                *overrides({"run.threads": 1, **settings})]

    def start_part(self, run, name, *arguments, **settings):
        live = Live(self.folder / f"{name}.txt", *self.part_arguments(run, *arguments, **settings))
        self.addCleanup(live.kill)
        return live

    def start_parts(self, run, workers=("w1", "w2"), **settings):
        parts = {name: self.start_part(run, name, name, **settings) for name in ("train", "gate")}
        for name in workers:
            parts[name] = self.start_part(run, name, "selfplay", "--worker", name, **settings)
        return parts

    def stop_parts(self, parts):
        for live in parts.values():
            live.signal(signal.SIGTERM)
        for live in parts.values():
            self.assertEqual(live.end(), 0, live.text())

    def assert_no_game_twice(self, run):
        """Every shard is whole, and a game, which is its worker's seed and an index, in one only."""
        import h5py  # not where the engine alone is tested

        games = []
        for path, report in zip(run.shards(), shard_report(run.shards())):
            self.assertNotIn("error", report)
            with h5py.File(path) as shard:
                games += zip(shard["games/seed"][:].tolist(), shard["games/index"][:].tolist())
        self.assertEqual(len(games), len(set(games)))

    def assert_whole(self, run, checkpoint=0):
        """What was announced is there and whole, no game is in two shards, nothing but the rows of whole
        shards is counted, and no checkpoint from `checkpoint` on is lost."""
        # The run may go on meanwhile: what it says first, what it has then.
        announced, trained = run.announced(), run.metrics("train")
        counters = run.path / "progress.json"
        counted = run.progress()["training_rows"] if counters.exists() else 0
        self.assertGreaterEqual(run.checkpoint_step(), checkpoint)
        reports = shard_report(run.shards())
        for report in reports:
            self.assertNotIn("error", report, report)
        self.assertEqual(announced - {report["file"] for report in reports}, set())
        games = [game for report in reports for game in report["games"]]
        self.assertEqual(len(games), len(set(games)), "a game index occurs twice")
        rows = sum(report["rows"] for report in reports)
        for record in trained:
            self.assertLessEqual(record["window_rows"], rows)
            self.assertIsNotNone(record["total"], "a loss that is not finite")
        self.assertLessEqual(counted, rows)
        quarantine = run.path / "quarantine"
        self.assertEqual(run.quarantined() if quarantine.exists() else [], [])
        if (run.path / "champion.json").exists():
            for file in ("net.json", "weights.safetensors"):
                self.assertGreater((run.champion() / file).stat().st_size, 0)
        return reports


if __name__ == "__main__":
    raise SystemExit("a library: run one of the *_test.py")
