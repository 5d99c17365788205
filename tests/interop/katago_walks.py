"""Records random games that KataGo refereed, clean-up phases included: tests/rules/data/katago_walks.jsonl.gz.

    katago_walks.py --games 800 --seed 1 --out tests/rules/data/katago_walks.jsonl.gz
    katago_walks.py --games 1500 --test build/release/rules_test    # other games, held against Tengen's at once

KataGo v1.18.1 keeps the games over GTP, without a net: after every move it says which points are legal
(kata-raw-nn), the phase and what the board looks like (showboard), and whether the game is over, with the
result (printsgf). The moves are drawn here, with a liking for kos and captures. Fields of a line:

    size      [width, height]
    rules     KataGo's: ko, scoring, tax, suicide, hasButton
    komi      points
    moves     with blanks between them, Black first: "C3 pass ..."
    legal     {ply: points}: where after so many moves "a point is legal if it is empty" does not hold
    phases    plies at which clean-up phases 1 and 2 began
    result    "B+3.5", "0", "Void" (no result)
"""

import argparse
import gzip
import json
import os
import pathlib
import random
import subprocess
import tempfile

import katago

# Board sizes and how often each is drawn; on the tiny ones positions repeat.
SIZES = {(2, 2): 8, (3, 2): 8, (3, 3): 8, (4, 4): 8, (5, 4): 12, (5, 5): 24, (6, 5): 16, (6, 6): 16, (7, 7): 24,
         (7, 5): 8, (9, 9): 12, (13, 13): 2, (19, 19): 1}
COLUMNS = "ABCDEFGHJKLMNOPQRST"
# Kos to begin a game with: on the edge, which is the first row, and in the middle. A blank is of no matter.
KO_SHAPES = [["XO.O", " XO "], [" XO ", "XO.O", " XO "]]


def draw_rules(rng):
    territory = rng.random() < 0.75
    return {"ko": rng.choice(["SIMPLE", "POSITIONAL", "SITUATIONAL"]),
            "scoring": "TERRITORY" if territory else "AREA",
            "tax": rng.choice(["NONE", "SEKI", "ALL"]),
            "suicide": rng.random() < 0.5,
            "hasButton": not territory and rng.random() < 0.5}


class Board:
    """What KataGo's answers say of the position."""

    def __init__(self, width, height, raw_nn, showboard, printsgf):
        self.width, self.height = width, height
        rows = [line[3:] for line in showboard.splitlines()[2:2 + height]]
        self.stones = [row[2 * x] for row in rows for x in range(width)]
        policy = katago.parse_raw_nn(raw_nn, width, height).policy
        self.legal = {y * width + x for y in range(height) for x in range(width) if policy[y][x] is not None}
        self.phase = int(showboard.split("Game phase: ")[1][0]) if "Game phase" in showboard else 0
        self.result = printsgf.split("RE[")[1].split("]")[0] if "RE[" in printsgf else ""

    def name(self, point):
        return f"{COLUMNS[point % self.width]}{self.height - point // self.width}"

    def neighbours(self, point):
        y, x = divmod(point, self.width)
        return [b * self.width + a for a, b in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
                if 0 <= a < self.width and 0 <= b < self.height]

    def exceptions(self):
        empty = {point for point, stone in enumerate(self.stones) if stone == "."}
        return " ".join(self.name(point) for point in sorted(empty ^ self.legal))

    def weight(self, point, stone, restless):
        """How much a player of that stone likes the point: captures in kos and lifting their blocks, not own eyes."""
        around = [self.stones[q] for q in self.neighbours(point)]
        if self.stones[point] != ".":
            return 8
        if all(s == stone for s in around):
            return 0.02
        if all(s not in (".", stone) for s in around):
            return 200 if restless else 12  # what can be played there captures, or lifts a block
        return 1


