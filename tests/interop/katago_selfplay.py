"""Lets KataGo play itself and records games and training rows: tests/rules/data/katago_selfplay.jsonl.gz.

    katago_selfplay.py --net NET --games 150 --out tests/rules/data/katago_selfplay.jsonl.gz

`katago selfplay` plays through the clean-up phases and writes an SGF and a training row for every move. What
KataGo draws for itself cannot be seeded: each recording has other games. Needs numpy. Fields of a line:

    size, rules, komi, moves, result    as in katago_walks.py
    start       moves that were drawn from the policy: plies below it have no row
    komi_now    for each ply from `start` on what White has beside the board, in points: komi, the button and
                what Black's stones cost more than White's
    phases      of those plies: "000...1...2"
    pass_ends   of those plies whether a pass would end the phase: "0010..."
    banned, blocked    {ply: points} where they are not empty: ko-banned points, stones blocked from being retaken
    phase_two_start    the board at the start of clean-up phase 2, "X", "O" and "." from the top left; "" without it
    owners      of the points at the end, in the same way; "" where there is no result
"""

import argparse
import pathlib
import re
import subprocess
import tempfile

import numpy

import katago
import katago_walks

# Few visits and much noise, all rules, small boards, a row for every move; else what selfplay asks for.
SETTINGS = """
logSearchInfo = false
logMoves = false
logGamesEvery = 50
logToStdout = true
dataBoardLen = 9
inputsVersion = 7
maxDataQueueSize = 2000
maxRowsPerTrainFile = 100000
firstFileRandMinProp = 1.0
initGamesWithPolicy = true
policyInitAreaProp = 0.04
cheapSearchProb = 0
reduceVisits = false
switchNetsMidGame = false
numGameThreads = 6
maxMovesPerGame = 400
koRules = SIMPLE,POSITIONAL,SITUATIONAL
scoringRules = TERRITORY,TERRITORY,TERRITORY,AREA
taxRules = NONE,SEKI,ALL
multiStoneSuicideLegals = false,true
hasButtons = false,true
bSizes = 5,6,7,8,9
bSizeRelProbs = 1,2,3,2,3
allowRectangleProb = 0.2
komiMean = 6.5
komiStdev = 3.0
komiBigStdevProb = 0
komiBigStdev = 1.0
komiAuto = false
handicapProb = 0
handicapCompensateKomiProb = 0
forkCompensateKomiProb = 0
drawRandRadius = 0
noResultStdev = 0.166666666
maxVisits = 2
numSearchThreads = 1
nnMaxBatchSize = 6
nnCacheSizePowerOfTwo = 16
nnMutexPoolSizePowerOfTwo = 12
numNNServerThreadsPerModel = 1
nnRandomize = true
chosenMoveTemperatureEarly = 1.0
chosenMoveTemperatureHalflife = 19
chosenMoveTemperature = 0.8
chosenMoveSubtract = 0
chosenMovePrune = 0
rootNoiseEnabled = true
compensateAfterPolicyInitProb = 0
sidePositionProb = 0
earlyForkGameProb = 0
earlyForkGameExpectedMoveProp = 0.025
forkGameProb = 0
forkGameMinChoices = 3
earlyForkGameMaxChoices = 12
forkGameMaxChoices = 36
cheapSearchVisits = 2
cheapSearchTargetWeight = 0.0
reduceVisitsThreshold = 0.9
reduceVisitsThresholdLookback = 3
reducedVisitsMin = 2
reducedVisitsWeight = 0.1
policySurpriseDataWeight = 0
valueSurpriseDataWeight = 0
handicapAsymmetricPlayoutProb = 0
normalAsymmetricPlayoutProb = 0
maxAsymmetricRatio = 8.0
minAsymmetricCompensateKomiProb = 0.4
"""


def play(net, games, directory):
    """Plays into `directory`; gives the folder with sgfs/ and tdata/."""
    (directory / "models").mkdir()
    (directory / "models" / net.name).symlink_to(net.resolve())
    settings = {**katago.device_settings(), "homeDataDir": str(katago.cache())}
    config = directory / "selfplay.cfg"
    config.write_text(SETTINGS + "".join(f"{key} = {value}\n" for key, value in settings.items()))
    subprocess.run([katago.executable(), "selfplay", "-config", config, "-models-dir", directory / "models",
                    "-output-dir", directory / "out", "-max-games-total", str(games)], check=True, capture_output=True)
    return next((directory / "out").glob("*/sgfs")).parent


