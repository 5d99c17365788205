"""docker/install-deps.sh --check names what is missing, on a machine that has none of the packages and on
one that lacks a single one. A stand-in for dpkg-query says what is installed."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "docker/install-deps.sh"

# Like the real one: a line for each package it knows, 1 if it does not know one of them.
STAND_IN = """#!/bin/sh
code=0
for package; do
  case $package in -*|*Status*) continue ;; esac
  case $package in KNOWN) echo "$package ii " ;; *) code=1 ;; esac
done
exit $code
"""


def check(known):
    with tempfile.TemporaryDirectory() as name:
        tool = pathlib.Path(name) / "dpkg-query"
        tool.write_text(STAND_IN.replace("KNOWN", known))
        tool.chmod(0o755)
        done = subprocess.run([SCRIPT, "--core", "--check"], capture_output=True, text=True,
                              env={**os.environ, "PATH": f"{name}:{os.environ['PATH']}"}, check=False)
        return done.returncode, done.stdout + done.stderr


def main():
    if shutil.which("dpkg-query") is None:
        print("skipped: not a Debian system")
        return 77
    code, text = check("nothing")
    assert code == 1 and "libboost-dev" in text and "libfmt-dev" in text, (code, text)
    code, text = check("[!l]*|lib[!b]*")
    assert code == 1 and text.strip().endswith("missing Debian packages: libboost-dev libbenchmark-dev"), (code, text)
    code, text = check("*")
    assert code == 0, (code, text)
    print("install-deps.sh --check names what is missing")


if __name__ == "__main__":
    sys.exit(main())