def ko_opening(width, height, rng):
    """Moves that lay out up to four kos, as they come to lie without overlap."""
    stones = {}
    for _ in range(rng.randrange(1, 12)):
        turned, mirrored, swapped = (rng.random() < 0.5 for _ in range(3))
        shape, w, h = rng.choice(KO_SHAPES), *((height, width) if turned else (width, height))
        down = h - len(shape) + 1 if len(shape) == 3 else 1
        if w < 4 or down < 1:
            continue
        y, x = rng.randrange(down), rng.randrange(w - 3)
        tile = {(y + dy, x + dx): stone.translate(str.maketrans("XO", "OX")) if swapped else stone
                for dy, row in enumerate(shape) for dx, stone in enumerate(row) if stone != " "}
        if mirrored:
            tile = {(h - 1 - row, column): stone for (row, column), stone in tile.items()}
        if turned:
            tile = {(column, row): stone for (row, column), stone in tile.items()}
        if stones.keys().isdisjoint(tile):
            stones |= tile
    sides = {color: [f"{COLUMNS[x]}{height - y}" for (y, x), stone in stones.items() if stone == color]
             for color in "XO"}
    for points in sides.values():
        rng.shuffle(points)
    moves = []
    while any(sides.values()):
        points = sides["XO"[len(moves) % 2]]
        moves.append(points.pop() if points else "pass")
    return moves


def draw_move(board, stone, passed, restless, rng):
    filled = 1 - board.stones.count(".") / len(board.stones)
    wish = (0.02, 0.1, 0.15)[board.phase] if filled < 0.5 else (0.1, 0.1, 0.1)[board.phase]
    wish *= 0.1 if restless else 3 if passed else 1
    points = sorted(board.legal)
    weights = [board.weight(point, stone, restless) for point in points]
    if rng.random() < wish or sum(weights) < rng.random():
        return "pass"
    return board.name(rng.choices(points, weights)[0])


def walk(engine, rng):
    """A game; None if it went on for too long."""
    (width, height), = rng.choices(list(SIZES), list(SIZES.values()))
    rules, komi = draw_rules(rng), rng.randrange(-20, 21) / 2
    engine.set_up(katago.Position(width, height, rules | {"whiteHandicapBonus": "0", "friendlyPassOk": False}, komi))
    opening = ko_opening(width, height, rng) if rng.random() < 0.5 else []
    restless = rng.random() < 0.3  # a game in which kos are fought and passes are rare
    moves, legal, phases = [], {}, []
    look = lambda: Board(width, height, *engine.commands("kata-raw-nn 0", "showboard", "printsgf"))
    board = look()
    while not board.result:
        if len(moves) == 4 * width * height + 40:
            return None
        if exceptions := board.exceptions():
            legal[len(moves)] = exceptions
        if board.phase > len(phases):
            phases.append(len(moves))
        stone = "XO"[len(moves) % 2]
        if len(moves) < len(opening):
            move = opening[len(moves)]
            if move not in map(board.name, board.legal):
                move = "pass"
        else:
            move = draw_move(board, stone, moves[-1:] == ["pass"], restless, rng)
        engine.command(f"play {'bw'[len(moves) % 2]} {move}")
        moves.append(move)
        board = look()
    return {"size": [width, height], "rules": rules, "komi": komi, "moves": " ".join(moves), "legal": legal,
            "phases": phases, "result": board.result}


def write(path, games):
    text = "".join(json.dumps(game, separators=(",", ":")) + "\n" for game in games)
    pathlib.Path(path).write_bytes(gzip.compress(text.encode(), mtime=0))


def test(rules_test, path):
    environment = {**os.environ, "TENGEN_KATAGO_WALKS": path}
    return subprocess.run([rules_test, "--gtest_filter=KataGoWalks.*", "--gtest_brief=1"], env=environment,
                          check=False).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, required=True)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--out")
    parser.add_argument("--test", metavar="RULES_TEST", help="replay them there (under TENGEN_INTEROP=full)")
    arguments = parser.parse_args()
    if arguments.test:
        katago.require_interop()
    rng = random.Random(arguments.seed)
    games = []
    with tempfile.TemporaryDirectory() as name, katago.KataGo() as engine:
        while len(games) < arguments.games:
            if game := walk(engine, rng):
                games.append(game)
        out = arguments.out or name + "/walks.jsonl.gz"
        write(out, games)
        print(f"seed {arguments.seed}: {len(games)} games, "
              f"{sum(game['moves'].count(' ') + 1 for game in games)} moves; "
              f"{sum(len(game['phases']) == 2 for game in games)} came to clean-up phase 2, "
              f"{sum(game['result'] == 'Void' for game in games)} have no result", flush=True)
        return test(arguments.test, out) if arguments.test else 0


if __name__ == "__main__":
    katago.run(main)
