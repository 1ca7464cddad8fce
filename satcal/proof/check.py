"""A certificate from its first byte to its last: what it states, and that it is proved.

docs/reference/certificates.md describes the bytes, the bounds, and the order of the checks. The
file is read once, from its beginning to its end. What it states of its size is compared with the
bounds before anything is read or walked, so that a file costs no more than it says.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import BinaryIO, NamedTuple, NoReturn

from satcal.errors import CertificateRefused, TooLarge
from satcal.proof.board import Board
from satcal.proof.normal import MAX_PUZZLE, QUOTED, digest, parse_normal_form, quoted_in
from satcal.proof.walk import Walk, count

FIRST_LINE = "satcal certificate 4"
MAX_LINE = 65_536  # bytes, with the line feed
MAX_FILE = 268_435_456  # bytes
MAX_GROUPS = 10_000
MAX_REVEALS = 100_000
MAX_WORK = 400_000_000  # of the file: some twenty minutes
MAX_NODES = 20_000_000  # of a group
MAX_MARKS = 500_000  # of a group, whose states are in memory
BLOCK = 65_536  # bytes that are read, or decompressed, at once
_NUMBER = "(0|[1-9][0-9]{0,14}+)"
_HEAD = re.compile(
    f"puzzle {_NUMBER} groups ([1-9][0-9]{{0,14}}+) reveals {_NUMBER} work {_NUMBER}"
)
_GROUP = re.compile(
    f"group reveals {_NUMBER} nodes {_NUMBER} marks {_NUMBER} work {_NUMBER} trees {_NUMBER}"
)
# 20,000 placements on 1,024 cells never make 10 ** 1400
_REVEAL = re.compile(f"reveal((?: {QUOTED})*+) tilings (0|[1-9][0-9]{{0,1399}}+)")
Reveal = tuple[str, ...]


class Group(NamedTuple):
    """Reveals with their stated tilings, and what is stated of their trees, whose tokens follow."""

    stated: Mapping[Reveal, int]
    nodes: int
    marks: int
    work: int
    tokens: bytes | bytearray


class Proved(NamedTuple):
    """A puzzle's text, what is proved of it, and the size and digest of the certificate."""

    text: str
    tilings: Mapping[Reveal, int]
    nodes: int
    bytes: int
    sha256: str


def check(
    stream: BinaryIO, wanted: str | None = None, step: Callable[[int, int], None] | None = None
) -> Proved:
    """Return what a certificate proves.

    The ``stream`` is read from where it is to its end. ``wanted`` is the text of the puzzle that it
    has to be about. ``step`` is called with the work done so far, and all that there is.

    Raises:
        CertificateRefused: something is not proved, or not written as it should be.
        TooLarge: a bound of the format is exceeded.
    """
    file = Certificate(stream, wanted)
    tilings: dict[Reveal, int] = {}
    nodes = work = 0
    for group in file.groups():
        walk_group(file.board, group)
        tilings |= group.stated
        nodes, work = nodes + group.nodes, work + group.work
        if step:
            step(work, file.work)
    return Proved(file.text, tilings, nodes, file.place, file.sha256.hexdigest())


def walk_group(board: Board, group: Group) -> None:
    """Walk through the trees of a group; raise CertificateRefused unless they prove its numbers."""
    walk = Walk(board, group.tokens, group.work)
    if (walk.nodes, walk.marks) != (group.nodes, group.marks):
        raise CertificateRefused(
            f"trees: {group.nodes} nodes and {group.marks} marks stated, but there are "
            f"{walk.nodes} and {walk.marks}"
        )
    for reveal, stated in group.stated.items():
        found = count(walk, reveal)
        if found != stated:
            labels = " ".join(reveal) or "the board"
            raise CertificateRefused(f"{labels}: {stated} tilings stated, but {found} found")
    walk.end()
    if walk.work != group.work:
        raise CertificateRefused(f"trees: work {group.work} stated, but it is {walk.work}")


