"""The check of a certificate, from its first byte to its last.

docs/reference/certificates.md describes the bytes, the bounds, and the order of the checks. The
file is read once, from its beginning to its end. The sizes that it states are compared with the
bounds before anything is read or walked, so a file costs no more than it states.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import BinaryIO, NamedTuple, NoReturn

from satcal.errors import CertificateRefused, TooLarge, quote
from satcal.proof.board import Board
from satcal.proof.normal import MAX_PUZZLE, QUOTED, digest, find_quoted, parse_normal_form
from satcal.proof.walk import Walk

FIRST_LINE = "satcal certificate 4"
MAX_LINE = 65_536  # bytes, with the line feed
MAX_FILE = 268_435_456  # bytes
MAX_GROUPS = 10_000
MAX_REVEALS = 100_000
MAX_WORK = 400_000_000  # children visited, of the file: about twenty minutes
MAX_NODES = 20_000_000  # of a group
MAX_MARKS = 500_000  # of a group, as memory holds the states of all marked nodes
BLOCK = 65_536  # bytes that are read, or decompressed, at once
_NUMBER = "(0|[1-9][0-9]{0,14}+)"
_HEAD = re.compile(
    f"puzzle {_NUMBER} groups ([1-9][0-9]{{0,14}}+) reveals {_NUMBER} work {_NUMBER}"
)
_GROUP = re.compile(
    f"group reveals {_NUMBER} nodes {_NUMBER} marks {_NUMBER} work {_NUMBER} trees {_NUMBER}"
)
# a puzzle of 20,000 placements on 1,024 cells has less than 10 ** 1400 tilings
_REVEAL = re.compile(f"reveal((?: {QUOTED})*+) tilings (0|[1-9][0-9]{{0,1399}}+)")
Reveal = tuple[str, ...]


class Group(NamedTuple):
    """The stated tilings of reveals, the stated sizes of their trees, and the trees' tokens."""

    stated_tilings: Mapping[Reveal, int]
    nodes: int
    marks: int
    work: int
    tokens: bytes | bytearray


class ProofResult(NamedTuple):
    """A puzzle's text, its proved numbers of tilings, and the size and digest of the file."""

    text: str
    tilings: Mapping[Reveal, int]
    nodes: int
    bytes: int
    sha256: str


def check(
    stream: BinaryIO, puzzle_text: str | None = None, step: Callable[[int, int], None] | None = None
) -> ProofResult:
    """Return what a certificate proves.

    Read the ``stream`` from its position to its end. If ``puzzle_text`` is given, the certificate
    must be about this puzzle. Call ``step`` with the work done so far and the total work.

    Raises:
        CertificateRefused: a number is not proved, or the file breaks a rule of the format.
        TooLarge: a bound of the format is exceeded.
    """
    file = Certificate(stream, puzzle_text)
    tilings: dict[Reveal, int] = {}
    nodes = work = 0
    for group in file.groups():
        walk_group(file.board, group)
        tilings |= group.stated_tilings
        nodes, work = nodes + group.nodes, work + group.work
        if step:
            step(work, file.work)
    return ProofResult(file.text, tilings, nodes, file.position, file.sha256.hexdigest())


def walk_group(board: Board, group: Group) -> None:
    """Walk through the trees of a group.

    Raises:
        CertificateRefused: the trees do not prove the stated tilings.
    """
    walk = Walk(board, group.tokens, group.work)
    if (walk.nodes, walk.marks) != (group.nodes, group.marks):
        raise CertificateRefused(
            f"trees: {group.nodes} nodes and {group.marks} marks stated, but there are "
            f"{walk.nodes} and {walk.marks}"
        )
    for reveal, stated_tilings in group.stated_tilings.items():
        tilings = walk.count(reveal)
        if tilings != stated_tilings:
            name = quote(" ".join(reveal)) if reveal else "the board"
            raise CertificateRefused(
                f"{name}: {stated_tilings} tilings stated, but {tilings} found"
            )
    walk.end()
    if walk.work != group.work:
        raise CertificateRefused(f"trees: work {group.work} stated, but it is {walk.work}")


