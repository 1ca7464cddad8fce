"""What a certificate states, and its parts in the archive.

The layout, in this order; ``docs/certificates.md`` describes it for strangers::

    README.txt                  how to check it by hand
    certificate.json            the statement, versions, and the size of each part
    puzzle.toml                 the puzzle, complete
    0001-tilings.txt.xz         per reveal: its tilings, a line each
    0001-cubes.txt.xz           how it is cut: a line per proof; one empty line if it is not
    0001-proof-0001.hints.xz    per cube: the proof that it has no other tiling
    digest.sha256               of every byte before it
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from satcal.errors import CertificateRefused, TooLarge
from satcal.proof.archive import unpack, unsqueeze
from satcal.proof.formula import Cell, Cube, Placed

FORMAT = "satcal certificate 2"
OLD = "satcal certificate 1"  # its proofs are DRAT, which satcal replays no longer by itself
ENDINGS = {FORMAT: "hints", OLD: "drat"}
MAX_CONTENT = 2 * 1024**3  # bytes of all parts together, uncompressed
MAX_STATEMENT = 8 * 1024**2  # bytes; 20,000 parts take 1.5 MB
STATEMENT, PUZZLE, README = "certificate.json", "puzzle.toml", "README.txt"
ABOUT = """\
This is a certificate of satcal: it proves how many tilings a polyomino puzzle has.

puzzle.toml draws the board and the pieces, the tilings are listed as piece:cells (r0c0 is the
upper left corner of the board), and each proof shows by unit propagation that there are none
besides these. `satcal check FILE` builds the formula again from the drawings, verifies each tiling,
and replays each proof; `satcal check --export FOLDER FILE` writes DIMACS and LRAT files for other
checkers. docs/certificates.md in satcal's sources describes the format down to the bytes, so that
anyone can write a checker of their own.
"""
_CELL = re.compile(r"r(0|[1-9][0-9]{0,2})c(0|[1-9][0-9]{0,2})")
_PLACED = re.compile(r"([A-Za-z][0-9]{0,3}):([rc0-9,]+)")


class Stated(NamedTuple):
    """What a certificate states of one reveal."""

    reveal: tuple[str, ...]
    tilings: int
    proofs: int


class Opened:
    """A certificate read from bytes: its statement, and its parts one by one.

    Raises CertificateRefused if it is none, or has other parts than it states, and
    TooLarge if they have more bytes than we read.
    """

    def __init__(self, data: bytes, limit: int = MAX_CONTENT) -> None:
        self._parts = unpack(data)
        statement = _statement(self._parts.get(STATEMENT, b""))
        self.format: str = statement["format"]
        self.stated = [_stated(entry) for entry in statement["reveals"]]
        self._sizes: dict[str, int] = statement["sizes"]
        if not all(map(_is_count, self._sizes.values())):
            raise CertificateRefused(f"{STATEMENT}: its sizes are no table of bytes")
        if sum(self._sizes.values()) > limit:
            raise TooLarge(f"certificate: its parts have more than {limit} bytes; see --max-size")
        # however many proofs are stated, no more names are made than there are parts
        named = list(islice(self._names(), len(self._parts) + 1))
        if list(self._parts) != named:
            odd = sorted(set(self._parts) ^ set(named)) or ["their order"]
            raise CertificateRefused(f"archive: its parts are not those it states: {odd[0]!r}")
        if sorted(self._sizes) != sorted(named[2:]):
            raise CertificateRefused(f"{STATEMENT}: its sizes are not those of its parts")
        if self.format == FORMAT and self._parts[README] != ABOUT.encode():
            raise CertificateRefused(f"{README}: it is not the text of this format")

    def _names(self) -> Iterator[str]:
        yield from (README, STATEMENT, PUZZLE)
        for number, section in enumerate(self.stated, start=1):
            yield f"{number:04}-tilings.txt.xz"
            yield f"{number:04}-cubes.txt.xz"
            for index in range(1, section.proofs + 1):
                yield self.proof(number, index)

    def proof(self, number: int, index: int) -> str:
        """Return the name of a proof's part; sections and proofs are counted from 1."""
        return f"{number:04}-proof-{index:04}.{ENDINGS[self.format]}.xz"

    def content(self, name: str) -> bytes:
        """Return the content of a part, decompressed up to the size that is stated."""
        packed, size = self._parts[name], self._sizes[name]
        content = unsqueeze(packed, size, name) if name.endswith(".xz") else packed
        if len(content) != size:
            raise CertificateRefused(f"{name}: it does not hold the {size} bytes that are stated")
        return content

    def text(self, name: str) -> str:
        """Return the content of a part that is text."""
        try:
            return self.content(name).decode()
        except UnicodeDecodeError as error:
            raise CertificateRefused(f"{name}: it is not UTF-8 text") from error

    def _lines(self, name: str) -> list[str]:
        text = self.text(name)
        if text and not text.endswith("\n"):
            raise CertificateRefused(f"{name}: it is cut off within its last line")
        return text.split("\n")[:-1]

    def tilings(self, number: int) -> list[list[Placed]]:
        """Return the tilings of a section."""
        name = f"{number:04}-tilings.txt.xz"
        return [[_placed(word, name) for word in line.split(" ")] for line in self._lines(name)]

    def cubes(self, number: int) -> list[Cube]:
        """Return the cubes of a section."""
        name = f"{number:04}-cubes.txt.xz"
        lines = self._lines(name)
        return [tuple(_choice(word, name) for word in line.split(" ") if line) for line in lines]


