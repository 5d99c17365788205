"""The verbs that look at shards: verify, stats, games, merge, repair."""

import json
import random
import shutil
import unittest

from harness import RunDirectory, RunTest, tengen


class ShardsTest(RunTest):

    def small_run(self):
        run = self.run_directory()
        done = tengen(*run.arguments(**{"run.evaluations": 5000}))
        self.assertEqual(done.code, 0, str(done))
        return run

    def test_they_agree_with_the_run(self):
        run = self.small_run()
        shards, progress = run.shards(), run.progress()
        done = tengen("verify", run.path)
        self.assertEqual(done.code, 0, str(done))
        self.assertIn(f"{len(shards)} of {len(shards)} shards are whole", done.out)

        about = json.loads(tengen("stats", "--json", run.path).out)
        self.assertEqual(about["shards"], len(shards))
        self.assertEqual(about["rows"] - about["holdout_rows"], progress["training_rows"])
        self.assertEqual(sum(about["ends"].values()), about["games"])
        self.assertEqual(sum(about["results"].values()), about["games"])
        self.assertEqual(sum(about["moves_of_nets"].values()), about["plies"])
        self.assertEqual(about["visits_per_search"], 4)
        screen = tengen("stats", run.path / "shards").out
        self.assertIn(f"{about['rows']}, {about['holdout_rows']} held out", screen)
        self.assertLess(len(screen.splitlines()), 25)

        done = tengen("games", run.path, "--out", self.folder / "sgf")
        self.assertEqual(done.code, 0, str(done))
        files = list((self.folder / "sgf").iterdir())
        self.assertEqual(len(files), about["games"])
        one = tengen("games", shards[-1]).out
        self.assertEqual(one.count("(;"), sum(
            json.loads(tengen("stats", "--json", shards[-1]).out)["ends"].values()))
        self.assertIn("after 4 visits", one)

        done = tengen("merge", run.path, "--out", self.folder / "merged")
        self.assertEqual(done.code, 0, str(done))
        merged = json.loads(tengen("stats", "--json", self.folder / "merged").out)
        for fact in ("rows", "holdout_rows", "games", "plies", "evaluations", "ends", "results",
                     "moves_of_nets", "policy_surprise", "row_weight", "komi", "black_margin"):
            self.assertEqual(merged[fact], about[fact], fact)
        self.assertEqual(tengen("verify", self.folder / "merged").code, 0)
        into_run = tengen("merge", run.path, "--out", run.path / "shards")
        self.assert_one_line(into_run, 2, "expected a folder without shards")
        self.assertEqual(run.shards(), shards)

    def test_what_is_damaged_is_named_and_the_rest_counted(self):
        run = self.small_run()
        shards = run.shards()
        data = bytearray(shards[0].read_bytes())
        data[len(data) // 2] ^= 1
        shards[0].write_bytes(data)
        done = tengen("verify", *shards)
        self.assertEqual(done.code, 1, str(done))
        self.assertIn(str(shards[0]), done.out)
        self.assertIn(f"{len(shards) - 1} of {len(shards)} shards are whole", done.out)
        done = tengen("stats", "--json", run.path)
        self.assertEqual(done.code, 1)
        self.assertEqual(json.loads(done.out)["shards"], len(shards) - 1)
        self.assertIn(str(shards[0]), done.err)
        self.assert_one_line(tengen("merge", run.path, "--out", self.folder / "m"), 1, shards[0])
        self.assertEqual(list((self.folder / "m").glob("*")) if (self.folder / "m").exists() else [],
                         [])

    def sgf_of(self, path, name):
        folder = self.folder / name
        done = tengen("games", path, "--out", folder)
        self.assertEqual(done.code, 0, str(done))
        return {file.name: file.read_text() for file in folder.iterdir()}

    def test_repair_saves_whole_games_and_nothing_else(self):
        run = self.run_directory()
        settings = {"run.evaluations": 6000, "run.rows_per_shard": 1000}
        self.assertEqual(tengen(*run.arguments(**settings)).code, 0)
        shard = run.shards()[1]
        games = self.sgf_of(shard, "sgf")
        whole = shard.read_bytes()
        chance = random.Random(3)
        damaged = self.folder / "damaged"
        damaged.mkdir()
        all_saved = none_saved = 0
        for flip in range(25):
            data = bytearray(whole)
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            (damaged / shard.name).write_bytes(data)
            out = self.folder / f"repaired-{flip}"
            done = tengen("repair", damaged, "--out", out)
            self.assertEqual((damaged / shard.name).read_bytes(), data, "it stays as it is")
            if done.code != 0:
                self.assertEqual(done.code, 1, str(done))
                self.assertIn("no repaired shard was written", done.err)
                none_saved += 1
                continue
            self.assertEqual(tengen("verify", out).code, 0)
            saved = self.sgf_of(out, f"sgf-{flip}")
            for name, text in saved.items():
                self.assertEqual(text, games[name])
            self.assertEqual(len(saved) + done.out.count(": lost: "), len(games), str(done))
            all_saved += len(saved) == len(games)
        self.assertGreater(all_saved, 12)
        self.assertLess(none_saved, 6)
        at_home = tengen("repair", damaged, "--out", damaged)
        self.assertEqual(at_home.code, 1)
        self.assertIn("its own folder", at_home.err)
        self.assertEqual(len(list(damaged.iterdir())), 1)
        done = tengen("repair", shard, "--out", self.folder / "none")
        self.assertEqual(done.code, 0)
        self.assertIn("is whole", done.out)
        self.assertFalse((self.folder / "none").exists())

    def test_shards_of_one_number_by_two_workers_are_both_repaired(self):
        run = self.small_run()
        damaged = self.folder / "damaged"
        damaged.mkdir()
        for worker in ("w1", "w2"):
            alone = RunDirectory(self.folder / worker)
            shutil.copytree(run.path, alone.path)
            arguments = alone.arguments(**{"run.evaluations": run.progress()["evaluations"] + 2000})
            done = tengen("selfplay", *arguments[1:], "--worker", worker)
            self.assertEqual(done.code, 0, str(done))
            shard = next(path for path in alone.shards() if f"-{worker}-" in path.name)
            data = bytearray(shard.read_bytes())
            data[0] ^= 1  # of the seal
            (damaged / shard.name).write_bytes(data)
        self.assertEqual(len({path.name.split("-")[1] for path in damaged.iterdir()}), 1, "one number")
        out = self.folder / "repaired"
        done = tengen("repair", damaged, "--out", out)
        self.assertEqual(done.code, 0, str(done))
        self.assertEqual(len(list(out.iterdir())), 2)
        again = tengen("repair", damaged, "--out", out)
        self.assertEqual(again.code, 1)
        self.assertIn("there is one already", again.err)
        self.assertEqual(tengen("verify", out).code, 0)

    def test_bad_places_are_one_line(self):
        (self.folder / "empty").mkdir()
        self.assert_one_line(tengen("verify", self.folder / "empty"), 2, "expected shards")
        self.assert_one_line(tengen("stats", self.folder / "nowhere"), 2, "no such file")
        run = self.small_run()
        shard = run.shards()[0]
        shutil.copy(shard, self.folder / shard.name.replace("-w0-", "-w7-"))
        twice = tengen("merge", shard, self.folder / shard.name.replace("-w0-", "-w7-"), "--out",
                       self.folder / "m")
        self.assert_one_line(twice, 1, "is in an earlier shard, too")


if __name__ == "__main__":
    unittest.main()
