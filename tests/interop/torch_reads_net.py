"""PyTorch reads nets that write_net wrote, and tengen_net.py says of a position what Tengen says."""
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import torch
    from safetensors import safe_open
    from tengen_net import Net
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

BOUND = 1e-4


def check(folder, side):
    net = Net.load(folder)
    with safe_open(folder / "weights.safetensors", "pt") as file:
        assert file.metadata() == {"net": net.info["id"]}, file.metadata()
    trained = {name: t for name, t in net.w.items() if not name.endswith((".mean", ".variance"))}
    assert all(t.dtype == torch.float32 and t.isfinite().all() for t in net.w.values())
    assert sum(t.numel() for t in trained.values()) == net.info["parameters"]

    planes = np.fromfile(folder / "planes.f32", np.float32).reshape(1, side, side, 22).transpose(0, 3, 1, 2)
    scalars = np.fromfile(folder / "scalars.f32", np.float32).reshape(1, 19)
    outputs = net(torch.from_numpy(planes.copy()), torch.from_numpy(scalars))
    played = [0, 4] if net.shape["optimistic"] else [0]
    ours = {name: t[0].numpy() for name, t in outputs.items()}
    ours["policy"] = ours["policy"][played]
    for name, answer in ours.items():
        expected = np.fromfile(folder / f"{name}.f32", np.float32)
        assert expected.size == answer.size, (name, expected.size, answer.size)
        difference = np.abs(answer.ravel() - expected).max()
        print(f"{folder.name}: {name} differs by {difference:.1e}")
        assert difference < BOUND, (folder.name, name)


with tempfile.TemporaryDirectory() as directory:
    subprocess.run([sys.argv[1], directory], check=True)
    folders = sorted(pathlib.Path(directory).iterdir())
    assert len(folders) == 3, folders
    for each in folders:
        check(each, 7)
