"""tengen convert: a run's rows as KataGo's and back, and what it refuses."""

import json
import unittest

import h5py
import numpy as np

from harness import RunTest, tengen


class ConvertTest(RunTest):

    def test_the_rows_of_a_run_go_to_kata_and_back(self):
        run = self.run_directory()
        done = tengen(*run.arguments(**{"run.evaluations": 5000, "train.holdout": 0.2}))
        self.assertEqual(done.code, 0, str(done))
        about = json.loads(tengen("stats", "--json", run.path).out)

        kata = self.folder / "kata"
        done = tengen("convert", "--to", "kata", run.path, "--out", kata, "--board", 5)
        self.assertEqual(done.code, 0, str(done))
        rows = {}
        for part in ("train", "val"):
            files = sorted((kata / part).glob("*.npz"))
            rows[part] = sum(len(np.load(file)["globalTargetsNC"]) for file in files)
        self.assertEqual(rows["val"], about["holdout_rows"])
        self.assertEqual(rows["train"], about["rows"] - about["holdout_rows"])

        files = sorted((kata / "train").glob("*.npz"))
        done = tengen("convert", "--from", "kata", *files, "--out", self.folder / "back")
        self.assertEqual(done.code, 0, str(done))
        self.assertEqual(done.out.count("a run does not train on"), len(files))
        for file in files:
            back = self.folder / "back" / f"rows-{file.stem}.h5"
            with h5py.File(back) as found, h5py.File(run.path / "shards" / f"{file.stem}.h5") as shard:
                count = found.attrs["rows"]
                for name in ("planes", "scalars", "width", "result", "score", "ownership", "short_term",
                             "weight", "score_weight", "ply"):
                    self.assertTrue((found[name][:] == shard[name][:count]).all(), name)
            self.assertEqual(tengen("verify", back).code, 1, "no shard")

    def test_what_makes_no_sense_is_refused(self):
        run = self.run_directory()
        self.assertEqual(tengen(*run.arguments(**{"run.evaluations": 500})).code, 0)
        shard = run.shards()[-1]
        out = self.folder / "out"
        self.assert_one_line(tengen("convert", shard, "--out", out), 2, "--to kata")
        self.assert_one_line(tengen("convert", "--to", "tengen", shard, "--out", out), 2, "--to kata")
        self.assert_one_line(tengen("convert", "--to", "kata", "--board", 2, shard, "--out", out), 1, shard, "2 x 2")
        self.assert_one_line(tengen("convert", "--from", "kata", shard, "--out", out), 1, shard, "no .npz file")
        plain = self.folder / "plain"
        plain.write_text("a file")
        self.assert_one_line(tengen("convert", "--to", "kata", shard, "--out", plain), 1, plain,
                             "cannot be created")
        kata = self.folder / "kata"
        self.assertEqual(tengen("convert", "--to", "kata", shard, "--out", kata).code, 0)
        again = tengen("convert", "--to", "kata", shard, "--out", kata)
        self.assert_one_line(again, 1, shard, "expected no", "take another folder")
        shard.write_bytes(shard.read_bytes()[:-100])
        self.assert_one_line(tengen("convert", "--to", "kata", shard, "--out", out), 1, shard, "damaged")
        self.assertFalse(out.exists(), "nothing is written of what is refused")


if __name__ == "__main__":
    unittest.main()
