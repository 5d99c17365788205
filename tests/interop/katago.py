"""A KataGo to compare with: found or installed, and asked over GTP.

    with katago.KataGo(net="net.bin.gz") as engine:
        position = katago.Position(width=9, height=9, rules="chinese", moves=[("b", "C3"), ("w", "C6")])
        engine.set_up(position)
        output = engine.raw_nn(symmetry=0)

`executable()` gives the program: $KATAGO, `katago` in PATH, or v1.18.1 as the PyPI package katrain 1.20.0
carries it for Linux on x86-64 (MIT, 106 MB), unpacked once under ${TENGEN_DEPS:-~/.cache/tengen}/katago. It
computes with OpenCL, which Debian's pocl offers on the CPU (docker/install-deps.sh --interop). `Missing` says
what is not there.

    katago.py ask NET < POSITIONS > OUTPUTS   # a JSON object a line: fields of Position, `symmetry` if it is not 0;
                                              # answered by those of RawOutput
    katago.py                                 # under TENGEN_INTEROP=full: whether KataGo gives the evaluations of
                                              # the g170 net that its repository ships, within 0.001
"""

import ctypes.util
import dataclasses
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = "katrain==1.20.0"
PROGRAM_SHA256 = "f9029dcaa28608e9efa4e1d404940e651bd067bdd11528222e068f3b34450fd7"  # of the AppImage in it
NO_OPENCL = "no OpenCL here: docker/install-deps.sh --interop installs one"
NO_NET = "/dev/null"  # KataGo then evaluates at random and uses no device


class Missing(Exception):
    """What is not there to run KataGo, in words."""


def require_interop():
    if os.environ.get("TENGEN_INTEROP") != "full":
        raise Missing("runs under TENGEN_INTEROP=full (./test.sh --interop)")


def run(program):
    """Runs a program to its exit code; 77, skipped, where KataGo cannot be had."""
    try:
        sys.exit(program())
    except Missing as missing:
        print(f"skipped: {missing}", file=sys.stderr)
        sys.exit(77)


def cache():
    return pathlib.Path(os.environ.get("TENGEN_DEPS") or pathlib.Path.home() / ".cache/tengen") / "katago"


def executable():
    """The path of a KataGo; installs one if there is none. Throws Missing."""
    if own := os.environ.get("KATAGO") or shutil.which("katago"):
        return own
    if ctypes.util.find_library("OpenCL") is None:
        raise Missing(NO_OPENCL)
    program = cache() / "1.18.1/AppRun"
    if not program.exists():
        install(program.parent)
    return str(program)


