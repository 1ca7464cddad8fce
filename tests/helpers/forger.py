"""A forger of certificates: true files, changed so that they might prove something false.

It knows the format well: after most changes it writes what is stated, lengths and digest anew, so
that only what was changed can be found out.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from hypothesis import Phase, given, settings

from helpers.certificates import (
    File,
    Group,
    Reveal,
    board_of,
    deflated,
    line_of,
    signed,
    taken_apart,
)
from oracle import Piece, Small, small_puzzles
from satcal.certificates.certify import certify
from satcal.proof.normal import ParsedPuzzle
from satcal.puzzle.model import Puzzle

BASES = 120
Forged = tuple[str, bytes]
"""What was done, and the file."""


@cache
def puzzles() -> list[Puzzle]:
    """Return small puzzles with copies, holes, one face, and labels; always the same."""
    drawn: list[Puzzle] = []

    @settings(max_examples=BASES, derandomize=True, phases=[Phase.generate])
    @given(small_puzzles())
    def draw(small: Small) -> None:
        drawn.append(small.load())

    draw()
    return drawn


@cache
def bases() -> list[bytes]:
    """Return true certificates of the puzzles."""
    return [certify(puzzle, list(puzzle.reveals())) for puzzle in puzzles()]


@cache
def files() -> list[File]:
    """Return the same, taken apart; some of them in groups of one reveal."""
    apart = list(map(taken_apart, bases()))
    for number, puzzle in enumerate(puzzles()):
        if number % 3 == 0:
            groups = [taken_apart(certify(puzzle, [r])).groups[0] for r in puzzle.reveals()]
            apart[number] = replace(apart[number], groups=groups)
    return apart


class Forger:
    """Makes one false file after another; the same ones for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"forger {seed}")

    def forge(self) -> Forged:
        """Return the next file, and what was done to it."""
        kind = self.random.choice(KINDS)
        file = self.random.choice(files())
        return kind.__name__, kind(self, file)

    def at(self, file: File) -> int:
        """Return the number of one of the groups."""
        return self.random.randrange(len(file.groups))

    def place(self, tokens: bytes) -> int:
        """Return a place among tokens."""
        return self.random.randrange(len(tokens) or 1)

    def but(self, number: int) -> int:
        """Return another number."""
        return max(0, number + self.random.choice((-7, -1, 1, 1, 5, 10**6)))

    def with_group(self, file: File, at: int, **changed: object) -> bytes:
        """Return the file with another group."""
        groups = list(file.groups)
        groups[at] = replace(groups[at], **changed)  # type: ignore[arg-type]
        return replace(file, groups=groups).written()

    def walked(self, file: File, change: Callable[[bytes], bytes]) -> bytes:
        """Return the file with other tokens, which states what they are as far as it can."""
        at = self.at(file)
        group = file.groups[at]
        stated = dict(group.stated)
        reveal = self.random.choice(list(stated))
        stated[reveal] = max(0, stated[reveal] + self.random.choice((-1, 0, 0, 1)))
        return self.with_group(file, at, tokens=change(group.tokens), stated=stated)


Kind = Callable[[Forger, File], bytes]


# What is stated.


def tilings(forger: Forger, file: File) -> bytes:
    """State another number of tilings."""
    at = forger.at(file)
    stated = dict(file.groups[at].stated)
    reveal = forger.random.choice(list(stated))
    stated[reveal] = max(0, stated[reveal] + forger.random.choice((-1, 1, 7)))
    return forger.with_group(file, at, stated=stated)


def size(forger: Forger, file: File) -> bytes:
    """State another size of a group."""
    at = forger.at(file)
    sizes = file.groups[at].sizes(board_of(file.text))
    which = forger.random.randrange(4)
    name = ("reveals", "nodes", "marks", "work")[which]
    return forger.with_group(file, at, **{name: forger.but(sizes[which])})


def size_of_the_file(forger: Forger, file: File) -> bytes:
    """State another sum in the head."""
    head = file.body().split(b"\n")[1].split()
    which = forger.random.randrange(4)
    name = ("puzzle", "number", "reveals", "work")[which]
    return replace(file, **{name: forger.but(int(head[2 * which + 1]))}).written()  # type: ignore[arg-type]


