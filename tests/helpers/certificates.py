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

from satcal.certificates.certify import certify
from satcal.errors import CertificateRefused, TooLarge
from satcal.proof.board import Board
from satcal.proof.check import Certificate
from satcal.proof.normal import parse_normal_form
from satcal.proof.walk import Walk, count
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
        said = [self.reveals, self.nodes, self.marks, self.work]
        return [t if s is None else s for s, t in zip(said, true, strict=True)]

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
        said = [self.puzzle, self.number, self.reveals, self.work]
        return [t if s is None else s for s, t in zip(said, true, strict=True)]

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
    return certify(five(), [(reveal[0], reveal[1]) for reveal in reveals])


def walked(board: Board, group: Group) -> Walk | None:
    """Return the walk through the trees of a group; None if they cannot be followed."""
    try:
        walk = Walk(board, group.tokens, 10**9)
        for reveal in group.stated:
            count(walk, reveal)
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
    all_reveals = list(reveals)
    asked = [[reveal] for reveal in all_reveals] if apart else [all_reveals]
    files = [taken_apart(certify(puzzle, each)) for each in asked]
    return replace(files[0], groups=[group for file in files for group in file.groups])


def grown(file: File, generator: random.Random, marks: float) -> File:
    """Return the same file with trees of other choices, some of whose nodes are marked.

    A state may be written without a mark first, and with one later.
    """
    board = Board(parse_normal_form(file.text))
    known: set[int] = set()
    tokens = bytearray()

    def visit(state: int, fits: int) -> int:
        if not state & board.cells:
            return 1
        if state in known:
            return counted[state]
        open_items = [
            n for n in range(len(board.placements_of_item)) if state & board.items & 1 << n
        ]
        named = generator.choice(open_items[:20])
        steps = named - open_items[0]
        marked = generator.random() < marks
        number = 2 * steps + marked
        tokens.extend([number] if number < 128 else [number & 127 | 128, number >> 7])
        total = 0
        for placement in range(len(board.kind_of)):
            if fits & board.placements_of_item[named] & 1 << placement:
                rest = state - board.decrements[placement]
                left = fits & board.compatible_with[placement]
                field = board.copies_masks[placement]
                if field and not rest & field:
                    left &= ~board.placements_of_kind[board.kind_of[placement]]
                total += visit(rest, left)
        if marked:
            known.add(state)
            counted[state] = total
        return total

    counted: dict[int, int] = {}
    stated = {}
    for reveal in file.groups[0].stated:
        begin = board.begin(reveal)
        stated[reveal] = visit(*begin) if board.areas_match(begin[0]) else 0
    return replace(file, groups=[Group(stated, bytes(tokens))])


def puzzle_of(text: str) -> Puzzle:
    """Return the puzzle of a TOML text."""
    return parse_puzzle(text, "puzzle.toml")


def tree_text(file: File, reveal: Reveal) -> str:
    """Return a search tree as docs/reference/certificates.md shows one whole.

    A line for each node and tiling: what it names, its token, and the placement above it.
    """
    board = Board(parse_normal_form(file.text))
    names = [piece.name for piece in board.puzzle.pieces]
    single = [names[kind] for kind, copies in enumerate(board.copies) if copies == 1]
    group = next(group for group in file.groups if reveal in group.stated)
    walk = Walk(board, group.tokens, 10**9)
    lines: list[str] = []
    place = 0
    for each in group.stated:
        for kind, named in walk.visits(each):
            depth = len(walk.path) - (kind == 0)
            above = walk.path[depth - 1].placement if depth else None
            if above is None:
                head = "root"
            else:
                cells = [
                    c for n, c in enumerate(board.puzzle.cells) if board.decrements[above] >> n & 1
                ]
                where = ",".join(f"r{r}c{c}" for r, c in cells)
                head = f"{names[board.kind_of[above]]}:{where}"
            if kind in (0, 1):
                cells = board.puzzle.cells
                what = (
                    "r{}c{}".format(*cells[named])
                    if named < len(cells)
                    else single[named - len(cells)]
                )
                dead = ", dead" if kind == 1 else ""
                text = f"{head}: {what}{dead} ({group.tokens[place]:02x})"
                place += 1
            elif kind == 4:
                text = f"{head}: a tiling"
            else:
                continue
            if each == reveal:
                lines.append("  " * depth + text)
    return "\n".join(lines)
