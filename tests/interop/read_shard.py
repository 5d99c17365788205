"""Reads a Tengen shard into NumPy arrays. Copy it: it needs h5py and NumPy only.

    rows = read_rows("runs/x/shards/shard-00000042-w0-1f3a.h5")

Boards lie in the top left corner of a canvas as large as the shard's largest board; everything is
for the side to move. selfplay/README.md describes the fields.
"""
import h5py
import numpy as np


def read_rows(path):
    with h5py.File(path, "r") as file:
        rows = {name: data[:] for name, data in file.items() if isinstance(data, h5py.Dataset)}
        game_index = file["games/index"][:]
    count, area = rows["ownership"].shape
    width, height = rows["width"].astype(int), rows["height"].astype(int)
    canvas = (count, height.max(), width.max())

    flat = np.unpackbits(rows["planes"], axis=2, count=area)  # [rows, 22, area]
    policy = rows["policy"] / np.float32(65535)  # a row's pass is entry width * height
    planes = np.zeros((count, flat.shape[1], *canvas[1:]), np.uint8)
    ownership, move = np.zeros(canvas, np.int8), np.zeros(canvas, np.float32)
    for w, h in set(zip(width, height)):
        i = np.flatnonzero((width == w) & (height == h))
        planes[i, :, :h, :w] = flat[i, :, : w * h].reshape(len(i), -1, h, w)
        ownership[i, :h, :w] = rows["ownership"][i, : w * h].reshape(-1, h, w)
        move[i, :h, :w] = policy[i, : w * h].reshape(-1, h, w)

    pass_policy = policy[np.arange(count), width * height]
    reply = np.append(np.arange(1, count), count - 1)  # the opponent's policy is the next row's
    has_reply = rows["opponent_policy_weight"] > 0
    rows.update(planes=planes, ownership=ownership, policy=move, pass_policy=pass_policy,
                opponent_policy=move[reply] * has_reply[:, None, None],
                opponent_pass_policy=pass_policy[reply] * has_reply,
                game=game_index[rows["game"]])
    return rows


if __name__ == "__main__":
    import sys

    for name, data in read_rows(sys.argv[1]).items():
        print(f"{name:24} {data.dtype!s:8} {data.shape}")
