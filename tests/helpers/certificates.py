"""Certificates in their parts, each of which may be changed before the file is written."""

from __future__ import annotations

import hashlib
import io
import random
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

from satcal.certificates.certify import make_certificate
from satcal.errors import CertificateRefused, TooLarge
from satcal.proof.board import Board
from satcal.proof.check import Certificate
from satcal.proof.normal import parse_normal_form
from satcal.proof.walk import Walk
from satcal.puzzle.loading import parse_puzzle
from satcal.puzzle.model import Puzzle

FIRST = b"satcal certificate 4\n"
Reveal = tuple[str, ...]
FIVE = '''
name = "five"
board = """
a b c d e
1 * * * *
2 * * * *
3 * * * *
4 * * * *
"""
[categories]
letter = ["a", "b", "c", "d", "e"]
number = ["1", "2", "3", "4"]
[pieces]
P = "##\\n##\\n#."
L = "#.\\n#.\\n#.\\n##"
V = "#..\\n#..\\n###"
Y = ".#\\n##\\n.#\\n.#"
I = "###"
'''


@dataclass(frozen=True)
class Group:
    """A group; what is None is made to fit."""

    stated: dict[Reveal, int]
    tokens: bytes
    reveals: int | None = None
    nodes: int | None = None
    marks: int | None = None
    work: int | None = None
    packed: bytes | None = None
    lines: list[str] | None = None

    def sizes(self, board: Board | None) -> list[int]:
        """Return the numbers of the group's line but for the bytes of its trees."""
        walk = walked(board, self) if board else None
        tokens = [byte for byte in self.tokens if byte < 128]  # the last bytes of tokens
        marks = walk.marks if walk else sum(byte & 1 for byte in tokens)
        lines = self.stated if self.lines is None else self.lines
        # trees that cannot be followed state so much work that they are followed to their fault
        true = [len(lines), len(tokens), marks, walk.work if walk else len(tokens)]
        given = [self.reveals, self.nodes, self.marks, self.work]
        return [t if g is None else g for g, t in zip(given, true, strict=True)]

    def written(self, board: Board | None) -> bytes:
        """Return the bytes of the group."""
        reveals, nodes, marks, work = self.sizes(board)
        packed = deflated(self.tokens) if self.packed is None else self.packed
        head = f"group reveals {reveals} nodes {nodes} marks {marks} work {work}"
        lines = self.lines or [line_of(*row) for row in self.stated.items()]
        return "\n".join([f"{head} trees {len(packed)}", *lines, ""]).encode() + packed


@dataclass(frozen=True)
class File:
    """A certificate; what is None is made to fit."""

    text: str
    groups: list[Group]
    puzzle: int | None = None
    number: int | None = None
    reveals: int | None = None
    work: int | None = None

    @cached_property
    def board(self) -> Board | None:
        """The board of the text, None if it has none."""
        try:
            return Board(parse_normal_form(self.text))
        except (CertificateRefused, TooLarge):
            return None

    def sizes(self) -> list[int]:
        """Return the numbers of the head."""
        sizes = [group.sizes(self.board) for group in self.groups]
        true = [
            len(self.text.encode()),
            len(self.groups),
            sum(size[0] for size in sizes),
            sum(size[3] for size in sizes),
        ]
        given = [self.puzzle, self.number, self.reveals, self.work]
        return [t if g is None else g for g, t in zip(given, true, strict=True)]

    def body(self) -> bytes:
        """Return all but the last line."""
        head = "puzzle {} groups {} reveals {} work {}\n".format(*self.sizes())
        groups = b"".join(group.written(self.board) for group in self.groups)
        return FIRST + head.encode() + self.text.encode() + groups

    def written(self) -> bytes:
        """Return the bytes of the file, with a digest that fits."""
        return signed(self.body())

    def with_group(self, at: int = 0, **changed: Any) -> File:
        """Return the file with a group changed."""
        changed_one = replace(self.groups[at], **changed)
        return replace(self, groups=[*self.groups[:at], changed_one, *self.groups[at + 1 :]])


@cache
def five() -> Puzzle:
    """Return a 5 x 5 board with 20 reveals, of which 8 have no tiling."""
    return parse_puzzle(FIVE, "five.toml")


@cache
def five_made(*reveals: str) -> bytes:
    """Return the certificate of reveals of it, such as ``a1``."""
    return make_certificate(five(), [(reveal[0], reveal[1]) for reveal in reveals])[0]


def walked(board: Board, group: Group) -> Walk | None:
    """Return the walk through the trees of a group; None if they cannot be followed."""
    try:
        walk = Walk(board, group.tokens, 10**9)
        for reveal in group.stated:
            walk.count(reveal)
    except (CertificateRefused, KeyError):
        return None
    return walk


def line_of(reveal: Reveal, tilings: int) -> str:
    """Return the line of a reveal."""
    return f"reveal{''.join(f' {chr(34)}{label}{chr(34)}' for label in reveal)} tilings {tilings}"


def deflated(tokens: bytes) -> bytes:
    """Return a raw deflate stream."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(tokens) + packer.flush()


def signed(body: bytes) -> bytes:
    """Return bytes with their digest."""
    return body + b"sha256 " + hashlib.sha256(body).hexdigest().encode() + b"\n"


def taken_apart(data: bytes) -> File:
    """Return the parts of a certificate, which need not be proved."""
    file = Certificate(io.BytesIO(data))
    groups = [Group(dict(each.stated_tilings), bytes(each.tokens)) for each in file.groups()]
    return File(file.text, groups)


def made(puzzle: Puzzle, reveals: Iterable[Reveal], apart: bool = False) -> File:
    """Return the certificate that satcal makes, in its parts, maybe a group for each reveal."""
    parts = [[reveal] for reveal in reveals] if apart else [list(reveals)]
    files = [taken_apart(make_certificate(puzzle, part)[0]) for part in parts]
    return replace(files[0], groups=[group for file in files for group in file.groups])


def grown(file: File, generator: random.Random, marks: float) -> File:
    """Return the same file with trees of other choices, some of whose nodes are marked.

    A state may be written without a mark first, and with one later.
    """
    board = Board(parse_normal_form(file.text))
    known: dict[int, int] = {}
    tokens = bytearray()

    def visit(state: int, fits: int) -> int:
        if not state & board.cells:
            return 1
        if state in known:
            return known[state]
        items = [n for n in range(len(board.placements_of_item)) if state & board.items & 1 << n]
        named, marked = generator.choice(items[:20]), generator.random() < marks
        number = 2 * (named - items[0]) + marked
        tokens.extend([number] if number < 128 else [number & 127 | 128, number >> 7])
        children = fits & board.placements_of_item[named]
        total = sum(visit(*board.after(state, fits, child)) for child in bits(children))
        if marked:
            known[state] = total
        return total

    stated = {}
    for reveal in file.groups[0].stated:
        begin = board.begin(reveal)
        stated[reveal] = visit(*begin) if board.areas_match(begin[0]) else 0
    return replace(file, groups=[Group(stated, bytes(tokens))])


def bits(number: int) -> list[int]:
    """Return the members of a set of placements."""
    return [n for n in range(number.bit_length()) if number >> n & 1]
