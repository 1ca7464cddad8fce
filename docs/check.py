"""Check a certificate of satcal without satcal, with Python 3.11 or later.

    python3 check.py FILE [PUZZLE]

It is written from docs/reference/certificates.md alone. PUZZLE is a file with the normal form of
the puzzle you mean (``satcal show BOARD --normal``); without it, the puzzle of the certificate is
drawn, in lines that begin with a bar. The exit code is 0 for accepted, 1 for refused, and 2 for not
checked: beyond the bounds, out of memory, a file that cannot be read, a verdict not written.
"""

import array
import hashlib
import os
import re
import signal
import sys
import zlib

BOUNDS = {"file": 1 << 28, "puzzle": 1 << 20, "name": 200, "side": 64, "label": 32, "cells": 1024}
BOUNDS |= {"categories": 16, "category": 32, "squares": 1024, "copies": 1024, "groups": 10_000}
BOUNDS |= {"placements": 20_000, "placed": 400_000}  # placed: the squares of all placements
BOUNDS |= {"reveals": 100_000, "nodes": 20_000_000, "marks": 500_000, "work": 400_000_000}
CHARACTERS = (
    "[\n -~\xa1-\xac\xae-\u034e\u0350-\u061b\u061d-\u115e\u1161-\u167f\u1681-\u17b3"
    "\u17b6-\u180a\u1810-\u1fff\u200c-\u200d\u2010-\u2027\u2030-\u205e\u2070-\u27ff"
    "\u2801-\u2fff\u3001-\u3163\u3165-\ud7ff\uf900-\ufdcf\ufdf0-\ufdff\ufe10-\ufefe"
    "\uff00-\uff9f\uffa1-\uffef\U00010000-\U0001bc9f\U0001bca4-\U0001d172\U0001d17b-\U0001fffd"
    "\U00020000-\U0003fffd]*+"
)
VERDICTS = {1: "refused", 2: "not checked"}
MOST_OF_A_NAME, COLUMNS = 60, 76
QUOTED = r'"([^"\\\n]*+)"'  # possessive quantifiers give nothing back
NUMBER = "(0|[1-9][0-9]{0,14}+)"
HEAD = f"puzzle {NUMBER} groups ([1-9][0-9]{{0,14}}+) reveals {NUMBER} work {NUMBER}"
GROUP = f"group reveals {NUMBER} nodes {NUMBER} marks {NUMBER} work {NUMBER} trees {NUMBER}"
REVEAL = f"reveal((?: {QUOTED})*+) tilings (0|[1-9][0-9]{{0,1399}}+)"
PUZZLE = (
    rf'name = {QUOTED}\nboard = """\n((?:[^"\\\n]++\n)++)"""\n\n'
    r"\[categories\]\n((?:[^\n]++\n)*+)\n\[pieces\]\n((?:[^\n]++\n)++)"
)
CATEGORY = rf"{QUOTED} = \[({QUOTED}(?:, {QUOTED})*+)\]"
PIECE = (
    rf'([A-Za-z][0-9]{{0,3}}+) = {{ shape = "([^"]++)", copies = {NUMBER}, flip = (true|false) }}'
)


class Stop(Exception):
    """Why a file is not accepted: the exit code, and a reason."""


def need(holds, reason):
    if not holds:
        raise Stop(1, reason)


def bound(**numbers):
    """Stop, as nothing is checked beyond the bounds."""
    for what, number in numbers.items():
        if number > BOUNDS[what]:
            raise Stop(2, f"{what}: {number:,}; at most {BOUNDS[what]:,} are checked")


