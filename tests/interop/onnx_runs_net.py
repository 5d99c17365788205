"""onnxruntime computes the ONNX files that write_kata_nets wrote, on batches of boards of several sizes on one canvas,
as reference_net.py computes the KataGo files beside them, board by board."""
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    import onnxruntime
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import reference_net

BATCHES = [  # canvas, boards in it: rows and columns
    ((13, 13), [(9, 9), (13, 13), (13, 9), (9, 13), (2, 2), (7, 11)]),
    ((9, 9), [(9, 9)]),
    ((7, 10), [(7, 10), (5, 5)]),
    ((19, 19), [(19, 19), (18, 3)]),
]


def boards(rng, canvas, sizes):
    """Any planes and scalars do: a net is a function of numbers."""
    planes = np.zeros((len(sizes), 22, *canvas), np.float32)
    for board, (height, width) in zip(planes, sizes):
        board[:, :height, :width] = rng.random((22, height, width)) < 0.3
        board[0, :height, :width] = 1
    return planes, rng.normal(size=(len(sizes), 19)).astype(np.float32)


def differences(net, outputs, planes, scalars, sizes):
    width_of_canvas = planes.shape[3]
    for i, (height, width) in enumerate(sizes):
        expected = reference_net.evaluate(net, planes[i, :, :height, :width], scalars[i])
        points = (np.arange(height)[:, None] * width_of_canvas + np.arange(width)).ravel()
        policy = np.concatenate([outputs["policy"][i][:, points], outputs["policy"][i][:, -1:]], 1)
        for found, wanted in [
            (policy, expected.policy),
            (outputs["value"][i], expected.value),
            (outputs["misc"][i], expected.misc),
            (outputs["ownership"][i, 0, :height, :width], expected.ownership),
        ]:
            assert found.shape == wanted.shape, (found.shape, wanted.shape)
            yield np.abs(found - wanted).max() / max(1, np.abs(wanted).max())
        off_board = planes[i, 0] == 0
        assert (outputs["ownership"][i, 0][off_board] == 0).all()
        assert (outputs["policy"][i][:, :-1][:, off_board.ravel()] == 0).all()


def check(path, rng):
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    metadata = {entry.key: entry.value for entry in model.metadata_props}
    net = reference_net.read_net(path.with_suffix(".bin.gz"))
    assert metadata["name"] == net.name and metadata["version"] == str(net.version), metadata
    assert metadata["features"] == "KataGo V7", metadata
    scales = net.scales or [20, 20, 20, 20, 40, 0.25, 30]
    names = ["score_mean", "score_stdev", "lead", "variance_time", "winloss_error", "score_error"]
    assert [float(metadata[name + "_scale"]) for name in names] == scales[1:], metadata
    assert metadata["pass_alive_under_suicide_rules"] == str(net.options[1] if net.options else 0), metadata
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    assert names == ["policy", "value", "misc", "ownership"], names
    worst = 0
    for canvas, sizes in BATCHES:
        planes, scalars = boards(rng, canvas, sizes)
        outputs = dict(zip(names, session.run(names, {"planes": planes, "scalars": scalars})))
        worst = max(worst, *differences(net, outputs, planes, scalars, sizes))
    assert worst < 1e-4, (path.name, worst)
    return worst


with tempfile.TemporaryDirectory() as directory:
    given = sorted(reference_net.katago_data().glob("g170-*.bin.gz"))
    subprocess.run([sys.argv[1], directory, *given], check=True)
    rng = np.random.default_rng(1)
    paths = sorted(pathlib.Path(directory).glob("*.onnx"))
    assert len(paths) == 10 + len(given), paths
    worst = max(check(path, rng) for path in paths)
    print(f"{len(paths)} nets in onnxruntime and NumPy differ by {worst:.1e} at most")
