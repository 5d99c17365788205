"""sgfmill and GNU Go read what Tengen writes, Tengen reads what they write, and all see the same game."""

import json
import pathlib
import subprocess
import sys
import tempfile

try:
    from sgfmill import common, sgf, sgf_moves
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

GNUGO = "/usr/games/gnugo"
write_sgf, show_sgf = sys.argv[1:]


def tengen_reads(path):
    game = json.loads(subprocess.run([show_sgf, path], check=True, capture_output=True).stdout)
    return game | {colour: set(game[colour]) for colour in ("black", "white")}


def stones(board):
    found = {"b": set(), "w": set()}
    for colour, point in board.list_occupied_points():
        found[colour].add(common.format_vertex(point))
    return {"black": found["b"], "white": found["w"]}


def sgfmill_reads(path):
    game = sgf.Sgf_game.from_bytes(path.read_bytes())
    board, plays = sgf_moves.get_setup_and_moves(game)
    for colour, point in plays:
        if point is not None:
            board.play(*point, colour)
    return stones(board) | {
        "size": game.get_size(),
        "komi": game.get_komi(),
        "handicap": game.get_handicap() or 0,
        "black_name": game.get_player_name("b") or "",
        "moves": [[colour, "pass" if point is None else common.format_vertex(point)]
                  for colour, point in plays],
    }


def gnugo_reads(path):
    commands = ["query_boardsize", "get_komi", "list_stones black", "list_stones white", "quit"]
    out = subprocess.run([GNUGO, "--mode", "gtp", "-l", path], input="\n".join(commands) + "\n",
                         text=True, check=True, capture_output=True).stdout
    size, komi, black, white = [answer.removeprefix("=").strip()
                                for answer in out.split("\n\n")[: len(commands) - 1]]
    return {"size": int(size), "komi": float(komi),
            "black": set(black.split()), "white": set(white.split())}


def check_same(path, reader):
    ours, theirs = tengen_reads(path), reader(path)
    for key, value in theirs.items():
        assert ours[key] == value, f"{path.name}, {key}: {ours[key]}, {reader.__name__}: {value}"
    return len(ours["moves"])


def check_texts_and_variations(directory):
    game = sgf.Sgf_game.from_bytes((directory / "handicap-19.sgf").read_bytes())
    assert game.get_player_name("b") == "a]b\\c: [d]"
    assert game.get_player_name("w") == "\u68cb\u58eb"
    assert game.get_main_sequence()[2].get("C") == "[1] a\\b]\nsecond line"
    assert game.get_root().get("AP") == ("Tengen", "test")
    tree = sgf.Sgf_game.from_bytes((directory / "variations-9.sgf").read_bytes())
    first = tree.get_root()[0]
    assert [len(child) for child in first] == [1, 0] and len(first[0][0]) == 2
    assert first[1].get_move() == ("w", None) and first[1].get("C") == "second"


with tempfile.TemporaryDirectory() as name:
    directory = pathlib.Path(name)
    subprocess.run([write_sgf, name], check=True)
    check_texts_and_variations(directory)
    written = sorted(directory.glob("*.sgf"))
    assert len(written) == 5
    moves = sum(check_same(path, sgfmill_reads) for path in written)
    assert tengen_reads(directory / "set-up-5.sgf")["to_move"] == "w"

    for path in written:  # sgfmill writes passes as tt
        copy = directory / f"sgfmill-{path.name}"
        copy.write_bytes(sgf.Sgf_game.from_bytes(path.read_bytes()).serialise())
        assert tengen_reads(copy) == tengen_reads(path)
    print(f"sgfmill: {len(written)} files with {moves} moves agree, both ways")

    if not pathlib.Path(GNUGO).exists():
        print("skipped: no GNU Go")
        sys.exit(77)
    for path in written:
        check_same(path, gnugo_reads)
    for path in written:
        played_on = directory / f"gnugo-{path.name}"
        subprocess.run([GNUGO, "--quiet", "--level", "1", "--seed", "1", "-l", path,
                        "--score", "finish", "-o", played_on],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        moves = tengen_reads(path)["moves"]
        assert tengen_reads(played_on)["moves"][: len(moves)] == moves
        check_same(played_on, gnugo_reads)
        check_same(played_on, sgfmill_reads)
    print(f"GNU Go: {len(written)} files agree, both ways")