def reveals_in_another_order(forger: Forger, file: File) -> bytes:
    """State the reveals in another order than their trees."""
    at = forger.at(file)
    rows = list(file.groups[at].stated.items())
    forger.random.shuffle(rows)
    return forger.with_group(file, at, stated=dict(rows))


def reveal_left_out(forger: Forger, file: File) -> bytes:
    """Leave out a reveal, not its tree."""
    at = forger.at(file)
    rows = list(file.groups[at].stated.items())
    rows.pop(forger.random.randrange(len(rows)))
    return forger.with_group(file, at, stated=dict(rows))


def reveal_twice_in_a_group(forger: Forger, file: File) -> bytes:
    """State a reveal twice."""
    at = forger.at(file)
    group = file.groups[at]
    lines = [line_of(*row) for row in group.stated.items()]
    lines.insert(forger.random.randrange(len(lines) + 1), forger.random.choice(lines))
    tokens = group.tokens * forger.random.randint(1, 2)
    return forger.with_group(file, at, lines=lines, tokens=tokens, reveals=len(lines))


def reveal_in_two_groups(forger: Forger, file: File) -> bytes:
    """Add a group that is there already."""
    return replace(file, groups=[*file.groups, file.groups[forger.at(file)]]).written()


def group_left_out(forger: Forger, file: File) -> bytes:
    """Leave out a group that the head counts."""
    groups = list(file.groups)
    groups.pop(forger.at(file))
    number = len(file.groups) if forger.random.random() < 0.5 else None
    return replace(file, groups=groups, number=number).written()


def groups_in_another_order(forger: Forger, file: File) -> bytes:
    """Write the groups in another order; that is a true file."""
    groups = list(file.groups)
    forger.random.shuffle(groups)
    return replace(file, groups=groups).written()


def groups_joined(forger: Forger, file: File) -> bytes:
    """Join groups, so that what one remembers is used by another."""
    stated: dict[Reveal, int] = {}
    for group in file.groups:
        stated |= group.stated
    tokens = b"".join(group.tokens for group in file.groups)
    return replace(file, groups=[Group(stated, tokens)]).written()


def group_cut_in_two(forger: Forger, file: File) -> bytes:
    """Cut a group in two, so that what the first remembers is lost."""
    at = forger.at(file)
    group = file.groups[at]
    rows = list(group.stated.items())
    middle, place = forger.random.randint(0, len(rows)), forger.place(group.tokens)
    halves = [
        Group(dict(rows[:middle]), group.tokens[:place]),
        Group(dict(rows[middle:]), group.tokens[place:]),
    ]
    groups = [*file.groups[:at], *halves, *file.groups[at + 1 :]]
    return replace(file, groups=groups).written()


# The trees.


def token(forger: Forger, file: File) -> bytes:
    """Name something else."""

    def change(tokens: bytes) -> bytes:
        new, place = bytearray(tokens or b"\0"), forger.place(tokens)
        new[place] = forger.random.choice((new[place] ^ 2, forger.random.randrange(60), 2, 0, 250))
        return bytes(new)

    return forger.walked(file, change)


def tokens_dropped(forger: Forger, file: File) -> bytes:
    """Leave out some tokens."""
    length = forger.random.randint(1, 6)

    def change(tokens: bytes) -> bytes:
        place = forger.place(tokens)
        return tokens[:place] + tokens[place + length :]

    return forger.walked(file, change)


def tokens_doubled(forger: Forger, file: File) -> bytes:
    """Write some tokens twice."""
    length = forger.random.randint(1, 6)

    def change(tokens: bytes) -> bytes:
        place = forger.place(tokens)
        return tokens[:place] + tokens[place : place + length] + tokens[place:]

    return forger.walked(file, change)


def tokens_swapped(forger: Forger, file: File) -> bytes:
    """Swap parts of trees."""

    def change(tokens: bytes) -> bytes:
        first, second = sorted((forger.place(tokens), forger.place(tokens)))
        third = forger.random.randint(second, len(tokens))
        return tokens[:first] + tokens[second:third] + tokens[first:second] + tokens[third:]

    return forger.walked(file, change)


def tokens_cut(forger: Forger, file: File) -> bytes:
    """Cut a tree off."""
    return forger.walked(file, lambda tokens: tokens[: forger.place(tokens)])


def tokens_of_another(forger: Forger, file: File) -> bytes:
    """Take the trees of another group."""
    other = forger.random.choice(forger.random.choice(files()).groups)
    return forger.walked(file, lambda tokens: other.tokens)


