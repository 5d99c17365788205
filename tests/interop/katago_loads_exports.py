"""A real KataGo loads what `tengen export` writes and says of 20 positions what is said here.

    katago_loads_exports.py WRITE_KATA_ANSWERS TENGEN [NET]...   # folders; without any: an untrained net
                                                                  # in versions 11 and 8
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import katago

BOUND = 1e-3


def compare(write_answers, file):
    lines = subprocess.run([write_answers, file], check=True, capture_output=True, text=True).stdout.splitlines()
    worst = 0
    with katago.KataGo(file) as engine:
        for fields in map(json.loads, lines):
            ours = katago.RawOutput(**fields.pop("answer"))
            engine.set_up(katago.Position(**fields))
            theirs = engine.raw_nn()
            worst = max(worst, katago.difference(ours, theirs))
            errors = ("varTimeLeft", "shorttermWinlossError", "shorttermScoreError")
            worst = max([worst] + [abs(ours.scalars[name] - theirs.scalars[name]) / 10 for name in errors])
        print(f"{file.name}: KataGo {engine.command('version')}, {len(lines)} positions, "
              f"largest difference {worst:.6f}", flush=True)
    return len(lines) == 20 and worst < BOUND


def main():
    katago.require_interop()
    katago.executable()  # or Missing, before the work
    write_answers, tengen, *nets = sys.argv[1:]
    with tempfile.TemporaryDirectory() as directory:
        folder = pathlib.Path(directory)
        if not nets:
            subprocess.run([tengen, "net", "init", "--size", "b2c32", "--out", folder / "net"], check=True,
                           stdout=subprocess.DEVNULL)
            nets = [folder / "net"]
        fine = True
        for i, net in enumerate(nets):
            for version in ([], ["--version", "8"]):
                file = folder / f"net-{i}{'-v8' if version else ''}.bin.gz"
                subprocess.run([tengen, "export", "--net", net, "--out", file, *version], check=True)
                fine = compare(write_answers, file) and fine
    return 0 if fine else 1


if __name__ == "__main__":
    katago.run(main)