def install(directory):
    """Unpacks KataGo into `directory`, whole or not at all."""
    directory.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=directory.parent) as name:
        work = pathlib.Path(name)
        done = subprocess.run(
            [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "download", "--no-deps",
             "--only-binary=:all:", "--dest", name, PACKAGE], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Missing(f"{PACKAGE} cannot be downloaded: {(done.stderr.strip() or 'pip failed').splitlines()[-1]}")
        with zipfile.ZipFile(next(work.glob("katrain-*.whl"))) as wheel:
            image = work / "katago"
            image.write_bytes(wheel.read("katrain/KataGo/katago"))
        found = hashlib.sha256(image.read_bytes()).hexdigest()
        if found != PROGRAM_SHA256:
            raise Missing(f"{PACKAGE} carries another KataGo: SHA-256 {found}")
        image.chmod(0o755)
        try:
            subprocess.run([image, "--appimage-extract"], cwd=work, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise Missing(f"KataGo's AppImage cannot be unpacked here: {error}") from error
        if not directory.exists():  # another may have been quicker
            (work / "squashfs-root").rename(directory)


def device_settings():
    """Settings of its OpenCL: on a CPU kernels of a size that was measured once, else it tunes for minutes."""
    icds = {path.name for path in pathlib.Path("/etc/OpenCL/vendors").glob("*.icd")}
    if not icds:
        raise Missing(NO_OPENCL)
    return {"openclTunerFile": str(HERE / "katago_opencl_cpu.txt")} if icds == {"pocl.icd"} else {}


@dataclasses.dataclass
class Position:
    """What KataGo is asked about. `rules`: a name or fields as kata-set-rules takes them."""
    width: int
    height: int
    rules: str | dict
    komi: float = 7.5
    moves: list[tuple[str, str]] = dataclasses.field(default_factory=list)  # ("b", "C3"), ("w", "pass")


@dataclasses.dataclass
class RawOutput:
    """An answer to kata-raw-nn, White's view. Rows from the top of the board; None is an illegal point."""
    scalars: dict[str, float]  # whiteWin, whiteLoss, noResult, whiteLead, whiteScoreSelfplay, ...
    policy: list[list[float | None]]
    policy_pass: float
    white_ownership: list[list[float]]


def parse_raw_nn(text, width, height):
    """Parses one block of kata-raw-nn's answer, which starts with `symmetry N`."""
    words = iter(text.split())
    grid = lambda: [[None if (word := next(words)) == "NAN" else float(word) for _ in range(width)]
                    for _ in range(height)]
    scalars, found = {}, {}
    for name in words:
        if name in ("policy", "whiteOwnership"):
            found[name] = grid()
        else:
            scalars[name] = float(next(words))
    return RawOutput(scalars, found["policy"], scalars.pop("policyPass"), found["whiteOwnership"])


class KataGo:
    """One KataGo over GTP. `settings` are added to its configuration (its gtp_example.cfg names them)."""

    def __init__(self, net=NO_NET, settings=None):
        self._home = tempfile.TemporaryDirectory()
        config = {
            "rules": "tromp-taylor", "logAllGTPCommunication": "false", "logSearchInfo": "false", "maxVisits": 1,
            "numSearchThreads": 1, "nnMaxBatchSize": 1, "nnRandomize": "false",
            "allowResignation": "false", "resignThreshold": -1,
            "preventCleanupPhase": "false", "homeDataDir": str(cache()), "logFile": self._home.name + "/log",
        } | ({} if net == NO_NET else device_settings()) | (settings or {})
        path = pathlib.Path(self._home.name) / "gtp.cfg"
        path.write_text("".join(f"{key} = {value}\n" for key, value in config.items()))
        self._errors = open(self._home.name + "/stderr", "w+")  # pylint: disable=consider-using-with
        self._process = subprocess.Popen(  # pylint: disable=consider-using-with
            [executable(), "gtp", "-model", str(net), "-config", str(path)], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors)
        self._size = (19, 19)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
        self._errors.close()
        self._home.cleanup()

    def commands(self, *lines):
        """The answers to some commands, without `= `. Commands whose answers hold empty lines are not for here."""
        self._process.stdin.write("".join(line + "\n" for line in lines))
        self._process.stdin.flush()
        return [self._answer(line) for line in lines]

    def command(self, line):
        return self.commands(line)[0]

    def _answer(self, command):
        lines = []
        while (line := self._process.stdout.readline()).strip():
            lines.append(line)
        if not line:
            self._errors.seek(0)
            raise RuntimeError(f"KataGo ended at `{command}`: {self._errors.read()[-2000:]}")
        text = "".join(lines)
        if not text.startswith("="):
            raise RuntimeError(f"KataGo answered `{command}` with: {text}")
        return text[1:].strip()

    def set_up(self, position):
        rules = position.rules if isinstance(position.rules, str) else json.dumps(position.rules)
        self._size = (position.width, position.height)
        self.commands(f"rectangular_boardsize {position.width}:{position.height}", "clear_board",
                      f"kata-set-rules {rules}", f"komi {position.komi}",
                      *(f"play {color} {point}" for color, point in position.moves))

    def raw_nn(self, symmetry=0):
        return parse_raw_nn(self.command(f"kata-raw-nn {symmetry} 0"), *self._size)


# ---- comparison with the answers that KataGo's repository ships ---------------------------------

def expected_outputs(input_path, expected_path):
    """(position, symmetry, output) of each evaluation in a session: its commands, and KataGo's answers."""
    blocks = [block for answer in expected_path.read_text().split("=") for block in answer.strip().split("\n\n")
              if block.startswith("symmetry")]
    position = None
    for words in (line.split() for line in input_path.read_text().splitlines()):
        match words:
            case ["boardsize", size]:
                position = Position(int(size), int(size), "")
            case ["rectangular_boardsize", size]:
                position = Position(*map(int, size.split(":")), "")
            case ["kata-set-rules", rules]:
                position.rules = rules
            case ["play", color, point]:
                position.moves.append((color, point))
            case ["kata-raw-nn", which]:
                for symmetry in range(8) if which == "all" else [int(which)]:
                    yield position, symmetry, parse_raw_nn(blocks.pop(0), position.width, position.height)


def difference(ours, theirs):
    """The largest difference of probabilities and ownership; scores count in hundredths of a point."""
    flat = lambda output: [x for grid in (output.policy, output.white_ownership) for row in grid for x in row]
    assert [x is None for x in flat(ours)] == [x is None for x in flat(theirs)], "legal moves differ"
    pairs = [(a, b) for a, b in zip(flat(ours), flat(theirs)) if a is not None]
    pairs.append((ours.policy_pass, theirs.policy_pass))
    pairs += [(ours.scalars[name], theirs.scalars[name]) for name in ("whiteWin", "whiteLoss", "noResult")]
    pairs += [(ours.scalars[name] / 100, theirs.scalars[name] / 100) for name in ("whiteLead", "whiteScoreSelfplay")]
    return max(abs(a - b) for a, b in pairs)


def compare():
    require_interop()
    data = pathlib.Path(os.environ.get("TENGEN_TEST_DATA") or HERE.parents[2] / "shared/data") / "katago"
    net = data / "g170-b6c96-s175395328-d26788732.bin.gz"
    if not net.exists():
        raise Missing(f"no reference data at {net}")
    differences = []
    with KataGo(net) as engine:
        print(f"KataGo {engine.command('version')}")
        for position, symmetry, theirs in expected_outputs(data / "rawnn_input.gtp", data / "rawnn_expected.txt"):
            engine.set_up(position)
            differences.append(difference(engine.raw_nn(symmetry), theirs))
    print(f"{len(differences)} evaluations, largest difference {max(differences):.6f}")
    return 0 if len(differences) == 11 and max(differences) < 1e-3 else 1


def ask(net, lines, out):
    with KataGo(net) as engine:
        for fields in map(json.loads, lines):
            symmetry = fields.pop("symmetry", 0)
            engine.set_up(Position(**fields))
            print(json.dumps(dataclasses.asdict(engine.raw_nn(symmetry))), file=out, flush=True)
    return 0


def main():
    match sys.argv[1:]:
        case []:
            return compare()
        case ["ask", net]:
            return ask(net, sys.stdin, sys.stdout)
    print("usage: katago.py [ask NET]", file=sys.stderr)
    return 2


if __name__ == "__main__":
    run(main)