def rows_by_game(folder):
    """{game hash: {ply: (planes, globals, targets, ownership)}} of all training rows in the folder."""
    games = {}
    for path in sorted((folder / "tdata").glob("*.npz")):
        with numpy.load(path) as archive:
            data = {name: archive[name] for name in (  # each access unpacks an array
                "binaryInputNCHWPacked", "globalInputNC", "globalTargetsNC", "valueTargetsNCHW")}
        side = data["valueTargetsNCHW"].shape[-1]
        planes = numpy.unpackbits(data["binaryInputNCHWPacked"], axis=2)[:, :, :side * side].reshape(-1, 22, side, side)
        for row, targets in enumerate(data["globalTargetsNC"]):
            parts = [int(x) for x in targets[41:47]]
            low, high = (a | b << 22 | c << 44 for a, b, c in (parts[:3], parts[3:]))
            games.setdefault(f"{high:016X}{low:016X}", {})[int(targets[51])] = (
                planes[row], data["globalInputNC"][row], targets, data["valueTargetsNCHW"][row, 0])
    return games


def rules_of(text):
    match = re.fullmatch(r"ko(\w+?)score(\w+?)tax(\w+?)sui(\d)(?:button(\d))?(?:whb\S+?)?(?:fpok\d)?", text)
    ko, scoring, tax, suicide, button = match.groups()
    return {"ko": ko, "scoring": scoring, "tax": tax, "suicide": suicide == "1", "hasButton": button == "1"}


def moves_of(sgf, height):
    """The moves in words. A play that lifts a block is written as a pass, its point marked as a triangle."""
    for move, mark in re.findall(r";[BW]\[(\w*)\](?:TR\[(\w+)\])?", sgf):
        point = mark or move
        yield f"{katago_walks.COLUMNS[ord(point[0]) - 97]}{height - (ord(point[1]) - 97)}" if point else "pass"


def record(sgf, rows):
    """The line of a game; None if it began in a clean-up phase or reached KataGo's limit of moves."""
    tag = lambda name: re.search(name + r"\[([^]]*)\]", sgf)[1]
    if "gtype=normal" not in sgf or not tag("RE"):
        return None
    width, height = map(int, (tag("SZ") + ":" + tag("SZ")).split(":")[:2])
    start, moves = int(re.search(r"startTurnIdx=(\d+)", sgf)[1]), list(moves_of(sgf, height))
    plies = range(start, len(moves))
    if not plies or set(rows) != set(plies):
        return None
    name = lambda y, x: f"{katago_walks.COLUMNS[x]}{height - y}"
    points = lambda index: {ply: " ".join(name(y, x) for y, x in numpy.argwhere(rows[ply][0][index]))
                            for ply in plies if rows[ply][0][index].any()}

    def grid(black, white):
        return "".join("X" if black[y, x] else "O" if white[y, x] else "." for y in range(height) for x in range(width))

    last = plies[-1]
    in_phase_two = next((ply for ply in plies if rows[ply][1][13] > 0), None)
    sign = lambda ply: 1 if ply % 2 else -1  # of what is the mover's, for White
    owned = rows[last][3] * -sign(last)
    return {
        "size": [width, height], "rules": rules_of(tag("RU")), "komi": float(tag("KM")), "moves": " ".join(moves),
        "result": tag("RE"), "start": start,
        "komi_now": [float(sign(ply) * rows[ply][2][47]) for ply in plies],
        "phases": "".join(str(int(rows[ply][1][12] + rows[ply][1][13])) for ply in plies),
        "pass_ends": "".join(str(int(rows[ply][1][14])) for ply in plies),
        "banned": points(6), "blocked": points(7),
        "phase_two_start": "" if in_phase_two is None else
                           grid(*(rows[in_phase_two][0][20:22][:: sign(in_phase_two) * -1])),
        "owners": "" if tag("RE") == "Void" else grid(owned > 0, owned < 0),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--net", type=pathlib.Path)
    parser.add_argument("--games", type=int, help="what to play; a few more fall away")
    parser.add_argument("--played", type=pathlib.Path, help="a folder of sgfs/ and tdata/ to record instead")
    parser.add_argument("--out", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = arguments.played or play(arguments.net, arguments.games, pathlib.Path(name))
        rows = rows_by_game(folder)
        sgfs = [line for path in sorted((folder / "sgfs").glob("*.sgfs")) for line in path.read_text().splitlines()]
    hash_of = lambda sgf: re.search(r"gameHash=(\w+)", sgf)[1]
    games = [game for sgf in sgfs if (game := record(sgf, rows.get(hash_of(sgf), {})))]
    katago_walks.write(arguments.out, games)
    print(f"{len(games)} of {len(sgfs)} games, {sum(len(game['phases']) for game in games)} rows; "
          f"{sum('1' in game['phases'] for game in games)} came to clean-up phase 1, "
          f"{sum('2' in game['phases'] for game in games)} to phase 2")


if __name__ == "__main__":
    katago.run(main)