class Puzzle:
    def __init__(self, text):
        need(re.fullmatch(CHARACTERS, text), "puzzle: a character outside the set")
        found = re.fullmatch(PUZZLE, text)
        need(found, "puzzle: its name, board, categories or pieces are missing")
        self.name, board, categories, pieces = found.groups()
        bound(name=len(self.name))
        self.unnamed = text.partition("\n")[2]  # what the digest is of
        self.read_board(board.split("\n")[:-1])
        self.read_categories(categories.split("\n")[:-1])
        self.read_pieces(pieces.split("\n")[:-1])

    def read_board(self, rows):
        self.cells, self.labels = [], {}
        for row, tokens in enumerate(map(str.split, rows)):
            bound(side=max(row + 1, len(tokens)), label=max(map(len, tokens), default=0))
            for column, token in enumerate(tokens):
                if token != ".":
                    self.cells.append((row, column))
                if token not in (".", "*"):
                    self.labels.setdefault(token, []).append((row, column))
        bound(cells=len(self.cells))
        need(self.cells, "board: no cells")

    def read_categories(self, lines):
        self.categories, listed = {}, []
        for number, line in enumerate(lines, start=1):
            bound(categories=number)
            name, labels, *_ = groups_of(CATEGORY, line)
            bound(category=len(name))
            need(name not in self.categories, f"category {name!r} twice")
            self.categories[name] = set(re.findall(QUOTED, labels))
            listed += re.findall(QUOTED, labels)
        need(sorted(listed) == sorted(self.labels), "categories: not the labels of the board")

    def read_pieces(self, lines):
        """Read the pieces; those with the same set of looks are one kind."""
        kinds, names, area = {}, set(), 0
        for line in lines:
            name, drawing, copies, flip = groups_of(PIECE, line)
            rows = drawing.split("\\n")
            bound(side=max(len(rows), *map(len, rows)), copies=int(copies))
            drawn = [(r, c) for r, row in enumerate(rows) for c, m in enumerate(row) if m == "#"]
            need(set("".join(rows)) <= {"#", "."}, f"piece {name}: a mark other than # and .")
            need(drawn and int(copies), f"piece {name}: no squares or no copies")
            need(name not in names, f"piece {name}: its name occurs twice")
            names.add(name)
            area += len(drawn)
            bound(squares=area)
            looks = turned(drawn) + turned([(r, -c) for r, c in drawn]) * (flip == "true")
            first, before = kinds.get(frozenset(looks), (list(dict.fromkeys(looks)), 0))
            kinds[frozenset(looks)] = first, before + int(copies)
        self.kinds = list(kinds.values())  # (looks in their order, copies)


def groups_of(form, line):
    found = re.fullmatch(form, line)
    need(found, f"puzzle: {line[:60]!r} is not {form[:40]}")
    return found.groups()


def turned(squares):
    """Return what a drawing looks like turned clockwise by 0, 90, 180 and 270 degrees."""
    looks = []
    for _ in range(4):
        top, left = map(min, zip(*squares))
        looks.append(tuple(sorted((r - top, c - left) for r, c in squares)))
        squares = [(c, -r) for r, c in squares]
    return looks


def bits(number):
    while number:
        yield (number & -number).bit_length() - 1
        number &= number - 1


class Board:
    """The placements of a puzzle, numbered from 0; sets of them are bits of integers.

    A state is an integer: cells to cover, then copies left, a field for each kind of piece.
    Kinds of one copy come first: so the lowest bits are what can be named.
    """

    def __init__(self, puzzle):
        self.number = {cell: number for number, cell in enumerate(puzzle.cells)}
        self.area = sum(len(looks[0]) * copies for looks, copies in puzzle.kinds)
        self.cells = self.start = (1 << len(self.number)) - 1
        things = len(self.number) + sum(copies == 1 for _, copies in puzzle.kinds)
        self.things, self.named = (1 << things) - 1, [0] * things
        at, lowest = len(self.number), {}
        for kind in sorted(range(len(puzzle.kinds)), key=lambda kind: puzzle.kinds[kind][1] > 1):
            lowest[kind] = 1 << at
            self.start |= puzzle.kinds[kind][1] << at
            at += puzzle.kinds[kind][1].bit_length()
        self.size = (at + 7) // 8  # bytes of a state
        self.uses, self.kinds, self.placed = [], [], 0
        for kind, (looks, copies) in enumerate(puzzle.kinds):
            begin = len(self.uses)
            for look in looks:
                self.place(look, lowest[kind])
            field = ((1 << copies.bit_length()) - 1) * lowest[kind]
            of_kind = (1 << len(self.uses)) - (1 << begin)
            self.kinds += [(field, of_kind)] * (len(self.uses) - begin)
        for placement, used in enumerate(self.uses):
            for thing in bits(used & self.things):
                self.named[thing] |= 1 << placement
        self.excludes = [self.deciding(used & self.things) for used in self.uses]
        self.labels, self.hides = {}, {}
        for label, cells in puzzle.labels.items():
            self.labels[label] = sum(1 << self.number[cell] for cell in cells)
            self.hides[label] = self.deciding(self.labels[label])

    def place(self, look, piece):
        top, left = look[0]
        grid = sum(1 << 128 * r + c for r, c in self.number)
        shape = sum(1 << 128 * (r - top) + c - left for r, c in look)
        for row, column in self.number:  # where its first square comes
            if not shape << 128 * row + column & ~grid:
                cells = [self.number[row - top + r, column - left + c] for r, c in look]
                self.uses.append(piece | sum(1 << cell for cell in cells))
                self.placed += len(cells)
                bound(placements=len(self.uses), placed=self.placed)

    def deciding(self, things):
        """Return the placements that cover a cell, or are of a piece, of these."""
        found = 0
        for thing in bits(things):
            found |= self.named[thing]
        return found