def marks_changed(forger: Forger, file: File) -> bytes:
    """Mark other nodes."""

    def change(tokens: bytes) -> bytes:
        new = bytearray(tokens or b"\0")
        for _ in range(forger.random.randint(1, 3)):
            new[forger.random.randrange(len(new))] ^= 1
        return bytes(new)

    return forger.walked(file, change)


def long_tokens(forger: Forger, file: File) -> bytes:
    """Write a token in two bytes, or in a wrong form."""

    def change(tokens: bytes) -> bytes:
        place = forger.place(tokens)
        high = forger.random.choice((0, 1, 127, 128, 255))
        return tokens[:place] + bytes([128 | (tokens or b"\0")[place], high]) + tokens[place + 1 :]

    return forger.walked(file, change)


def fitted(forger: Forger, file: File) -> bytes:
    """Make other choices, some of them wrong."""
    choices = (0, 0, 0, 2, 4, 1, 40)
    return forger.walked(
        file, lambda tokens: bytes(forger.random.choice(choices) for _ in range(len(tokens)))
    )


def nothing(forger: Forger, file: File) -> bytes:
    """State that there is no tiling, without a tree."""
    at = forger.at(file)
    stated = dict.fromkeys(file.groups[at].stated, 0)
    return forger.with_group(file, at, stated=stated, tokens=b"")


# The puzzle.


CHANGES = [
    ("x0", "x1"), ("x1", "y0"), ("y0", "x0"), ("x0", "* "),  # a label elsewhere
    ("* ", ". "), (". ", "* "), (" *", " ."), (" .", " *"),  # a hole
    ("flip = true", "flip = false"), ("flip = false", "flip = true"),
    ("copies = 1,", "copies = 2,"), ("copies = 2,", "copies = 1,"), ("copies = 2,", "copies = 3,"),
    ("##", "#."), ("#.", "##"), (".#", "#."), ('"#', '".#'), ('#"', '#."'), ("#\\n#", "##"),
]  # fmt: skip


def drawing(forger: Forger, file: File) -> bytes:
    """Draw another board or another piece."""
    old, new = forger.random.choice([each for each in CHANGES if each[0] in file.text])
    text = file.text.replace(old, new, forger.random.choice((1, -1)))
    return replace(file, text=text).written()


def lines_of_the_puzzle(forger: Forger, file: File) -> bytes:
    """Exchange two lines, leave one out, or write one twice: rows, categories or pieces."""
    lines = file.text.splitlines(keepends=True)
    first, second = (forger.random.randrange(len(lines)) for _ in range(2))
    change = forger.random.randrange(3)
    if change == 0:
        lines[first], lines[second] = lines[second], lines[first]
    elif change == 1:
        lines.pop(first)
    else:
        lines.insert(first, lines[second])
    return replace(file, text="".join(lines)).written()


def text(forger: Forger, file: File) -> bytes:
    """Write another character somewhere."""
    place = forger.random.randrange(len(file.text))
    odd = forger.random.choice(" \t\r\n\x85\u2028\u00a0\u200b\ufe0f\u05d0\"'\\#.*019,=[]ab")
    after = place + forger.random.randrange(2)
    return replace(file, text=file.text[:place] + odd + file.text[after:]).written()


def puzzle_of_another(forger: Forger, file: File) -> bytes:
    """Put another puzzle in the place of this."""
    return replace(file, text=forger.random.choice(files()).text).written()


def stream(forger: Forger, file: File) -> bytes:
    """Compress trees in another way, some of which are true; or write a head of zlib or gzip."""
    at = forger.at(file)
    level, bits = forger.random.choice(((0, -15), (1, -9), (9, -15), (6, 15), (6, 31)))
    packer = zlib.compressobj(level, zlib.DEFLATED, bits)
    packed = packer.compress(file.groups[at].tokens)
    if forger.random.random() < 0.3:
        packed += packer.flush(zlib.Z_FULL_FLUSH)
    return forger.with_group(file, at, packed=packed + packer.flush())


# The file.


