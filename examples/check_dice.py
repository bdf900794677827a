#!/usr/bin/env python3
"""Checks the dice of a finished game, from its record alone.

It shares no code with the server: it replays the moves on a board of its own,
works out which rolls were possible and how likely each was, and computes every
roll from the three seeds (docs/http.md, "Provably fair dice").

    curl -s HOST/api/games/ID/json   > game.json
    curl -s HOST/api/games/ID/record > record.json
    python3 check_dice.py game.json record.json --commit HEX [--white SEED] [--black SEED]

The commitment and your own seed are those that you kept before the first roll:
without them a server could tell you of a game that it made up afterwards.
"""
import argparse
import hashlib
import hmac
import json
import sys

LETTERS = "PNBRQK"
STEPS = {
    "N": [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)],
    "B": [(1, 1), (1, -1), (-1, -1), (-1, 1)],
    "R": [(1, 0), (0, 1), (-1, 0), (0, -1)],
}
STEPS["Q"] = STEPS["K"] = STEPS["B"] + STEPS["R"]


class Board:
    """A position of dice chess, as far as the rolls depend on it."""

    def __init__(self, fen):
        fields = fen.split()
        self.pieces = {}
        rows = fields[0].split("/")
        self.ranks = len(rows)
        for row, text in enumerate(rows):
            file, digits = 0, ""
            for letter in text + " ":
                if letter.isdigit():
                    digits += letter
                    continue
                file, digits = file + int(digits or 0), ""
                if letter != " ":
                    self.pieces[file, self.ranks - 1 - row] = letter
                    file += 1
            self.files = file
        self.white = fields[1] == "w"
        self.passant = None
        if len(fields) > 3 and fields[3] != "-":
            self.passant = self.square(fields[3][:2])

    @staticmethod
    def square(text):
        return "abcdefgh".index(text[0]), int(text[1:]) - 1

    def inside(self, square):
        return 0 <= square[0] < self.files and 0 <= square[1] < self.ranks

    def is_own(self, square):
        piece = self.pieces.get(square)
        return piece is not None and piece.isupper() == self.white

    def rolls(self):
        """The piece types that can move, in the order P N B R Q K."""
        found = set()
        for square, piece in self.pieces.items():
            if not self.is_own(square):
                continue
            kind = piece.upper()
            if kind == "P":
                found |= self.pawn(square)
            elif any(self.can_step(square, step) for step in STEPS[kind]):
                found.add(kind)  # a slider that moves at all moves one step
        return [kind for kind in LETTERS if kind in found]

    def can_step(self, square, step):
        to = square[0] + step[0], square[1] + step[1]
        return self.inside(to) and not self.is_own(to)

    def pawn(self, square):
        """The rolls with which a pawn moves: its own, and what it promotes to."""
        ahead = 1 if self.white else -1
        rank = square[1] + ahead
        found = set()
        for file in (square[0] - 1, square[0], square[0] + 1):
            to = file, rank
            if not self.inside(to):
                continue
            taken = self.pieces.get(to)
            if file == square[0]:
                free = taken is None
            else:
                free = to == self.passant if taken is None else not self.is_own(to)
            if free:
                last = rank == (self.ranks - 1 if self.white else 0)
                found |= set("PNBRQ") if last else {"P"}
        return found

    def move(self, text):
        start, to = self.square(text[:2]), self.square(text[2:4])
        piece = self.pieces.pop(start)
        pawn = piece in "Pp"
        if pawn and start[0] != to[0] and to not in self.pieces:
            del self.pieces[to[0], start[1]]  # en passant
        if piece in "Kk" and abs(to[0] - start[0]) == 2 and start[1] == to[1]:
            right = to[0] > start[0]
            rook = self.pieces.pop((self.files - 1 if right else 0, start[1]))
            self.pieces[to[0] + (-1 if right else 1), start[1]] = rook
        if len(text) > 4:
            piece = text[4].upper() if self.white else text[4].lower()
        self.pieces[to] = piece
        self.passant = None
        if pawn and abs(to[1] - start[1]) == 2:
            self.passant = start[0], (start[1] + to[1]) // 2
        self.white = not self.white
        self.skip()

    def skip(self):
        """A side that no roll lets move passes, unless the other cannot either."""
        if not self.rolls():
            kept, self.passant, self.white = self.passant, None, not self.white
            if not self.rolls():
                self.passant, self.white = kept, not self.white


