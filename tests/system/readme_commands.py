"""The commands that README.md shows, each with the quick variant that stands in for it in ./test.sh.

A variant is a list of words with the program's name first, run in a folder of its own under a copy of
nothing but the checkout's files; "{dir}" is that folder. A command is found by the pattern, matched
against the whole line as README.md has it, comments stripped. None as a variant: shown for people,
not run here, for the reason given. Every command of README.md must be in this list.
"""

from dataclasses import dataclass

TINY = ["--config", "tests/system/tiny.toml"]


@dataclass
class Command:
    pattern: str  # regular expression for the whole line
    quick: str | None  # what ./test.sh runs: a shell line, "{build}", "{tmp}", "{tiny}" filled in
    why: str = ""  # of a command that is not run
    code: int = 0  # expected exit code
    expects: str = ""  # words in the output
    needs: str = ""  # a program that has to be there, else the command is passed over


RUN = r"D|runs/\S+"  # how README.md names run directories

COMMANDS = [
    Command(r"(sudo )?(\./)?(quickstart|test)\.sh( --readme)?", None, "builds all and runs for minutes"),
    Command(r"\.ci/run", None, "runs these tests"),
    Command(r"git clone .*", None, "the checkout is here"),
    Command(r"cd \S+", None, "the tests run in the checkout"),
    Command(r"docker/install-deps\.sh.*", None, "changes the machine"),
    Command(r"cmake --preset \w+", None, "the build is there"),
    Command(r"(ninja|cmake --build) .*", None, "the build is there"),
    Command(r"ctest .*", None, "runs these tests"),
    Command(r"docker .*", None, "needs docker and the network"),
    Command(r"(pip|python3? -m pip) .*", None, "needs the network"),
    Command(r"tensorboard .*", None, "serves until stopped"),
    Command(r"\S*tengen version", "{tengen} version", expects="git"),
    Command(r"\S*tengen --help", "{tengen} --help", expects="selfplay"),
    Command(r"\S*tengen \w+ --help", "{tengen} run --help", expects="--config"),
    Command(r"\S*tengen config", "{tengen} config", expects="[search]"),
    Command(r"\S*tengen config --config \S+", "{tengen} config --config configs/cpu-9x9.toml",
            expects="[search]"),
    Command(r"\S*tengen run .*", "{tengen} run {tiny} --dir {tmp}/readme --set run.samples=300",
            expects="stopped"),
    Command(r"touch \S+/STOP", "touch {tmp}/readme/STOP && rm {tmp}/readme/STOP"),
    Command(r"\S*tengen status .*", "{tengen} status --dir {tmp}/readme", expects="champion"),
    Command(r"(tail|less|cat|ls|head) .*", "tail -n 3 {tmp}/readme/metrics.jsonl", expects="kind"),
    Command(r"\S*tengen selfplay --net .*",
            "{tengen} selfplay {tiny} --net {tmp}/readme --games 2 --dump {tmp}/games"),
    Command(r"\S*tengen selfplay --dir .*",
            "{tengen} selfplay {tiny} --dir {tmp}/readme --worker w1 --games 2"),
    Command(r"\S*tengen train .*",
            "{tengen} train {tiny} --dir {tmp}/readme --set run.minutes=0.01"),
    Command(r"\S*tengen gate .*",
            "{tengen} gate {tiny} --dir {tmp}/readme --set run.minutes=0.01"),
    Command(r"\S*tengen match .*",
            "{tengen} match {tmp}/readme random --size 3 --pairs 1 --visits 2", expects="random"),
    Command(r"\S*tengen exam .*", None, "the exam is of a 5x5 run; tests/eval has it"),
    Command(r"(echo .*\| *)?\S*tengen gtp .*",
            "printf 'genmove b\\nquit\\n' | {tengen} gtp --net {tmp}/readme --size 3 --visits 2",
            expects="="),
    Command(r"(gogui\S*|sabaki|q5go|twogtp)\b.*", None, "needs a window or another program"),
    Command(r"\S*tengen bench (selfplay|rules|train).*", "{tengen} bench rules --seconds 0.3",
            expects="moves"),
]
