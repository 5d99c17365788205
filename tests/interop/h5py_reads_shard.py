"""h5py reads what write_shard wrote, and the rows are what an independent replay of the games says."""
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


def place(stones, point, colour, width, height):
    """Plays a stone (1 or -1) on a flat board and takes captured chains off."""

    def chain_without_liberties(start):
        seen, todo = {start}, [start]
        while todo:
            row, column = divmod(todo.pop(), width)
            for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
                if not (0 <= r < height and 0 <= c < width):
                    continue
                n = r * width + c
                if stones[n] == 0:
                    return set()
                if stones[n] == stones[start] and n not in seen:
                    seen.add(n)
                    todo.append(n)
        return seen

    stones[point] = colour
    row, column = divmod(point, width)
    for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
        if 0 <= r < height and 0 <= c < width and stones[r * width + c] == -colour:
            for n in chain_without_liberties(r * width + c):
                stones[n] = 0


def check_short_term(file, g, ply, rows, row):
    """The average over later searches and the result, as selfplay/README.md defines it."""
    games = file["games"]
    first, count = games["first_move"][g], games["move_count"][g]
    area = int(rows["width"][row]) * int(rows["height"][row])
    later = slice(first + ply, first + count)
    win, no_result, score, visits = (games[f"move_{name}"][later]
                                     for name in ("win", "no_result", "score", "visits"))
    for horizon, factor in enumerate((0.176, 0.056, 0.016)):
        now, left, own_win, own_score = 1 / (1 + factor * area), 1.0, 0.0, 0.0
        for k in range(count - ply):
            if visits[k] == 0:
                continue
            mine = k % 2 == 0
            own_win += left * now * ((win[k] if mine else 1 - win[k]) - no_result[k] / 2)
            own_score += left * now * (score[k] if mine else -score[k])
            left *= 1 - now
        own_win += left * rows["result"][row, 0]
        own_score += left * rows["score"][row]
        found = rows["short_term"][row, horizon]
        assert abs(found[0] - own_win) < 1e-3 and abs(found[3] - own_score) < 0.02, (g, ply)
        assert abs(found[:3].sum() - 1) < 1e-6


def check_game(file, g, rows):
    games = file["games"]
    first, count = games["first_move"][g], games["move_count"][g]
    opening, row = games["opening_moves"][g], int(games["first_row"][g])
    komi = float(games["rules"][g].decode().split("komi=")[1].split()[0])
    width, height = (int(n) for n in games["rules"][g].decode().split()[0].split("x"))
    stones = np.zeros(width * height, np.int8)
    for ply, move in enumerate(games["moves"][first : first + count].tolist()):
        own = 1 if ply % 2 == 0 else -1
        if ply >= opening:
            board = stones.reshape(height, width)
            planes = rows["planes"][row]
            assert (planes[0, :height, :width] == 1).all() and planes[0].sum() == width * height
            assert (planes[1, :height, :width] == (board == own)).all()
            assert (planes[2, :height, :width] == (board == -own)).all()
            area = int(rows["ownership"][row].sum())
            own_komi = -komi if own == 1 else komi
            assert rows["score"][row] == area + own_komi, (g, ply)
            assert abs(rows["scalars"][row, 5] * 20 - own_komi) < 1e-4
            win = (np.sign(rows["score"][row]) + 1) / 2
            assert (rows["result"][row] == [win, 1 - win, 0]).all()
            total = rows["policy"][row].sum() + rows["pass_policy"][row]
            assert abs(total - 1) < 1e-5
            if ply + 1 < count:
                assert (rows["opponent_policy"][row] == rows["policy"][row + 1]).all()
            else:
                assert rows["opponent_policy"][row].sum() == 0
            check_short_term(file, g, ply, rows, row)
            assert rows["ply"][row] == ply and rows["game"][row] == games["index"][g]
            row += 1
        if move < width * height:
            place(stones, move, own, width, height)
    return count - opening


with tempfile.TemporaryDirectory() as directory:
    subprocess.run([sys.argv[1], directory], check=True)
    (path,) = pathlib.Path(directory).glob("shard-*.h5")
    rows = read_shard.read_rows(path)
    with h5py.File(path, "r") as file:
        assert file.attrs["format"] == "tengen-shard" and file.attrs["complete"] == 1
        assert file.attrs["rows"] == len(rows["score"]) and list(file.attrs["nets"]) == ["hash"]
        assert file["planes"].fletcher32 and file["planes"].compression == "gzip"
        checked = sum(check_game(file, g, rows) for g in range(file.attrs["games"]))
    assert checked == len(rows["score"]) > 100
    print(f"{checked} rows on boards up to {rows['planes'].shape[2:]} agree with a replay in Python")