class Walk:
    """The walk through the trees of a group, which share what is remembered."""

    def __init__(self, board, tokens, most):
        self.board, self.tokens, self.known = board, iter(tokens), {}
        self.most, self.work = most, 0

    def count(self, reveal):
        """Return the tilings of a reveal, by the next tree; its labels stay uncovered."""
        board, known, path, tilings = self.board, self.known, [], 0
        state, fits = board.start, (1 << len(board.uses)) - 1
        for label in reveal:
            state, fits = state & ~board.labels[label], fits & ~board.hides[label]
        if (state & board.cells).bit_count() != board.area:
            return 0
        while True:
            if not state & board.cells:
                tilings += 1
            elif (key := state.to_bytes(board.size, "little")) in known:
                tilings += known[key]
            else:
                token = next(self.tokens, None)
                need(token is not None, "the trees end too early")
                number, marked = (state & -state).bit_length() - 1 + (token >> 1), token & 1
                need(state & board.things & 1 << number, "a node names nothing")
                path.append([state, fits, fits & board.named[number], marked and key, tilings])
            while path and not path[-1][2]:
                *_, key, before = path.pop()
                if key:
                    known[key] = tilings - before
            if not path:
                return tilings
            state, fits, ways, *_ = path[-1]
            placement = (ways & -ways).bit_length() - 1
            path[-1][2] = ways & (ways - 1)
            self.work += 1
            need(self.work <= self.most, "more work than stated")
            state, fits = state - board.uses[placement], fits & ~board.excludes[placement]
            field, of_kind = board.kinds[placement]
            if not state & field:
                fits &= ~of_kind


class File:
    def __init__(self, stream):
        self.stream, self.digest, self.place = stream, hashlib.sha256(), 0

    def took(self, data):
        self.digest.update(data)
        self.place += len(data)
        bound(file=self.place)
        return data

    def line(self, form):
        line = self.took(self.stream.readline(65_536))
        found = line.endswith(b"\n") and re.fullmatch(form, line[:-1].decode())
        need(found, f"byte {self.place}: the line before is not {form[:40]}")
        return found

    def blocks(self, size):
        while size:
            data = self.took(self.stream.read(min(size, 65_536)))
            need(data, "the file is cut off")
            size -= len(data)
            yield data

    def inflated(self, size, most):
        """Return what the next bytes, a raw deflate stream, hold: at most so many bytes."""
        reader, data = zlib.decompressobj(-15), bytearray()
        for block in self.blocks(size):
            need(not reader.eof, "the trees have fewer bytes than stated")
            data += reader.decompress(block, most + 1 - len(data))
            need(len(data) <= most, "the trees are too long for the nodes stated")
        need(reader.eof and not reader.unused_data, "the trees do not have the bytes stated")
        return data


def numbers(tokens):
    """Return the numbers of tokens: 7 bits in one byte, or 14 in two, the least first."""
    found, rest = array.array("H"), iter(tokens)
    for low in rest:
        high = next(rest, 0) if low >= 128 else 1
        need(0 < high < 128, "a token in a wrong form")
        found.append(low + 128 * (high - 1))
    return found


def check_group(file, puzzle, board, proved, most_reveals, most_work):
    """Check the next group, and add its reveals to those proved; return its work."""
    reveals, nodes, marks, work, size = map(int, file.line(GROUP).groups())
    bound(reveals=len(proved) + reveals, nodes=nodes, marks=marks, work=work)
    fits = 0 < reveals <= most_reveals - len(proved) and work <= most_work
    need(fits, "a group without reveals, or with more reveals or work than the head states")
    need(nodes <= work + reveals, "a group with more nodes than its work and its reveals reach")
    stated = []
    for _ in range(reveals):
        said = file.line(REVEAL)
        reveal = tuple(re.findall(QUOTED, said[1]))
        fit = len(reveal) == len(puzzle.categories)
        fit = fit and all(map(set.__contains__, puzzle.categories.values(), reveal))
        need(fit, f"byte {file.place}: the reveal before has not a label of each category")
        need(reveal not in proved, f"byte {file.place}: the reveal before occurs twice")
        proved[reveal] = int(said[3])
        stated.append(reveal)
    tokens = numbers(file.inflated(size, 2 * nodes))
    need((len(tokens), sum(token & 1 for token in tokens)) == (nodes, marks), "nodes or marks")
    walk = Walk(board, tokens, work)
    for reveal in stated:
        need(walk.count(reveal) == proved[reveal], f"the tilings of {str(reveal)[:60]}")
    need(next(walk.tokens, None) is None, "tokens left over")
    need(walk.work == work, "the work is not that stated")
    return work


