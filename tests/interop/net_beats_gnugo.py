"""The g170 net of KataGo against GNU Go, level 10, on 9x9: paired games with varied openings, at one visit
and at 16. The lower 95 % bound of its score must be above 0.6 and 0.7. Some 40 minutes.

    net_beats_gnugo.py TENGEN [PAIRS]
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

GNUGO = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")
OPPONENT = (f"gtp:{GNUGO} --mode gtp --level 10 --capture-all-dead --never-resign --chinese-rules "
            "--positional-superko")
BOUNDS = {1: 60, 16: 70}  # per cent


def main():
    tengen, pairs = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "50"
    data = pathlib.Path(os.environ.get("TENGEN_TEST_DATA")
                        or pathlib.Path(__file__).resolve().parents[3] / "shared/data")
    net = data / "katago" / "g170-b6c96-s175395328-d26788732.bin.gz"
    for missing, text in ((os.environ.get("TENGEN_INTEROP") != "full", "runs under TENGEN_INTEROP=full"),
                          (not net.exists(), f"no reference data at {net}"), (not GNUGO, "no gnugo")):
        if missing:
            print(f"skipped: {text}", file=sys.stderr)
            return 77
    fine = True
    with tempfile.TemporaryDirectory() as directory:
        for visits, bound in BOUNDS.items():
            result = pathlib.Path(directory) / "match.json"
            told = subprocess.run([tengen, "match", net, OPPONENT, "--rules", "chinese 9x9", "--komi", "7",
                                   "--pairs", pairs, "--visits", str(visits), "--json", result],
                                  check=True, capture_output=True, text=True).stdout
            low = float(re.search(r"interval over pairs ([\d.]+) to", told).group(1))
            print(f"{visits} visits: {told.strip()}", flush=True)
            assert json.loads(result.read_text()), "the games are kept"
            fine = fine and low > bound
    return 0 if fine else 1


sys.exit(main())
