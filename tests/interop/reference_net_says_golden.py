"""reference_net.py on our features says what KataGo said of the positions in its own test of kata-raw-nn: the
published g170 net, eleven evaluations through symmetries."""
import subprocess
import sys

try:
    import numpy as np
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import reference_net

# KataGo's rules by these names, komi as it was before them.
RULES = {"chinese": "ko=simple suicide=none komi=7.5", "new-zealand": "ko=situational suicide=multi komi=7.5"}
# What KataGo itself (fp32, on a GPU that rounds to TF32) and exact arithmetic differ by.
TOLERANCES = {"whiteWin": 3e-4, "whiteLoss": 3e-4, "noResult": 1e-5, "whiteLead": 0.01, "whiteScoreSelfplay": 0.01,
              "whiteScoreSelfplaySq": 0.05, "policy": 1e-3, "policyPass": 1e-5, "whiteOwnership": 5e-4}


def features(write_features, rules, moves):
    done = subprocess.run([write_features, rules, *moves], capture_output=True, text=True, check=True)
    *planes, scalars = done.stdout.splitlines()
    return np.array([[int(c) for c in plane] for plane in planes]), np.array(scalars.split(), float)


def symmetric(planes, symmetry):
    """planes [..., H, W]; flips rows, flips columns, then transposes if the board is a square."""
    if symmetry & 1:
        planes = planes[..., ::-1, :]
    if symmetry & 2:
        planes = planes[..., ::-1]
    if symmetry & 4 and planes.shape[-1] == planes.shape[-2]:
        planes = planes.swapaxes(-1, -2)
    return planes


def undone(plane, symmetry):
    if symmetry & 4 and plane.shape[-1] == plane.shape[-2]:
        plane = plane.swapaxes(-1, -2)
    if symmetry & 2:
        plane = plane[..., ::-1]
    return plane[..., ::-1, :] if symmetry & 1 else plane


def evaluated(net, planes, scalars, symmetry, legal, is_white_to_move):
    raw = reference_net.evaluate(net, symmetric(planes, symmetry), scalars)
    shape = planes.shape[1:]
    can_have_no_result = scalars[6] == 0 or scalars[9] != 0
    chances = np.exp(raw.value - raw.value.max()) * [1, 1, can_have_no_result]
    win, loss, no_result = chances / chances.sum()
    mean, stdev, lead = raw.misc[0] * 20, reference_net.softplus(raw.misc[1]) * 20, raw.misc[2] * 20
    points = undone(raw.policy[0, :-1].reshape(shape), symmetry)
    policy = np.exp(np.where(legal, points, -np.inf))
    passing = np.exp(raw.policy[0, -1])
    sign = 1 if is_white_to_move else -1
    return {
        "whiteWin": win if is_white_to_move else loss,
        "whiteLoss": loss if is_white_to_move else win,
        "noResult": no_result,
        "whiteLead": sign * lead * (1 - no_result),
        "whiteScoreSelfplay": sign * mean * (1 - no_result),
        "whiteScoreSelfplaySq": (mean**2 + stdev**2) * (1 - no_result),
        "policy": policy / (policy.sum() + passing),
        "policyPass": passing / (policy.sum() + passing),
        "whiteOwnership": sign * np.tanh(undone(raw.ownership, symmetry)),
    }


def golden_blocks(text):
    """[{key: number or array}], an array for each key that is followed by rows."""
    blocks = []
    for line in text.replace("= symmetry", "symmetry").splitlines():
        key, *values = line.split() or [""]
        if key == "symmetry":
            blocks.append({})
        if key[:1].isalpha() and key != "NAN":
            name = key
            blocks[-1][name] = float(values[0]) if values else []
        elif key and key != "=":
            blocks[-1][name].append([float(value) for value in [key, *values]])
    return [{key: np.array(value) for key, value in block.items()} for block in blocks]


def questions(script):
    """(rules and board, moves, symmetry), in the order of the answers."""
    for line in script.splitlines():
        command, *words = line.split()
        if command in ("boardsize", "rectangular_boardsize"):
            width, height = (words[0].split(":") * 2)[:2]
            size, moves = f"{width}x{height}", []
        elif command == "kata-set-rules":
            rules = RULES[words[0]]
        elif command == "play":
            moves.append(words[1])
        elif command == "kata-raw-nn":
            for symmetry in range(8) if words[0] == "all" else [int(words[0])]:
                yield f"{size} {rules}", list(moves), symmetry


def main():
    data = reference_net.katago_data()
    if not data.exists():
        print(f"skipped: no {data}")
        return 77
    net = reference_net.read_net(next(data.glob("g170-*.bin.gz")))
    answers = golden_blocks((data / "rawnn_expected.txt").read_text())
    asked = list(questions((data / "rawnn_input.gtp").read_text()))
    assert len(asked) == len(answers) == 11, (len(asked), len(answers))
    worst = dict.fromkeys(TOLERANCES, 0)
    for (rules, moves, symmetry), answer in zip(asked, answers):
        assert answer["symmetry"] == symmetry
        planes, scalars = features(sys.argv[1], rules, moves)
        legal = ~np.isnan(answer["policy"])
        assert (legal == (planes[1] + planes[2] == 0).reshape(legal.shape)).all()
        found = evaluated(net, planes.reshape(22, *legal.shape), scalars, symmetry, legal, len(moves) % 2 == 1)
        for key in worst:
            worst[key] = max(worst[key], np.nanmax(np.abs(found[key] - answer[key])))
    print(f"{len(answers)} evaluations; largest differences:", {key: f"{value:.1e}" for key, value in worst.items()})
    assert all(worst[key] <= TOLERANCES[key] for key in worst)
    return 0


if __name__ == "__main__":
    sys.exit(main())
