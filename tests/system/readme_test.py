"""README.md's commands run.

Quick, in ./test.sh: every command is known to readme_commands.py and its quick variant runs. At full
length, as ./test.sh --readme does: `readme_test.py --full` runs the lines as they stand.
"""

import re
import shutil
import subprocess
import sys
import unittest

from harness import ROOT, TENGEN, TINY, SystemTest
from readme_commands import COMMANDS

SHELL = {"", "sh", "bash", "shell", "console"}
PROGRAMS = r"(sudo |\$ )?(\S*/)?(tengen|quickstart\.sh|test\.sh|git|docker|cmake|ninja|ctest|tensorboard|pip)\b"


def commands_of(text):
    """Command lines in fenced shell blocks: those after "$ " if the block has any, else all lines
    that are no comment. A backslash at the end joins lines."""
    found = []
    for fence in re.finditer(r"^```(\w*)\n(.*?)^```", text, re.S | re.M):
        if fence[1] not in SHELL:
            continue
        lines = fence[2].replace("\\\n", " ").splitlines()
        prompted = [line[2:] for line in lines if line.startswith("$ ")]
        if not prompted and fence[1] == "":
            continue  # output, a drawing
        for line in prompted or lines:
            line = re.sub(r"(^|\s)#\s.*$", "", line).strip()
            line = re.sub(r"\s+", " ", line)
            if line:
                found.append(line)
    return found


def command_for(line):
    return next((c for c in COMMANDS if re.fullmatch(c.pattern, line)), None)


class ExtractionTest(unittest.TestCase):
    def test_commands_are_lines_of_shell_blocks(self):
        text = ("```sh\n./quickstart.sh   # ten minutes\n# a comment\ntengen run \\\n  --dir D\n```\n"
                "```\nnot a command\n```\n```console\n$ tengen version\noutput\n```\n```toml\na = 1\n```\n")
        self.assertEqual(commands_of(text), ["./quickstart.sh", "tengen run --dir D", "tengen version"])

    def test_an_unknown_command_is_found_out(self):
        self.assertIsNone(command_for("tengen sing --dir D"))
        self.assertIsNotNone(command_for("build/release/tengen status --dir D"))


@unittest.skipUnless((ROOT / "README.md").exists(), "no README.md yet")
class ReadmeTest(SystemTest):
    def setUp(self):
        super().setUp()
        self.lines = commands_of((ROOT / "README.md").read_text())
        self.assertTrue(self.lines, "README.md shows no command")

    def shell(self, line, timeout):
        print(f"$ {line}", flush=True)
        return subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True,
                              timeout=timeout, stdin=subprocess.DEVNULL)

    def test_every_command_is_known_and_its_quick_variant_runs(self):
        unknown = [line for line in self.lines if command_for(line) is None]
        self.assertEqual(unknown, [], "not in tests/system/readme_commands.py")
        quick = list(dict.fromkeys(c.quick for c in map(command_for, self.lines) if c.quick))
        # Whatever the order of README.md, there is a run before others look at it.
        run = command_for("tengen run --dir D").quick
        for variant in [run] + [q for q in quick if q != run]:
            command = next(c for c in COMMANDS if c.quick == variant)
            if command.needs and shutil.which(command.needs) is None:
                continue
            line = variant.format(tengen=TENGEN, tiny=f"--config {TINY}", tmp=self.folder)
            with self.subTest(variant):
                done = self.shell(line, 120)
                self.assertEqual(done.returncode, command.code, done.stdout + done.stderr)
                self.assertIn(command.expects, done.stdout + done.stderr)

    @unittest.skipUnless("--full" in sys.argv, "at full length: ./test.sh --readme")
    def test_the_commands_run_as_they_stand(self):
        for line in self.lines:
            command = command_for(line)
            if command.quick is None:
                print(f"passed over ({command.why}): {line}")
                continue
            with self.subTest(line):
                done = self.shell(line, 3600)
                self.assertEqual(done.returncode, command.code, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[a for a in sys.argv if a != "--full"])
