"""safetensors reads what write_net wrote, and the net that it reads, computed in NumPy from the
description in nn/README.md, says what Tengen's evaluator says."""
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    from safetensors import safe_open
    from safetensors.numpy import load_file
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)


def conv(x, weight):
    """x [C, H, W], weight [out, C, k, k], zeros beyond the edge."""
    k = weight.shape[2]
    pad = k // 2
    _, height, width = x.shape
    padded = np.pad(x, ((0, 0), (pad, pad), (pad, pad)))
    out = np.zeros((weight.shape[0], height, width))
    for dy in range(k):
        for dx in range(k):
            out += np.einsum("oc,chw->ohw", weight[:, :, dy, dx], padded[:, dy : dy + height, dx : dx + width])
    return out


def evaluate(w, shape, planes, scalars):
    mask = planes[0]
    area = mask.sum()
    side = (np.sqrt(area) - 14) / 10

    def norm(x, name):
        return np.maximum(x * w[name + ".scale"][:, None, None] + w[name + ".bias"][:, None, None], 0) * mask

    def pool(x):
        mean = x.sum((1, 2)) / area
        return np.concatenate([mean, mean * side, x.max((1, 2))])

    def pool_for_value(x):
        mean = x.sum((1, 2)) / area
        return np.concatenate([mean, mean * side, mean * (side**2 - 0.1)])

    x = conv(planes, w["stem.conv"]) + (w["stem.scalars.weight"] @ scalars)[:, None, None]
    for i in range(shape["blocks"]):
        name = f"block{i}"
        a = norm(x, name + ".norm1")
        r = conv(a, w[name + ".conv1"])
        if i in shape["gpool_blocks"]:
            g = norm(conv(a, w[name + ".pool.conv"]), name + ".pool.norm")
            r = r + (w[name + ".pool.linear.weight"] @ pool(g))[:, None, None]
        x = x + conv(norm(r, name + ".norm2"), w[name + ".conv2"])
    x = norm(x, "tip")

    pooled = pool(norm(conv(x, w["policy.pool.conv"]), "policy.pool.norm"))
    p = conv(x, w["policy.conv1"]) + (w["policy.pool.linear.weight"] @ pooled)[:, None, None]
    points = conv(norm(p, "policy.norm"), w["policy.conv2"])[0].ravel()
    passing = (w["policy.pass.weight"] @ pooled)[0]
    v = pool_for_value(norm(conv(x, w["value.conv1"]), "value.norm"))
    hidden = np.maximum(w["value.hidden.weight"] @ v + w["value.hidden.bias"], 0)
    outcome = np.exp(w["value.value.weight"] @ hidden + w["value.value.bias"])
    score = 20 * (w["value.score.weight"] @ hidden + w["value.score.bias"])
    return np.concatenate([points, [passing], outcome / outcome.sum(), score])


with tempfile.TemporaryDirectory() as directory:
    folder = pathlib.Path(directory)
    subprocess.run([sys.argv[1], directory], check=True)
    info = json.loads((folder / "net" / "net.json").read_text())
    with safe_open(folder / "net" / "weights.safetensors", "numpy") as file:
        assert file.metadata() == {"net": info["id"]}, file.metadata()
    weights = load_file(folder / "net" / "weights.safetensors")
    assert all(w.dtype == np.float32 and np.isfinite(w).all() for w in weights.values())
    assert sum(w.size for w in weights.values()) == info["parameters"]
    planes = np.fromfile(folder / "planes.f32", np.float32).reshape(5, 5, 22).transpose(2, 0, 1)
    scalars = np.fromfile(folder / "scalars.f32", np.float32)
    answer = np.loadtxt(folder / "answer.txt")
    ours = evaluate(weights, info["shape"], planes.astype(np.float64), scalars.astype(np.float64))
    difference = np.abs(ours - answer).max()
    assert difference < 1e-4, difference
    print(f"{len(weights)} tensors of {info['id']}; NumPy and Tengen differ by {difference:.1e}")
