"""NumPy reads rows converted to KataGo's format, and they say what the shard says; KataGo's own rows, where they
are there, become columns that say the same. Games and searches come from h5py, not from Tengen's reader."""
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import read_shard

LENGTH = 11  # of the boards in KataGo's rows: longer than any here
WRITE_SHARD, CONVERT = sys.argv[1:3]


def unpacked(npz):
    """Planes [rows, 22, length, length] of KataGo's rows."""
    length = npz["valueTargetsNCHW"].shape[-1]
    flat = np.unpackbits(npz["binaryInputNCHWPacked"], axis=2)[:, :, : length * length]
    return flat.reshape(*flat.shape[:2], length, length)


def normal(counts):
    return counts / np.maximum(1, counts.sum(-1, keepdims=True))


def on_canvas(values, length):
    """The last two axes in the corner of a canvas."""
    h, w = values.shape[-2:]
    return np.pad(values, [(0, 0)] * (values.ndim - 2) + [(0, length - h), (0, length - w)])


def check_policy(counts, board, on_pass, has_target, length):
    expected = np.concatenate([on_canvas(board, length).reshape(len(board), -1), on_pass[:, None]], axis=1)
    assert np.abs(normal(counts)[has_target] - expected[has_target]).max() < 1e-3
    assert (counts[~has_target] == 1).all()


def check_score_bins(bins, score, area):
    """Their mean is the score."""
    centres = np.arange(bins.shape[1]) - area - 60 + 0.5
    assert (bins.sum(1) == 100).all() and (bins >= 0).all()
    assert np.abs(bins @ centres / 100 - score).max() < 0.011


def check_against_shard(npz, rows, shard, first):
    """KataGo's rows against the shard's rows from `first` on."""
    count = len(npz["globalTargetsNC"])
    rows = {name: data[first : first + count] for name, data in rows.items()}
    g = npz["globalTargetsNC"]
    assert g.shape == (count, 64) and g.dtype == np.float32
    assert npz["policyTargetsNCMove"].dtype == np.int16 and npz["valueTargetsNCHW"].dtype == np.int8
    assert (unpacked(npz) == on_canvas(rows["planes"], LENGTH)).all()
    assert (npz["globalInputNC"] == rows["scalars"]).all()
    policies, values = npz["policyTargetsNCMove"], npz["valueTargetsNCHW"]
    check_policy(policies[:, 0], rows["policy"], rows["pass_policy"], g[:, 26] > 0, LENGTH)
    check_policy(policies[:, 1], rows["opponent_policy"], rows["opponent_pass_policy"], g[:, 28] > 0, LENGTH)
    for column, name in ((20, "score"), (25, "weight"), (26, "policy_weight"), (27, "score_weight"),
                         (28, "opponent_policy_weight"), (51, "ply")):
        assert (g[:, column] == rows[name]).all(), name
    assert (g[:, :3] == rows["result"]).all()
    assert (g[:, 4:16] == rows["short_term"].reshape(count, 12)).all()
    assert (g[:, 24] == 1 - rows["short_term_weight"]).all()
    assert (values[:, 0] == on_canvas(rows["ownership"], LENGTH)).all()
    assert (values[:, 4].astype(int) == 120 * values[:, 0].astype(int)).all()
    check_score_bins(npz["scoreDistrN"].astype(int), g[:, 20], LENGTH**2)
    check_moves(g, values, rows, shard, first)


def check_moves(g, values, rows, shard, first):
    """What the searches said, and the boards to come, from the games."""
    games = shard["games"]
    board = rows["planes"][:, 1].astype(np.int8) - rows["planes"][:, 2].astype(np.int8)
    for i, row in enumerate(range(first, first + len(g))):
        number, ply = shard["game"][row], rows["ply"][i]
        move = games["first_move"][number] + ply
        win, nothing = games["move_win"][move], games["move_no_result"][move]
        assert np.allclose(g[i, 16:20], [win - nothing / 2, 1 - win - nothing / 2, nothing, games["move_score"][move]])
        assert g[i, 60] == games["move_visits"][move] and g[i, 30] == games["move_surprise"][move]
        assert np.isclose(g[i, 57], 2 * games["move_raw_win"][move] - 1)
        assert g[i, 58] == games["move_raw_score"][move] and g[i, 53] == games["opening_moves"][number]
        index = sum(int(chunk) << shift for chunk, shift in zip(g[i, 44:47], (0, 22, 44)))
        assert index == games["index"][number] == rows["game"][i]
        # Here every move after the opening has a row: 8 moves later it is the same side's turn.
        if i + 8 < len(g) and rows["game"][i + 8] == rows["game"][i]:
            assert rows["ply"][i + 8] == ply + 8
            assert (values[i, 2] == on_canvas(board[i + 8], LENGTH)).all()


def check_real_rows(path, folder):
    """KataGo's rows as columns, read as those of a shard."""
    subprocess.run([CONVERT, path, folder], check=True, capture_output=True)
    (found,) = pathlib.Path(folder).glob("rows-*.h5")
    with np.load(path) as npz:
        rows, g = read_shard.read_rows(found), npz["globalTargetsNC"]
        assert (rows["planes"] == unpacked(npz)).all() and (rows["scalars"] == npz["globalInputNC"]).all()
        assert (rows["result"] == g[:, :3]).all() and (rows["score"] == g[:, 20]).all()
        assert (rows["short_term"].reshape(-1, 12) == g[:, 4:16]).all()
        assert (rows["ownership"] == npz["valueTargetsNCHW"][:, 0]).all()
        flat = np.concatenate([rows["policy"].reshape(len(g), -1), rows["pass_policy"][:, None]], axis=1)
        assert np.abs(flat - normal(npz["policyTargetsNCMove"][:, 0])).max() < 2 / 65535
        return len(g)


def main():
    with tempfile.TemporaryDirectory() as directory:
        folder = pathlib.Path(directory)
        subprocess.run([WRITE_SHARD, folder], check=True, capture_output=True)
        (shard,) = folder.glob("shard-*.h5")
        subprocess.run([CONVERT, shard, folder / "kata", str(LENGTH)], check=True, capture_output=True)
        rows = read_shard.read_rows(shard)
        with h5py.File(shard, "r") as file:
            first = 0
            for part in ("train", "val"):
                with np.load(folder / "kata" / part / (shard.stem + ".npz")) as npz:
                    check_against_shard(npz, rows, file, first)
                    first += len(npz["globalTargetsNC"])
            assert first == file.attrs["rows"] > 100
            assert len(np.load(folder / "kata/val" / (shard.stem + ".npz"))["scoreDistrN"]) == file.attrs["holdout_rows"] > 0
        print(f"{first} rows of a shard are KataGo's rows")
        data = os.environ.get("TENGEN_TEST_DATA")
        real = pathlib.Path(data) / "katago/training_rows_1024.npz" if data else None
        if real and real.exists():
            print(f"{check_real_rows(real, folder / 'back')} rows of KataGo's are columns")
        else:
            print("KataGo's own rows are not there (TENGEN_TEST_DATA)")


main()