def _statement(text: bytes) -> dict[str, Any]:
    """Return the statement; only its reveals and sizes are still to be looked at."""
    if len(text) > MAX_STATEMENT:
        raise TooLarge(f"{STATEMENT}: more than {MAX_STATEMENT} bytes")
    try:
        statement = json.loads(text.decode())
        again = json.dumps(statement, indent=1, ensure_ascii=False) + "\n"
    except (ValueError, RecursionError) as error:
        raise CertificateRefused(f"{STATEMENT}: it is missing, or no JSON ({error})") from error
    if again != text.decode():
        raise CertificateRefused(f"{STATEMENT}: it is not written as Python's json would")
    if not isinstance(statement, dict) or statement.get("format") not in [*ENDINGS]:
        raise CertificateRefused(f'{STATEMENT}: its format is not "{FORMAT}"; upgrade satcal?')
    kinds = {"format": str, "reveals": list, "sizes": dict, "versions": dict}
    if {key: type(value) for key, value in statement.items()} != kinds:
        raise CertificateRefused(f"{STATEMENT}: it is not made of {', '.join(kinds)}")
    if not statement["reveals"]:
        raise CertificateRefused(f"{STATEMENT}: it states no reveal")
    words = [word for pair in statement["versions"].items() for word in pair]
    if not all(map(_is_text, words)):
        raise CertificateRefused(f"{STATEMENT}: its versions are no table of texts")
    return statement


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _is_text(value: object) -> bool:
    """Return whether a value is a text that steers no terminal which shows it."""
    return isinstance(value, str) and value.isprintable()


def _stated(entry: object) -> Stated:
    if not isinstance(entry, dict) or sorted(entry) != ["proofs", "reveal", "tilings"]:
        raise CertificateRefused(f"{STATEMENT}: a reveal is not stated as it should be")
    reveal, counts = entry["reveal"], (entry["tilings"], entry["proofs"])
    if not isinstance(reveal, list) or not all(map(_is_text, reveal)):
        raise CertificateRefused(f"{STATEMENT}: a reveal is no list of labels")
    if not all(map(_is_count, counts)):
        raise CertificateRefused(f"{STATEMENT}: the numbers of a reveal are none")
    return Stated(tuple(reveal), *counts)


def _cell(text: str, where: str) -> Cell:
    numbers = _CELL.fullmatch(text)
    if not numbers:
        raise CertificateRefused(f"{where}: {text[:40]!r} is no cell such as r2c3")
    return int(numbers[1]), int(numbers[2])


def _choice(text: str, where: str) -> tuple[Cell, Placed]:
    cell, _, placed = text.partition("=")
    return _cell(cell, where), _placed(placed, where)


def _placed(text: str, where: str) -> Placed:
    words = _PLACED.fullmatch(text)
    if not words:
        raise CertificateRefused(f"{where}: {text[:40]!r} is no placement such as N:r2c3,r2c4")
    listed = [_cell(word, where) for word in words[2].split(",")]
    if len(set(listed)) != len(listed):
        raise CertificateRefused(f"{where}: {text[:40]!r} covers a cell twice")
    return words[1], frozenset(listed)
