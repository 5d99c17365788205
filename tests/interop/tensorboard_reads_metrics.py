"""TensorBoard's own reader and json agree with what two starts of a run recorded, one of them torn."""

import json
import pathlib
import subprocess
import sys
import tempfile

try:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

writer = sys.argv[1]
with tempfile.TemporaryDirectory() as name:
    directory = pathlib.Path(name)
    subprocess.run([writer, name, "0", "20"], check=True)
    first = next(directory.glob("events.out.tfevents.*"))
    with first.open("ab") as file:  # a record torn by a kill: its length says more than there is
        file.write(first.read_bytes()[:11])
    subprocess.run([writer, name, "20", "20"], check=True)

    accumulator = EventAccumulator(name, size_guidance={"scalars": 0})
    accumulator.Reload()
    tags = accumulator.Tags()["scalars"]
    assert sorted(tags) == ["selfplay/games", "train/loss"], tags
    losses = [(event.step, event.value) for event in accumulator.Scalars("train/loss")]
    assert [step for step, _ in losses] == list(range(40)), losses
    assert all(abs(value - 4 / (1 + step)) < 1e-6 for step, value in losses), losses
    assert accumulator.Scalars("selfplay/games")[39].value == 3900

    lines = [json.loads(line) for line in (directory / "metrics.jsonl").read_text().splitlines()]
    assert len(lines) == 80
    assert lines[2]["kind"] == "train" and lines[2]["loss"] == 2.0 and lines[2]["net"] == "b3c32"
    print(f"{len(losses)} points of {len(tags)} curves agree")
