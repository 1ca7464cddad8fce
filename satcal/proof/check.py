"""A certificate from its first byte to its last: what it states, and that it is proved.

docs/reference/certificates.md describes the bytes. The file is read once, from its beginning to
its end, and never beyond what it states of itself: a line and a puzzle have their bounds, and a
tree of n nodes has at most 2 n bytes.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Iterator
from itertools import chain
from operator import contains
from typing import BinaryIO, NamedTuple, NoReturn

from satcal.errors import CertificateRefused, TooLarge
from satcal.proof.board import Board
from satcal.proof.normal import QUOTED, Written, quoted_in, read
from satcal.proof.walk import Stated, Walk

FIRST_LINE = "satcal certificate 3"
MAX_LINE = 65_536  # bytes
MAX_PUZZLE = 1_048_576  # bytes of its text
MAX_NODES = 20_000_000  # some minutes; whoever expects more says so
BLOCK = 65_536  # bytes that are read, or decompressed, at once
_NUMBER = "(0|[1-9][0-9]{0,14})"
_PUZZLE = re.compile(f"puzzle {_NUMBER}")
_TILINGS = "(0|[1-9][0-9]{0,1399})"  # 20,000 placements on 1,024 cells never make 10 ** 1400
_REVEAL = re.compile(f"reveal((?: {QUOTED})*) tilings {_TILINGS} nodes {_NUMBER} marks {_NUMBER}")
_TREES = re.compile(f"trees {_NUMBER}")


class Statement(NamedTuple):
    """A puzzle in its normal form, and what is stated of it."""

    text: str
    puzzle: Written
    stated: tuple[Stated, ...]


def check(stream: BinaryIO, max_nodes: int = MAX_NODES) -> list[Statement]:
    """The statements of a certificate, all of them proved.

    The ``stream`` is read from where it is to its end. Raises CertificateRefused with place and
    reason if anything is not proved or not written as it should be, TooLarge if more than
    ``max_nodes`` nodes are stated in all.
    """
    return list(proved(stream, max_nodes))


def proved(stream: BinaryIO, max_nodes: int = MAX_NODES) -> Iterator[Statement]:
    """Yield each statement once it is proved; the digest is looked at after the last."""
    for statement, blocks in opened(stream, max_nodes):
        walk = Walk(Board(statement.puzzle), chain.from_iterable(blocks))
        for tree in statement.stated:
            walk.check(tree)
        walk.end()
        yield statement


def opened(
    stream: BinaryIO, max_nodes: int = MAX_NODES
) -> Iterator[tuple[Statement, Iterator[bytes]]]:
    """Yield each statement and the bytes of its trees, which have to be read before the next.

    Nothing is proved by that; raises as :func:`check` does.
    """
    file = _Input(stream)
    if file.line() != FIRST_LINE:
        file.refuse(f"the first line is not {FIRST_LINE!r}")
    statements = nodes = 0
    while (line := file.line())[:7] != "sha256 " or not statements:
        text = _text(file, file.match(_PUZZLE, line, "puzzle BYTES"))
        puzzle = read(text)
        stated, line = _stated(file, puzzle)
        statements += 1
        size = int(file.match(_TREES, line, "trees BYTES")[1])
        within = sum(tree.nodes for tree in stated)
        nodes += within
        if nodes > max_nodes:
            raise TooLarge(
                f"certificate: it states more than {max_nodes:,} nodes; raise --max-nodes"
            )
        yield Statement(text, puzzle, stated), _inflated(file, size, 2 * within)
    file.end(line)


class _Input:
    """The bytes of a certificate, with their digest, and the place that a refusal names."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._digest = self._before = hashlib.sha256()
        self._place = 0

    def refuse(self, reason: str) -> NoReturn:
        raise CertificateRefused(f"byte {self._place}: {reason}")

    def _took(self, data: bytes) -> bytes:
        self._digest.update(data)
        self._place += len(data)
        return data

    def line(self) -> str:
        """The next line, without its line feed."""
        data = self._stream.readline(MAX_LINE)
        if not data.endswith(b"\n"):
            self.refuse(
                "expected a line of text; the file is cut off, or was not written by satcal"
            )
        self._before = self._digest.copy()
        try:
            return self._took(data)[:-1].decode()
        except UnicodeDecodeError:
            self.refuse("the line before is not UTF-8 text")

    def match(self, pattern: re.Pattern[str], line: str, form: str) -> re.Match[str]:
        """The match of the line that was just read, which should be of this form."""
        found = pattern.fullmatch(line)
        return found or self.refuse(f"the line before is not of the form {form}")

    def blocks(self, size: int) -> Iterator[bytes]:
        """Yield the next bytes, exactly so many."""
        while size:
            data = self._stream.read(min(size, BLOCK))
            if not data:
                self.refuse(f"the file is cut off: {size} more bytes should follow")
            size -= len(data)
            yield self._took(data)

    def end(self, line: str) -> None:
        """Raise CertificateRefused unless the line just read is the digest, and the last one."""
        if line != f"sha256 {self._before.hexdigest()}":
            self.refuse("the line before is not the digest of all bytes before it")
        if self._stream.read(1):
            self.refuse("there is more data after the digest")


def _text(file: _Input, head: re.Match[str]) -> str:
    size = int(head[1])
    if size > MAX_PUZZLE:
        file.refuse(f"the puzzle has more than {MAX_PUZZLE} bytes")
    try:
        return b"".join(file.blocks(size)).decode()
    except UnicodeDecodeError as error:
        file.refuse(
            f"the puzzle before is not UTF-8 text: {error.reason} at its byte {error.start}"
        )


def _stated(file: _Input, puzzle: Written) -> tuple[tuple[Stated, ...], str]:
    """What is stated of each reveal, and the line that follows."""
    stated: dict[tuple[str, ...], Stated] = {}
    while (line := file.line()).startswith("reveal") or not stated:
        found = file.match(_REVEAL, line, 'reveal "LABEL" tilings NUMBER nodes NUMBER marks NUMBER')
        reveal = quoted_in(found[1])
        categories = puzzle.categories.values()
        fits = len(reveal) == len(categories) and all(map(contains, categories, reveal))
        if not fits or reveal in stated:
            file.refuse(
                "the line before does not have exactly one label of each category, or repeats a "
                "reveal"
            )
        stated[reveal] = Stated(reveal, *map(int, found.groups()[-3:]))
    return tuple(stated.values()), line


def _inflated(file: _Input, size: int, most: int) -> Iterator[bytes]:
    """Yield what the next bytes hold, which is a whole deflate stream of no more than ``most``."""
    reader = zlib.decompressobj(-zlib.MAX_WBITS)
    for block in file.blocks(size):
        if reader.eof:
            file.refuse("the trees take fewer bytes than stated")
        rest, full = block, True
        while rest or full:
            try:
                data = reader.decompress(rest, BLOCK)
            except zlib.error as error:
                file.refuse(f"damaged compressed data ({error})")
            most -= len(data)
            if most < 0:
                file.refuse("the trees are too long for the number of nodes stated")
            yield data
            rest, full = reader.unconsumed_tail, len(data) == BLOCK
    if not reader.eof or reader.unused_data:
        file.refuse("the trees do not take exactly the number of bytes stated")
