"""Certificates, and how to take one apart and put it together again, right or wrong."""

from __future__ import annotations

import hashlib
import io
import zlib
from dataclasses import dataclass
from functools import cache

from satcal.certificates.certify import certify
from satcal.proof.board import Board, State
from satcal.proof.check import opened
from satcal.proof.normal import quoted, read
from satcal.proof.walk import Stated
from satcal.puzzle.loading import parse_puzzle
from satcal.puzzle.model import Puzzle

FIRST = b"satcal certificate 3\n"
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


@cache
def five() -> Puzzle:
    """A 5 x 5 board with 20 reveals, of which 8 have no tiling."""
    return parse_puzzle(FIVE, "five.toml")


@cache
def made(*reveals: str) -> bytes:
    """A certificate of reveals of it, such as ``a1``."""
    return certify(five(), [(reveal[0], reveal[1]) for reveal in reveals])


@dataclass
class Raw:
    """A statement in its parts, each of which may be changed before it is written again."""

    text: str
    stated: list[Stated]
    tokens: bytes
    packed: bytes | None = None
    """What stands for the deflated tokens."""
    heads: list[str] | None = None
    """What stands for the lines of the reveals."""
    text_size: int | None = None
    packed_size: int | None = None

    def written(self) -> bytes:
        text = self.text.encode()
        heads = self.heads
        if heads is None:
            heads = [head(tree) for tree in self.stated]
        packed = deflated(self.tokens) if self.packed is None else self.packed
        text_size = len(text) if self.text_size is None else self.text_size
        packed_size = len(packed) if self.packed_size is None else self.packed_size
        return b"".join(
            [
                f"puzzle {text_size}\n".encode(),
                text,
                *(f"{line}\n".encode() for line in heads),
                f"trees {packed_size}\n".encode(),
                packed,
            ]
        )


def head(tree: Stated) -> str:
    labels = "".join(f" {quoted(label)}" for label in tree.reveal)
    return f"reveal{labels} tilings {tree.tilings} nodes {tree.nodes} marks {tree.marks}"


def deflated(tokens: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(tokens) + packer.flush()


def taken_apart(data: bytes) -> list[Raw]:
    """The statements of a certificate, which need not be proved."""
    return [
        Raw(statement.text, list(statement.stated), b"".join(blocks))
        for statement, blocks in opened(io.BytesIO(data))
    ]


def sealed(*statements: Raw | bytes) -> bytes:
    """A certificate of these statements, with a digest that fits."""
    return signed(FIRST + b"".join(s if isinstance(s, bytes) else s.written() for s in statements))


def signed(body: bytes) -> bytes:
    """Bytes with their digest."""
    return body + b"sha256 " + hashlib.sha256(body).hexdigest().encode() + b"\n"


def tree_text(raw: Raw, reveal: int = 0) -> str:
    """The search tree of a statement, as docs/reference/certificates.md shows one whole.

    A line for each node and tiling: what it names, its token, and the placement above it.
    """
    board = Board(read(raw.text))
    cells = board.puzzle.cells
    tokens = iter(raw.tokens[sum(each.nodes for each in raw.stated[:reveal]) :])
    lines: list[str] = []

    def visit(state: State, above: str, depth: int) -> None:
        if not state.open & board.cells:
            lines.append("  " * depth + f"{above}: a tiling")
            return
        token = next(tokens)
        named = (state.open & -state.open).bit_length() - 1 + (token >> 1)
        single = [board.names[n] for n, copies in enumerate(board.copies) if copies == 1]
        what = (
            f"r{cells[named][0]}c{cells[named][1]}"
            if named < len(cells)
            else single[named - len(cells)]
        )
        ways = [
            n for n in range(len(board.placements)) if (state.fits & board.deciding[named]) >> n & 1
        ]
        dead = "" if ways else ", dead"
        lines.append("  " * depth + f"{above}: {what}{dead} ({token:02x})")
        for way in ways:
            piece, covered = board.placements[way]
            placed = ",".join(f"r{r}c{c}" for r, c in sorted(covered))
            visit(board.after(state, way), f"{board.names[piece]}:{placed}", depth + 1)

    visit(board.state(raw.stated[reveal].reveal), "root", 0)
    return "\n".join(lines)
