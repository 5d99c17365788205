"""A trained net as a player: folders, runs and KataGo's files, in the engine and in the whole program."""

import gzip
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from harness import ROOT, TENGEN, SystemTest, tengen

WRITE_NETS = os.environ.get("TENGEN_WRITE_NETS", str(ROOT / "build/release/write_nets"))
DATA = Path(os.environ.get("TENGEN_TEST_DATA", ROOT.parent / "shared/data"))
HAND_TYPED = ROOT / "tests/nn/data/v11.txt"
KATAGO_NET = DATA / "katago/g170-b6c96-s175395328-d26788732.bin.gz"


def gtp(*arguments, commands):
    """The answers, one a command, without their "= "."""
    done = subprocess.run([TENGEN, "gtp", *map(str, arguments)], input="\n".join(commands) + "\n", text=True,
                          capture_output=True, timeout=240)
    assert done.returncode == 0, done.stderr
    answers = done.stdout.strip("\n").split("\n\n")
    assert all(answer.startswith("=") for answer in answers), done.stdout
    return [answer[1:].strip() for answer in answers]


class EngineTest(SystemTest):
    @classmethod
    def setUpClass(cls):
        cls.run_folder = Path(tempfile.mkdtemp(prefix="tengen-engine-"))
        cls.addClassCleanup(shutil.rmtree, cls.run_folder)
        subprocess.run([WRITE_NETS, cls.run_folder], check=True, timeout=60)
        cls.file = cls.run_folder / "small.bin.gz"
        cls.net = cls.run_folder / "nets/net-000007-00000000"
        cls.is_engine = "engine" in tengen("version").out
        if not cls.is_engine:
            cls.import_net()

    @classmethod
    def import_net(cls):
        """The folder once more, with what training needs, under the same name and rules."""
        written = json.loads((cls.net / "net.json").read_text())
        shutil.rmtree(cls.net)
        done = tengen("import", cls.file, "--out", cls.net)
        assert done.code == 0, str(done)
        facts = json.loads((cls.net / "net.json").read_text())
        (cls.net / "net.json").write_text(json.dumps({**facts, "id": written["id"], "rules": written["rules"]}))

    def assert_plays(self, *arguments):
        """A legal game of a few moves."""
        *_, board, score = gtp(*arguments, "--rules", "tromp-taylor", "--visits", 8, commands=[
            "boardsize 5", "clear_board", "komi 3.5", *(f"genmove {c}" for c in "bwbwbw"), "showboard", "final_score"])
        self.assertRegex(score, r"^([BW]\+\d+(\.5)?|0)$")
        return board

    def test_a_file_a_folder_and_a_run_play_the_same(self):
        boards = {self.assert_plays("--net", net) for net in (self.file, self.net, self.run_folder)}
        if self.is_engine:  # LibTorch's arithmetic is chosen by the clock
            self.assertEqual(len(boards), 1, boards)

    def test_a_net_of_katago_plays(self):
        if not KATAGO_NET.exists():
            self.skipTest(f"{KATAGO_NET} is not there (TENGEN_TEST_DATA)")
        name, move = gtp("--net", KATAGO_NET, "--size", 9, "--visits", 32, commands=["name", "genmove b"])
        self.assertEqual(name, "Tengen")
        # Any sound net opens a 9x9 board near its centre.
        self.assertRegex(move, "^[C-G][3-7]$")

    def test_a_hand_typed_text_plays_in_the_engine(self):
        """Its layers have various activations, which a net that can be trained here has not."""
        file = self.folder / "typed.txt.gz"
        file.write_bytes(gzip.compress(HAND_TYPED.read_bytes()))
        if self.is_engine:
            self.assert_plays("--net", file)
        else:
            self.assert_one_line(tengen("gtp", "--net", file), 1, file, "activation")

    def test_the_judge_asks_the_net(self):
        """Also under rules that need an opinion about dead stones."""
        score, dead = gtp("--net", self.file, "--rules", "japanese", "--size", 5, commands=[
            "play b C3", "play w A1", "play b pass", "play w pass", "final_score", "final_status_list dead"])[-2:]
        self.assertRegex(score, r"^([BW]\+\d+(\.5)?|0)$")
        self.assertIn(dead, ("", "A1", "C3"))

    def test_the_board_is_the_nets_own_unless_another_is_asked_for(self):
        rules, = gtp("--net", self.net, commands=["kata-get-rules"])
        self.assertEqual(json.loads(rules)["ko"], "SIMPLE")
        for net, size, rows in ((self.net, (), "7"), (self.run_folder, (), "7"), (self.net, ("--size", 5), "5"),
                                (self.file, (), "9")):
            with self.subTest(net=net, size=size):
                board, = gtp("--net", net, *size, commands=["showboard"])
                self.assertEqual(board.splitlines()[1].split()[0], rows)

    def test_nets_meet_in_a_match(self):
        result = tengen("match", self.file, self.net, "--pairs", 1, "--visits", 2, "--size", 3)
        self.assertEqual(result.code, 0, str(result))
        self.assertIn("against", result.out)
        self.assertIn("on 3x3", result.err)

    def test_a_bad_file_is_one_line_and_exit_code_1(self):
        broken = self.folder / "broken.bin.gz"
        broken.write_bytes(self.file.read_bytes()[:300])
        unpacked = self.folder / "cut.txt"
        unpacked.write_text(HAND_TYPED.read_text()[:800])
        notes = self.folder / "notes.md"
        notes.write_text("no net")
        for path in (broken, unpacked, notes, self.folder):
            with self.subTest(path=path.name):
                self.assert_one_line(tengen("gtp", "--net", path), 1, path)
        for command in (("match", broken, "random", "--pairs", 1), ("net", "show", broken),
                        ("export", "--net", broken, "--out", self.folder / "out.bin.gz")):
            with self.subTest(command=command[0]):
                self.assert_one_line(tengen(*command), 1, broken)
        self.assertFalse((self.folder / "out.bin.gz").exists())

    def test_a_net_that_is_not_there_is_wrong_usage(self):
        missing = self.folder / "missing.bin.gz"
        self.assert_one_line(tengen("gtp", "--net", missing), 2, missing)
        self.assert_one_line(tengen("match", missing, "random"), 2, missing)

    def test_show_and_diff_take_files_and_folders(self):
        for net, name in ((self.file, "random"), (self.run_folder, self.net.name)):
            shown = tengen("net", "show", net)
            self.assertEqual(shown.code, 0, str(shown))
            for words in (name, "relu, fixed norm", "1 ordinary, 1 pooling", "model version 11"):
                self.assertIn(words, shown.out)
        same = tengen("net", "diff", self.file, self.file)
        self.assertEqual((same.code, same.out), (0, "no difference\n"), str(same))
        other = tengen("net", "diff", self.file, self.net)
        self.assertEqual(other.code, 0, str(other))
        self.assertIn("7x7", other.out)

    def test_what_is_exported_plays_the_same(self):
        for net, version in ((self.net, "11"), (self.file, "11"), (self.run_folder, "8")):
            with self.subTest(net=net.name):
                out = self.folder / f"{net.name}.bin.gz"
                result = tengen("export", "--net", net, "--out", out, "--version", version)
                self.assertEqual(result.code, 0, str(result))
                self.assertIn(f"model version {version}", result.out)
                if self.is_engine:
                    self.assertEqual(self.assert_plays("--net", out), self.assert_plays("--net", net))

    def test_the_verbs_that_need_no_net_are_there(self):
        for command, words in ((("version",), "tengen "), (("rules",), "tromp-taylor"),
                               (("rules", "show", "japanese"), "territory"),
                               (("bench", "features", "--seconds", 0.01), "19x19"),
                               (("match", "rollouts:2", "random", "--pairs", 1, "--size", 3), "scored")):
            with self.subTest(command):
                result = tengen(*command)
                self.assertEqual(result.code, 0, str(result))
                self.assertIn(words, result.out)
        self.assertEqual(tengen("sing").code, 2)
        self.assertEqual(tengen("bench", "sing").code, 2)


if __name__ == "__main__":
    unittest.main()