def line(forger: Forger, file: File) -> bytes:
    """Write a line in another way."""
    body = file.body()
    lines = [at for at in range(len(body)) if body.startswith((b"group", b"reveal", b"puzzle"), at)]
    at = forger.random.choice(lines)
    old, new = forger.random.choice(
        [
            (b" tilings ", b" tilings 0"),
            (b" ", b"  "),
            (b"r", b"R"),
            (b"nodes", b"node"),
            (b"0", b"00"),
            (b" marks", b"\tmarks"),
            (b" ", b" -"),
            (b" ", b" +"),
            (b"1", "\u0661".encode()),
            (b"1", b"1_0"),
            (b"\n", b" \n"),
            (b"\n", b"\r\n"),
            (b'"', b"'"),
            (b" work ", b" works "),
        ]
    )
    return signed(body[:at] + body[at:].replace(old, new, 1))


def packed(forger: Forger, file: File) -> bytes:
    """Write other bytes where the trees are: damage, a bomb, more than one stream."""
    at = forger.at(file)
    tokens = file.groups[at].tokens
    stream = bytearray(deflated(tokens))
    kind = forger.random.randrange(5)
    if kind == 0:
        stream[forger.random.randrange(len(stream))] ^= 1 << forger.random.randrange(8)
    elif kind == 1:
        stream = bytearray(deflated(tokens + bytes(forger.random.randrange(200_000))))
    elif kind == 2:
        stream += deflated(b"\0")
    elif kind == 3:
        stream = stream[:-1]
    else:
        stream += bytes(forger.random.randint(1, 70_000))
    return forger.with_group(file, at, packed=bytes(stream))


def cut(forger: Forger, file: File) -> bytes:
    """Cut the file off."""
    data = file.written()
    return data[: forger.random.randrange(len(data))]


def longer(forger: Forger, file: File) -> bytes:
    """Add a byte at the end."""
    return file.written() + bytes([forger.random.randrange(256)])


def bit(forger: Forger, file: File) -> bytes:
    """Turn a bit over."""
    data = bytearray(file.written())
    data[forger.random.randrange(len(data))] ^= 1 << forger.random.randrange(8)
    return bytes(data)


def signed_bit(forger: Forger, file: File) -> bytes:
    """Turn a bit over, and write the digest anew."""
    data = bytearray(file.body())
    data[forger.random.randrange(len(data))] ^= 1 << forger.random.randrange(8)
    return signed(bytes(data))


def part_doubled(forger: Forger, file: File) -> bytes:
    """Write a part of the file twice, and the digest anew."""
    body = file.body()
    first, second = sorted(forger.random.randrange(len(body)) for _ in range(2))
    return signed(body[:second] + body[first:])


KINDS: list[Kind] = [
    tilings, size, size_of_the_file, reveals_in_another_order, reveal_left_out,
    reveal_twice_in_a_group, reveal_in_two_groups, group_left_out, groups_in_another_order,
    groups_joined, group_cut_in_two, token, tokens_dropped, tokens_doubled, tokens_swapped,
    tokens_cut, tokens_of_another, marks_changed, long_tokens, fitted, nothing, text,
    puzzle_of_another, line, packed, cut, longer, bit, signed_bit, part_doubled, stream, drawing,
    lines_of_the_puzzle,
]  # fmt: skip


def small_of(puzzle: ParsedPuzzle) -> Small:
    """Return a puzzle that the reader has read, for the brute force."""
    tokens = dict.fromkeys(puzzle.cells, "*")
    tokens |= {cell: label for label, cells in puzzle.labels.items() for cell in cells}
    rows, columns = (1 + max(axis) for axis in zip(*puzzle.cells, strict=True))
    board = tuple(tuple(tokens.get((r, c), ".") for c in range(columns)) for r in range(rows))
    pieces = []
    for name, squares, copies, flip in puzzle.pieces:
        high, wide = (1 + max(axis) for axis in zip(*squares, strict=True))
        drawing = ("".join(".#"[(r, c) in squares] for c in range(wide)) for r in range(high))
        pieces.append(Piece(name, tuple(drawing), copies, flip))
    return Small(board, tuple(pieces), tuple(puzzle.categories.items()))


def is_true(puzzle: ParsedPuzzle, reveal: Reveal, tilings: int) -> bool:
    """Return whether brute force finds as many tilings as are proved."""
    hidden = sum(len(puzzle.labels[label]) for label in reveal)
    area = sum(len(piece.squares) * piece.copies for piece in puzzle.pieces)
    if len(puzzle.cells) - hidden != area:
        return tilings == 0
    return tilings == len(small_of(puzzle).tilings(reveal))