class Certificate:
    """The bytes of a certificate, read once: first its head and puzzle, then group by group.

    ``text`` is the text of the puzzle, ``board`` its tables for a walk, ``work`` the work that the
    head states for the whole file, ``position`` the number of bytes read, ``sha256`` their hash.

    Raises:
        CertificateRefused: the head or the puzzle breaks a rule of the format.
        TooLarge: a bound of the format is exceeded.
    """

    def __init__(self, stream: BinaryIO, puzzle_text: str | None = None) -> None:
        self._stream = stream
        self.sha256, self.position = hashlib.sha256(), 0
        if stream.seekable():
            start = stream.tell()
            bound(stream.seek(0, 2) - start, MAX_FILE, "bytes")
            stream.seek(start)
        if self._line() != FIRST_LINE:
            self._refuse(f"the first line is not {FIRST_LINE!r}")
        size, self._groups, self._reveals, self.work = self._numbers(
            _HEAD, "puzzle BYTES groups NUMBER reveals NUMBER work NUMBER"
        )
        bound(size, MAX_PUZZLE, "bytes of the puzzle")
        bound(self._groups, MAX_GROUPS, "groups")
        bound(self._reveals, MAX_REVEALS, "reveals")
        bound(self.work, MAX_WORK, "work")
        data = b"".join(self._blocks(size))
        try:
            self.text = data.decode()
        except UnicodeDecodeError:
            self._refuse("the puzzle before is not UTF-8 text")
        puzzle = parse_normal_form(self.text)
        # reveals share the strings of the puzzle, which keeps 100,000 of them small
        self._labels = [{text: text for text in texts} for texts in puzzle.categories.values()]
        if puzzle_text is not None and digest(puzzle_text) != digest(self.text):
            raise CertificateRefused("it is about another puzzle")
        self.board = Board(puzzle)
        self._reveals_read: set[Reveal] = set()

    def groups(self) -> Iterator[Group]:
        """Yield each group without checking its trees; check the digest at the end.

        The reveals and the work of all groups must add up to those stated in the head.
        """
        remaining_work = self.work
        for _ in range(self._groups):
            reveals, nodes, marks, work, size = self._numbers(
                _GROUP, "group reveals NUMBER nodes NUMBER marks NUMBER work NUMBER trees BYTES"
            )
            bound(len(self._reveals_read) + reveals, MAX_REVEALS, "reveals")
            bound(nodes, MAX_NODES, "nodes of a group")
            bound(marks, MAX_MARKS, "marks of a group")
            bound(work, MAX_WORK, "work of a group")
            remaining_work -= work
            remaining_reveals = self._reveals - len(self._reveals_read)
            if not 0 < reveals <= remaining_reveals or remaining_work < 0:
                self._refuse("a group with no reveals, or more reveals or work than the head has")
            if nodes > work + reveals:
                self._refuse("a group with more nodes than its work and its reveals reach")
            stated_tilings = dict(self._read_statement() for _ in range(reveals))
            yield Group(stated_tilings, nodes, marks, work, self._inflate(size, 2 * nodes))
        if len(self._reveals_read) != self._reveals or remaining_work:
            self._refuse("the groups do not have the reveals and the work that the head states")
        sha256 = self.sha256.hexdigest()
        if self._line() != f"sha256 {sha256}":
            self._refuse("the line before is not the digest of all bytes before it")
        if self._stream.read(1):
            self._refuse("there is more data after the digest")

    def _refuse(self, reason: str) -> NoReturn:
        raise CertificateRefused(f"byte {self.position}: {reason}")

    def _record(self, data: bytes) -> bytes:
        self.sha256.update(data)
        self.position += len(data)
        bound(self.position, MAX_FILE, "bytes")
        return data

    def _line(self) -> str:
        """Return the next line, without its line feed."""
        data = self._record(self._stream.readline(MAX_LINE))
        if not data.endswith(b"\n"):
            self._refuse("a line of text is missing or too long")
        try:
            return data[:-1].decode()
        except UnicodeDecodeError:
            self._refuse("the line before is not UTF-8 text")

    def _numbers(self, pattern: re.Pattern[str], form: str) -> Iterator[int]:
        """Return the numbers in the next line; refuse it unless it matches ``pattern``."""
        match = pattern.fullmatch(self._line()) or self._refuse(f"the line before is not {form}")
        return map(int, match.groups())

    def _read_statement(self) -> tuple[Reveal, int]:
        """Return the next reveal and its stated number of tilings."""
        match = _REVEAL.fullmatch(self._line())
        if not match:
            self._refuse('the line before is not reveal "LABEL"... tilings NUMBER')
        texts = find_quoted(match[1])
        pairs = zip(self._labels, texts, strict=False)
        reveal = tuple(labels[text] for labels, text in pairs if text in labels)
        if not len(texts) == len(reveal) == len(self._labels):
            self._refuse("the reveal before does not have one label of each category")
        if reveal in self._reveals_read:
            self._refuse("the reveal before occurs twice")
        self._reveals_read.add(reveal)
        return reveal, int(match[3])

    def _blocks(self, size: int) -> Iterator[bytes]:
        """Yield exactly the next ``size`` bytes, in blocks."""
        while size:
            data = self._record(self._stream.read(min(size, BLOCK)))
            if not data:
                self._refuse(f"the file is cut off: {size} more bytes should follow")
            size -= len(data)
            yield data

    def _inflate(self, size: int, limit: int) -> bytearray:
        """Inflate the next ``size`` bytes, one whole deflate stream, to at most ``limit`` bytes."""
        inflater, data = zlib.decompressobj(-zlib.MAX_WBITS), bytearray()
        for block in self._blocks(size):
            if inflater.eof:  # what follows would be copied again for each block
                self._refuse("the trees do not take exactly the bytes stated")
            try:
                data += inflater.decompress(block, limit + 1 - len(data))
            except zlib.error as error:
                self._refuse(f"damaged compressed data ({error})")
            if len(data) > limit:
                self._refuse("the trees are too long for the nodes stated")
        if not inflater.eof or inflater.unused_data:
            self._refuse("the trees do not take exactly the bytes stated")
        return data


def bound(number: int, limit: int, unit: str) -> None:
    """Raise TooLarge if a number exceeds its limit."""
    if number > limit:
        raise TooLarge(f"certificate: {number:,} {unit}; at most {limit:,} are checked")