def three_dice():
    chances = []
    for i, a in enumerate(LETTERS):
        for j in range(i, 6):
            for k in range(j, 6):
                roll = a + LETTERS[j] + LETTERS[k]
                chances.append((roll, {1: 1, 2: 3, 3: 6}[len(set(roll))] / 216))
    return chances


def number(seed, clients, k):
    text = f"{k}:{clients['white']}:{clients['black']}".encode()
    digest = hmac.new(seed.encode(), text, hashlib.sha256).digest()
    return (int.from_bytes(digest[:8], "big") >> 11) / 2**53


def pick(chances, u):
    total = 0.0
    for roll, chance in chances:
        total += chance
        if u < total:
            return roll
    return chances[-1][0]


def due_rolls(game, reveal):
    """Each roll of the game: what was made, and what the seeds give."""
    one_die = game["game"] == "dice1"
    board = Board(game["start"]) if one_die else None
    for action in game["actions"]:
        if not action.startswith("roll:"):
            if one_die:
                board.move(action)
            continue
        if one_die:
            kinds = board.rolls()
            chances = [(kind, 1 / len(kinds)) for kind in kinds]
        else:
            chances = three_dice()
        yield action[5:], chances


def problems(game, reveal, commit, known):
    if game["game"] not in ("dice1", "dice3"):
        yield "this is no game with dice"
        return
    if reveal is None:
        yield "the record reveals no seed"
        return
    if commit is not None and reveal["commit"] != commit:
        yield "the commitment is not the one that you kept"
    if hashlib.sha256(reveal["seed"].encode()).hexdigest() != (commit or reveal["commit"]):
        yield "the seed is not the one that was promised"
    for side, seed in known.items():
        if seed is not None and reveal["clients"][side] != seed:
            yield f"the seed of {side} is not the one that was named"
    told = reveal["rolls"]
    made = list(due_rolls(game, reveal))
    if len(told) != len(made):
        yield f"the game has {len(made)} rolls, the reveal {len(told)}"
    for k, (roll, chances) in enumerate(made):
        u = number(reveal["seed"], reveal["clients"], k)
        due = pick(chances, u)
        if roll != due:
            yield f"roll {k + 1} was {roll}; the seeds give {due}"
        if k < len(told):
            row = told[k]
            same = [kind for kind, _ in row["chances"]] == [kind for kind, _ in chances]
            near = same and all(abs(p - q) < 1e-12 for (_, p), (_, q) in zip(row["chances"], chances))
            if not near or row["number"] != k or row["roll"] != roll or abs(row["u"] - u) > 1e-12:
                yield f"roll {k + 1} is told wrongly"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("game", help="the answer of /api/games/ID/json")
    options.add_argument("record", help="the answer of /api/games/ID/record")
    options.add_argument("--commit", help="the commitment that you kept")
    options.add_argument("--white", help="White's seed, if you played White")
    options.add_argument("--black", help="Black's seed, if you played Black")
    options = options.parse_args()
    with open(options.game, encoding="utf-8") as file:
        game = json.load(file)
    with open(options.record, encoding="utf-8") as file:
        reveal = json.load(file)["reveal"]
    known = {"white": options.white, "black": options.black}
    found = list(problems(game, reveal, options.commit, known))
    for text in found:
        print(text)
    if not found:
        print(f"fair: {len(reveal['rolls'])} rolls follow from the seeds")
    if options.commit is None:
        print("without --commit the promise itself is not checked")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
