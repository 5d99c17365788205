"""Runs the commands of README.md: those in ```sh blocks, in their order.

readme_commands.py          with budgets of seconds (below), in a folder of its own
readme_commands.py --full   as they stand, in the checkout; takes as long as the README says

Lines that install, build or need a screen are for people and left out here; so is a block that begins
with "# elsewhere". Exits 77 (skipped) where the program is not built.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = "build/release/tengen"
ENGINE = "build/engine/tengen"  # where it is not built the program, which has its verbs, takes its place
LEFT_OUT = ("git ", "cd ", "./test.sh", "tensorboard", "cmake", "ninja", "docker", "sabaki", "gogui", "touch")

# What makes a verb short: options that come after the README's own and win.
TINY = {
    "run": "--set run.minutes=0.25 --set net.size=b2c16 --set games.per_worker=8 --set search.visits=4"
    " --set run.rows_per_cycle=300 --set run.bootstrap_games=20 --set run.check_every=0"
    " --set run.exam_every=0 --set train.min_rows=100 --set train.batch=32 --set gate.pairs=1"
    " --set gate.visits=2",
    "selfplay": "--set search.visits=4",
    "match": "--pairs 1 --visits 2",
    "bench": "--seconds 0.3",
    "rules prove": "--only games",
}
MAY_FAIL = {"exam"}  # a net of a few seconds does not pass


def commands(text):
    """The commands of the ```sh blocks, continued lines joined, comments cut."""
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S):
        if block.startswith("# elsewhere"):
            continue
        for line in block.replace("\\\n", " ").splitlines():
            line = re.sub(r"(^|\s)#.*", "", line).strip()
            if line:
                yield line


def is_left_out(command, full):
    return command.startswith(LEFT_OUT) or (command.startswith("./quickstart.sh") and not full)


def available(command):
    return command if (ROOT / ENGINE).exists() else command.replace(ENGINE, PROGRAM)


def shortened(command):
    for verb, options in TINY.items():
        if re.search(rf"\btengen {verb}\b", command):
            return f"{command} {options}"
    return command


def verb_of(command):
    found = re.search(r"\btengen (\w+)", command)
    return found.group(1) if found else ""


def execute(command, directory, full):
    shown = available(command if full else shortened(command))
    start = time.time()
    done = subprocess.run(["bash", "-c", shown], cwd=directory, input="name\nquit\n", text=True,
                          capture_output=True, timeout=None if full else 300)
    fine = done.returncode == 0 or (not full and verb_of(command) in MAY_FAIL and done.returncode == 1)
    print(f"{'ok' if fine else 'FAILED'}  {time.time() - start:5.1f} s  {shown}", flush=True)
    if not fine:
        print(f"exit code {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return fine


def main():
    full = "--full" in sys.argv
    readme = ROOT / "README.md"
    if not readme.exists() or not (ROOT / PROGRAM).exists():
        print("skipped: README.md or build/release/tengen is not there")
        return 77
    todo = [c for c in commands(readme.read_text()) if not is_left_out(c, full)]
    if not todo:
        print("README.md has no command to run")
        return 1
    with tempfile.TemporaryDirectory() as name:
        directory = ROOT if full else pathlib.Path(name)
        if not full:
            for entry in ("build", "configs", "docker", "tests"):
                os.symlink(ROOT / entry, directory / entry)
            # README's commands look at the run that quickstart.sh made.
            if not execute(f"{PROGRAM} run --config configs/quick-5x5.toml --dir runs/quick-5x5",
                           directory, full):
                return 1
        good = [execute(command, directory, full) for command in todo]
    print(f"{sum(good)} of {len(good)} commands work")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
