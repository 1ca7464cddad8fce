"""A forger of certificates: true files, changed so that they might prove something false.

It knows the format well: after most changes it writes lengths and digest anew, so that only what
was changed can be found out.
"""

from __future__ import annotations

import io
import random
from dataclasses import replace
from functools import cache

from helpers.certificates import FIRST, Raw, deflated, head, sealed, taken_apart
from helpers.puzzles import Small, random_small
from satcal.certificates.certify import certify
from satcal.errors import CertificateRefused, TooLarge
from satcal.proof.check import Statement, check
from satcal.proof.normal import Written
from satcal.proof.walk import Stated

BASES = 120
Change = tuple[str, bytes]
"""What was done, and the file."""


@cache
def bases() -> list[bytes]:
    """True certificates of small puzzles with copies, holes, one face, labels, and without."""
    made = []
    for seed in range(BASES):
        puzzle = random_small(seed).load()
        made.append(certify(puzzle, list(puzzle.reveals())))
    return made


@cache
def statements() -> list[list[Raw]]:
    """The same, taken apart."""
    return list(map(taken_apart, bases()))


class Forger:
    """Makes one false file after another; the same ones for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"forger {seed}")
        self._kinds = [
            self.number,
            self.two_numbers,
            self.cell,
            self.drop,
            self.double,
            self.swap,
            self.cut,
            self.mark,
            self.label,
            self.face,
            self.copies,
            self.hole,
            self.text,
            self.head,
            self.length,
            self.packed,
            self.end,
            self.statements,
            self.reveals,
            self.fitted,
        ]

    def forge(self) -> Change:
        """The next file, and what was done to it."""
        raw = self.random.choice(self.random.choice(statements()))
        kind = self.random.choice(self._kinds)
        return kind.__name__, kind(raw)

    def _stated(self, raw: Raw, at: int, **changed: int) -> Raw:
        stated = list(raw.stated)
        stated[at] = stated[at]._replace(**changed)
        return replace(raw, stated=stated)

    def _any(self, raw: Raw) -> int:
        return self.random.randrange(len(raw.stated))

    def _place(self, raw: Raw) -> int:
        return self.random.randrange(len(raw.tokens) or 1)

    # What is stated.

    def number(self, raw: Raw) -> bytes:
        at = self._any(raw)
        tilings = max(0, raw.stated[at].tilings + self.random.choice((-1, 1, 7)))
        return sealed(self._stated(raw, at, tilings=tilings))

    def two_numbers(self, raw: Raw) -> bytes:
        at = self._any(raw)
        key = self.random.choice(("nodes", "marks"))
        old = getattr(raw.stated[at], key)
        return sealed(self._stated(raw, at, **{key: max(0, old + self.random.choice((-1, 1, 5)))}))

    def reveals(self, raw: Raw) -> bytes:
        stated = list(raw.stated)
        kind = self.random.randrange(3)
        if kind == 0:
            self.random.shuffle(stated)
        elif kind == 1:
            stated.insert(self._any(raw), self.random.choice(stated))
        else:
            stated.pop(self._any(raw))
        return sealed(replace(raw, stated=stated))

    # The trees; what is stated is fitted to the change where that can be done.

    def _walked(self, raw: Raw, tokens: bytes) -> bytes:
        """A file of other tokens, which states as many nodes and marks as they are."""
        more = len(tokens) - len(raw.tokens)
        changed = sum(t & 1 for t in tokens) - sum(t & 1 for t in raw.tokens)
        at = self._any(raw)
        old = raw.stated[at]
        fitted = self._stated(
            replace(raw, tokens=tokens),
            at,
            nodes=max(0, old.nodes + more),
            marks=max(0, old.marks + changed),
            tilings=max(0, old.tilings + self.random.choice((-1, 0, 0, 1))),
        )
        return sealed(fitted)

    def cell(self, raw: Raw) -> bytes:
        place, tokens = self._place(raw), bytearray(raw.tokens or b"\0")
        tokens[place] = self.random.choice((tokens[place] ^ 2, self.random.randrange(60), 2, 0))
        return self._walked(raw, bytes(tokens))

    def drop(self, raw: Raw) -> bytes:
        place, length = self._place(raw), self.random.randint(1, 6)
        return self._walked(raw, raw.tokens[:place] + raw.tokens[place + length :])

    def double(self, raw: Raw) -> bytes:
        place, length = self._place(raw), self.random.randint(1, 6)
        again = raw.tokens[place : place + length]
        return self._walked(raw, raw.tokens[:place] + again + raw.tokens[place:])

    def swap(self, raw: Raw) -> bytes:
        first, second = sorted((self._place(raw), self._place(raw)))
        third = self.random.randint(second, len(raw.tokens))
        tokens = raw.tokens
        swapped = tokens[:first] + tokens[second:third] + tokens[first:second] + tokens[third:]
        return self._walked(raw, swapped)

    def cut(self, raw: Raw) -> bytes:
        return self._walked(raw, raw.tokens[: self._place(raw)])

    def mark(self, raw: Raw) -> bytes:
        tokens = bytearray(raw.tokens or b"\0")
        for _ in range(self.random.randint(1, 3)):
            tokens[self.random.randrange(len(tokens))] ^= 1
        return self._walked(raw, bytes(tokens))

    def fitted(self, raw: Raw) -> bytes:
        """A tree of other choices, some of them wrong, which states what the checker finds."""
        tokens = bytes(self.random.choice((0, 0, 0, 2, 4, 1, 40)) for _ in range(len(raw.tokens)))
        at = self._any(raw)
        return self._walked(self._stated(raw, at, tilings=self.random.randrange(20)), tokens)

    # The puzzle.

    def _replaced(self, raw: Raw, *pairs: tuple[str, str]) -> bytes:
        old, new = self.random.choice([pair for pair in pairs if pair[0] in raw.text] or [("", "")])
        return sealed(replace(raw, text=raw.text.replace(old, new, self.random.choice((1, -1)))))

    def label(self, raw: Raw) -> bytes:
        return self._replaced(raw, ("x0", "x1"), ("x1", "y0"), ("y0", "x0"), ("x0", "* "))

    def face(self, raw: Raw) -> bytes:
        return self._replaced(raw, ("flip = true", "flip = false"), ("flip = false", "flip = true"))

    def copies(self, raw: Raw) -> bytes:
        old, new = (str(self.random.randint(1, 3)) for _ in range(2))
        return self._replaced(raw, (f"copies = {old},", f"copies = {new},"))

    def hole(self, raw: Raw) -> bytes:
        return self._replaced(raw, ("* ", ". "), (". ", "* "), (" *", " ."), (" .", " *"))

    def text(self, raw: Raw) -> bytes:
        """Another text that might be read as a puzzle."""
        text, place = raw.text, self.random.randrange(len(raw.text))
        odd = self.random.choice(" \t\r\n\x85\u2028\u00a0\"'\\#.*019,=[]ab")
        after = place + self.random.randrange(2)
        return sealed(replace(raw, text=text[:place] + odd + text[after:]))

    # The file.

    def head(self, raw: Raw) -> bytes:
        """Another way to write a line."""
        heads = [head(tree) for tree in raw.stated]
        at = self._any(raw)
        old, new = self.random.choice(
            [
                (" tilings ", " tilings 0"),
                (" ", "  "),
                ("reveal", "Reveal"),
                ("nodes", "node"),
                ("0", "00"),
                (" marks", "\tmarks"),
                ("tilings ", "tilings -"),
                ("tilings ", "tilings +"),
                ("1", "\u0661"),
                ("marks 0", "marks 0 "),
                ("marks 0", "marks 0\r"),
                ('"', "'"),
            ]
        )
        heads[at] = heads[at].replace(old, new, 1)
        return sealed(replace(raw, heads=heads))

    def length(self, raw: Raw) -> bytes:
        by = self.random.choice((-5, -1, 1, 5, 10**9))
        size = len(raw.text.encode()) + by
        if self.random.random() < 0.5:
            return sealed(replace(raw, text_size=size))
        return sealed(replace(raw, packed_size=max(0, len(deflated(raw.tokens)) + by)))

    def packed(self, raw: Raw) -> bytes:
        """Other bytes where the trees are: damage, a bomb, more than one stream."""
        packed = bytearray(deflated(raw.tokens))
        kind = self.random.randrange(4)
        if kind == 0:
            packed[self.random.randrange(len(packed))] ^= 1 << self.random.randrange(8)
        elif kind == 1:
            packed = bytearray(deflated(raw.tokens + bytes(self.random.randrange(200_000))))
        elif kind == 2:
            packed += deflated(b"\0")
        else:
            packed = packed[:-1]
        return sealed(replace(raw, packed=bytes(packed)))

    def end(self, raw: Raw) -> bytes:
        data = sealed(raw)
        kind = self.random.randrange(4)
        if kind == 0:
            return data[: self.random.randrange(len(data))]
        if kind == 1:
            return data + bytes([self.random.randrange(256)])
        if kind == 2:
            place = self.random.randrange(len(data))
            return (
                data[:place]
                + bytes([data[place] ^ 1 << self.random.randrange(8)])
                + data[place + 1 :]
            )
        return data.replace(FIRST, FIRST.replace(b"3", b"2"))

    def statements(self, raw: Raw) -> bytes:
        """The trees, or the reveals, of another statement: what was remembered is of another."""
        other = self.random.choice(self.random.choice(statements()))
        kind = self.random.randrange(4)
        if kind == 0:
            return sealed(raw, other, raw)
        if kind == 1:
            return sealed(replace(raw, tokens=other.tokens))
        if kind == 2:
            return sealed(replace(raw, text=other.text))
        return sealed(raw, replace(other, tokens=raw.tokens, stated=raw.stated))


def small_of(puzzle: Written) -> Small:
    """A puzzle that the reader has read, for the brute force."""
    token = dict.fromkeys(puzzle.cells, "*")
    token |= {cell: label for label, cells in puzzle.labels.items() for cell in cells}
    rows, columns = (1 + max(axis) for axis in zip(*puzzle.cells, strict=True))
    board = tuple(tuple(token.get((r, c), ".") for c in range(columns)) for r in range(rows))
    pieces = []
    for name, squares, copies, flip in puzzle.pieces:
        high, wide = (1 + max(axis) for axis in zip(*squares, strict=True))
        drawing = ("".join(".#"[(r, c) in squares] for c in range(wide)) for r in range(high))
        pieces.append((name, tuple(drawing), copies, flip))
    return Small(board, dict(puzzle.categories), tuple(pieces))


def is_true(statement: Statement, tree: Stated) -> bool:
    """Whether brute force finds as many tilings as are stated."""
    small = small_of(statement.puzzle)
    spots, free = small.spots(tree.reveal)
    area = sum(len(cells[0]) * copies for _, cells, copies in spots if cells)
    if any(not cells for _, cells, _ in spots) or area != len(free):
        return tree.tilings == 0
    return tree.tilings == len(small.tilings(tree.reveal))


def accepted(data: bytes) -> list[Statement] | None:
    """What satcal's checker has proved; None if it refuses."""
    try:
        return check(io.BytesIO(data))
    except (CertificateRefused, TooLarge):
        return None