def check(stream, wanted=None):
    """Return the puzzle of a certificate and what is proved of it: tilings by reveal."""
    file, proved = File(stream), {}
    if stream.seekable():
        bound(file=stream.seek(0, 2))
        stream.seek(0)
    file.line("satcal certificate 4")
    size, groups, reveals, work = map(int, file.line(HEAD).groups())
    bound(puzzle=size, groups=groups, reveals=reveals, work=work)
    puzzle = Puzzle(b"".join(file.blocks(size)).decode())
    need(wanted in (None, puzzle.unnamed), "it is about another puzzle")
    board = Board(puzzle)
    for _ in range(groups):
        work -= check_group(file, puzzle, board, proved, reveals, work)
    need((work, len(proved)) == (0, reveals), "not the reveals or the work that the head states")
    file.line(f"sha256 {file.digest.hexdigest()}")
    need(not stream.read(1), "more after the digest")
    return puzzle, proved


def isolated(text):
    """Keep words that are written to the left from moving what stands beside them."""
    return re.sub(
        r"[^\s\"',:]+",
        lambda word: word[0] if word[0].isascii() else f"\u2068{word[0]}\u2069",
        text,
    )


def folded(text):
    """Return a text of the file in lines that no screen folds into what looks like a verdict.

    All but the first begin with a bar; a character beyond ASCII may take two columns.
    """
    lines, column = [""], 0
    for character in text:
        width = 1 + (character > "~")
        if column + width > COLUMNS:
            lines.append("| ")
            column = 2
        lines[-1] += character
        column += width
    return list(map(isolated, lines))


def report(path, wanted, puzzle, proved):
    """Yield the lines of an acceptance; those with text of the file begin with a bar."""
    digest = hashlib.sha256(puzzle.unnamed.encode()).hexdigest()[:32]  # two puzzles cannot share it
    yield f"{path!r}: accepted; puzzle {digest}, {f'that of {wanted!r}' if wanted else 'drawn:'}"
    if not wanted:
        name = puzzle.name
        if len(name) > MOST_OF_A_NAME:
            name = name[: MOST_OF_A_NAME - 1] + "\u2026"
        for line in (f'calls itself "{name}"', *puzzle.unnamed.split("\n")[:-1]):
            yield from folded("| " + line)
    for reveal, tilings in proved.items():
        labels = " ".join(f'"{label}"' for label in reveal) or "the board"
        number = f"exactly {tilings} tiling{'s' * (tilings != 1)}"
        lines = folded(f"puzzle {digest}: {labels}: {number}")
        if len(lines) > 1:  # a number is never cut
            lines = [*folded(f"| {labels}"), f"puzzle {digest}: this reveal: {number}"]
        yield from lines


def verdict(path, wanted=None):
    """Return the exit code and the lines of the verdict."""
    try:
        with open(path, "rb") as stream, open(wanted or path, "rb") as puzzle:
            text = wanted and puzzle.read(BOUNDS["puzzle"]).decode(errors="replace")
            return 0, list(report(path, wanted, *check(stream, text and text.partition("\n")[2])))
    except Stop as stop:
        code, reason = stop.args
    except (UnicodeDecodeError, zlib.error) as error:
        code, reason = 1, error
    except Exception as error:  # such as no memory: whatever it is, nothing is checked
        code, reason = 2, str(error) or type(error).__name__
    return code, [f"{path!r}: {VERDICTS[code]}: {reason}"]


def main(arguments):
    code, lines = verdict(*arguments) if len(arguments) in (1, 2) else (2, [__doc__])
    try:
        sys.stdout.reconfigure(errors="backslashreplace")
        print(*lines, sep="\n", flush=True)
    except (AttributeError, OSError):  # the output is closed or full: no verdict can be read
        os._exit(2)  # without a second try to write
    return code


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a traceback
    sys.exit(main(sys.argv[1:]))
