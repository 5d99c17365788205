"""A run that begins with a net (net.start), and goes on without it."""

import shutil
import unittest

from harness import SystemTest, tengen

LITTLE = {"run.evaluations": 1500, "run.bootstrap_games": 5}


class StartTest(SystemTest):
    def setUp(self):
        super().setUp()
        self.net = self.folder / "net"
        made = tengen("net", "init", "--size", "b2c32", "--activation", "mish", "--out", self.net)
        self.assertEqual(made.code, 0, str(made))

    def first_net(self, run):
        """The folder of the net that the run began with."""
        return min((run.path / "nets").iterdir())

    def test_a_run_begins_with_the_net_and_goes_on_without_it(self):
        run = self.run_directory()
        done = tengen(*run.arguments(**LITTLE, **{"net.start": self.net}))
        self.assertEqual(done.code, 0, str(done))
        difference = tengen("net", "diff", self.net, self.first_net(run)).out
        self.assertNotIn("differs by", difference)  # weights; what is known of the two does
        self.assertNotIn("size ", difference)
        shutil.rmtree(self.net)
        again = tengen(*run.arguments(**{**LITTLE, "run.evaluations": 2500}, **{"net.start": self.net}))
        self.assertEqual(again.code, 0, str(again))
        self.assertGreaterEqual(run.progress()["evaluations"], 2500)

    def test_a_net_that_is_not_there_is_named_and_nothing_is_begun(self):
        run = self.run_directory()
        self.assert_one_line(tengen(*run.arguments(**{"net.start": self.folder / "none"})), 1, "none", "found none")
        self.assertFalse((run.path / "champion.json").exists())


if __name__ == "__main__":
    unittest.main()