class Certificate:
    """The bytes of a certificate, read once: first its head and puzzle, then group by group.

    ``text`` is that of the puzzle, ``board`` what a walk has to know of it, ``work`` what the head
    states for the whole file, ``place`` the number of bytes read, ``sha256`` their running hash.

    Raises:
        CertificateRefused, TooLarge: as :func:`check`.
    """

    def __init__(self, stream: BinaryIO, wanted: str | None = None) -> None:
        self._stream = stream
        self.sha256, self.place = hashlib.sha256(), 0
        if stream.seekable():
            begin = stream.tell()
            bound(stream.seek(0, 2) - begin, MAX_FILE, "bytes")
            stream.seek(begin)
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
        self._labels = [{text: text for text in texts} for texts in puzzle.categories.values()]
        if wanted is not None and digest(wanted) != digest(self.text):
            raise CertificateRefused("it is about another puzzle")
        self.board = Board(puzzle)
        self._seen: set[Reveal] = set()

    def groups(self) -> Iterator[Group]:
        """Yield each group, its trees not yet checked, and at the end check the digest.

        Before a group is yielded, its stated reveals and work are compared with what remains of
        those stated in the head.
        """
        left = self.work
        for _ in range(self._groups):
            reveals, nodes, marks, work, size = self._numbers(
                _GROUP, "group reveals NUMBER nodes NUMBER marks NUMBER work NUMBER trees BYTES"
            )
            bound(len(self._seen) + reveals, MAX_REVEALS, "reveals")
            bound(nodes, MAX_NODES, "nodes of a group")
            bound(marks, MAX_MARKS, "marks of a group")
            bound(work, MAX_WORK, "work of a group")
            left -= work
            if not reveals or reveals > self._reveals - len(self._seen) or left < 0:
                self._refuse("a group with no reveals, or more reveals or work than the head has")
            stated = dict(self._read_statement() for _ in range(reveals))
            yield Group(stated, nodes, marks, work, self._inflate(size, 2 * nodes))
        if len(self._seen) != self._reveals or left:
            self._refuse("the groups do not have the reveals and the work that the head states")
        before = self.sha256.hexdigest()
        if self._line() != f"sha256 {before}":
            self._refuse("the line before is not the digest of all bytes before it")
        if self._stream.read(1):
            self._refuse("there is more data after the digest")

    def _refuse(self, reason: str) -> NoReturn:
        raise CertificateRefused(f"byte {self.place}: {reason}")

    def _record(self, data: bytes) -> bytes:
        self.sha256.update(data)
        self.place += len(data)
        bound(self.place, MAX_FILE, "bytes")
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
        """Return the numbers in the next line; refuse it unless it has this form."""
        found = pattern.fullmatch(self._line()) or self._refuse(f"the line before is not {form}")
        return map(int, found.groups())

    def _read_statement(self) -> tuple[Reveal, int]:
        """Return the next reveal, and how many tilings are stated for it."""
        found = _REVEAL.fullmatch(self._line())
        texts = quoted_in(found[1]) if found else ()
        reveal = tuple(
            names[t] for names, t in zip(self._labels, texts, strict=False) if t in names
        )
        fits = len(texts) == len(reveal) == len(self._labels)
        if not found or not fits or reveal in self._seen:
            self._refuse("the line before is not a reveal with its tilings, or repeats one")
        self._seen.add(reveal)
        return reveal, int(found[3])

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
        reader, data, done = zlib.decompressobj(-zlib.MAX_WBITS), bytearray(), 0
        for block in self._blocks(size):
            if reader.eof:
                break
            try:
                data += reader.decompress(block, limit + 1 - len(data))
            except zlib.error as error:
                self._refuse(f"damaged compressed data ({error})")
            if len(data) > limit:
                self._refuse("the trees are too long for the nodes stated")
            done += len(block)
        if done != size or not reader.eof or reader.unused_data:
            self._refuse("the trees do not take exactly the bytes stated")
        return data


def bound(number: int, limit: int, what: str) -> None:
    """Raise TooLarge if a number exceeds its limit."""
    if number > limit:
        raise TooLarge(f"certificate: {number:,} {what}; at most {limit:,} are checked")
