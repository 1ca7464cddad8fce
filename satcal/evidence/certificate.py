"""What a certificate says, and its parts in the archive.

The layout, in this order; ``docs/certificates.md`` describes it for strangers::

    README.txt                  how to check it by hand
    certificate.json            the statement, versions, and the size of each part
    puzzle.toml                 the puzzle, complete
    0001-tilings.txt.xz         per reveal: its tilings, a line each
    0001-cubes.txt.xz           how it is cut: a line per proof; one empty line if it is not
    0001-proof-0001.drat.xz     per cube: the proof that it has no other tiling
    digest.sha256               of every byte before it
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from satcal.errors import CertificateRefused, TooLarge
from satcal.evidence.archive import MAX_PARTS, pack, squeeze, unpack, unsqueeze
from satcal.evidence.rebuild import Cell, Cube, Placed

FORMAT = "satcal certificate 1"
MAX_CONTENT = 2 * 1024**3  # bytes of all parts together, uncompressed
STATEMENT = "certificate.json"
README = """\
This is a certificate of satcal: it proves how many tilings a polyomino puzzle has.

puzzle.toml draws the board and the pieces, the tilings are listed as piece:cells (r0c0 is the
upper left corner of the board), and each proof shows in DRAT form that the plain encoding of the
puzzle as CNF has no model besides these tilings. `satcal check FILE` builds the formula again from
the drawings, verifies each tiling, and replays each proof by a checker that is not the solver.
docs/certificates.md in satcal's sources says how formula and variables are built, so that anyone
can write a checker of their own.
"""
_CELL = re.compile(r"r(\d{1,3})c(\d{1,3})")
_PLACED = re.compile(r"([A-Za-z][0-9]{0,3}):(r\d{1,3}c\d{1,3}(?:,r\d{1,3}c\d{1,3})*)")


class Packed(NamedTuple):
    """A proof as the archive holds it: the size of its text, and its xz form."""

    size: int
    data: bytes


@dataclass(frozen=True)
class Section:
    """What is proved of one reveal; the proofs are as many as the cubes, in their order."""

    reveal: tuple[str, ...]
    tilings: tuple[tuple[Placed, ...], ...]
    cubes: tuple[Cube, ...]
    proofs: tuple[Packed, ...]


@dataclass(frozen=True)
class Certificate:
    """A puzzle file's text, and a section for each reveal."""

    puzzle: str
    sections: tuple[Section, ...]
    versions: Mapping[str, str]


def to_bytes(certificate: Certificate) -> bytes:
    """Return the archive; the same certificate gives the same bytes."""
    contents: dict[str, Packed] = {}
    for number, section in enumerate(certificate.sections, start=1):
        contents[f"{number:04}-tilings.txt.xz"] = _lines(map(_tiling, section.tilings))
        contents[f"{number:04}-cubes.txt.xz"] = _lines(map(_cube, section.cubes))
        for index, proof in enumerate(section.proofs, start=1):
            contents[f"{number:04}-proof-{index:04}.drat.xz"] = proof
    puzzle = certificate.puzzle.encode()
    statement = {
        "format": FORMAT,
        "reveals": [
            {"reveal": list(s.reveal), "tilings": len(s.tilings), "proofs": len(s.proofs)}
            for s in certificate.sections
        ],
        "sizes": {"puzzle.toml": len(puzzle)} | {n: part.size for n, part in contents.items()},
        "versions": dict(sorted(certificate.versions.items())),
    }
    text = json.dumps(statement, indent=1, ensure_ascii=False) + "\n"
    first = {"README.txt": README.encode(), STATEMENT: text.encode(), "puzzle.toml": puzzle}
    return pack(first | {name: part.data for name, part in contents.items()})


def _lines(lines: Iterable[str]) -> Packed:
    text = "".join(f"{line}\n" for line in lines).encode()
    return Packed(len(text), squeeze(text))


def _cell(cell: Cell) -> str:
    return f"r{cell[0]}c{cell[1]}"


def _placed(placed: Placed) -> str:
    return f"{placed[0]}:{','.join(map(_cell, sorted(placed[1])))}"


def _tiling(tiling: Iterable[Placed]) -> str:
    return " ".join(map(_placed, tiling))


def _cube(cube: Cube) -> str:
    return " ".join(f"{_cell(cell)}={_placed(placed)}" for cell, placed in cube)


@dataclass(frozen=True)
class Stated:
    """What a certificate's file states of one reveal."""

    reveal: tuple[str, ...]
    tilings: int
    proofs: int


class Opened:
    """A certificate read from bytes: its statement, and its parts one by one.

    Raises:
        TooLarge: more bytes than we read.
        CertificateRefused: it is no certificate, or its parts are not those it states.
    """

    def __init__(self, data: bytes, limit: int = MAX_CONTENT) -> None:
        self._parts = unpack(data)
        if STATEMENT not in self._parts:
            raise CertificateRefused(f"archive: the part {STATEMENT} is missing")
        statement = _json(self._parts[STATEMENT])
        self.stated = _stated(statement.get("reveals"))
        self._sizes = _sizes(statement.get("sizes"), limit)
        self.versions = _versions(statement.get("versions"))
        wanted = ["README.txt", STATEMENT, *_names(self.stated)]
        if list(self._parts) != wanted:
            odd = sorted(set(self._parts) ^ set(wanted)) or ["their order"]
            raise CertificateRefused(f"archive: its parts are not those it states: {odd[0]}")
        if sorted(self._sizes) != sorted(wanted[2:]):
            raise CertificateRefused(f"{STATEMENT}: its sizes are not those of its parts")
        if self._parts["README.txt"] != README.encode():
            raise CertificateRefused("README.txt: it is not the text of this format")

    def content(self, name: str) -> bytes:
        """Return the content of a part, decompressed up to the size that is stated."""
        packed, size = self._parts[name], self._sizes[name]
        if name.endswith(".xz"):
            return unsqueeze(packed, size, name)
        if len(packed) != size:
            raise CertificateRefused(f"{name}: it does not hold the {size} bytes that are stated")
        return packed

    def _listed(self, number: int, what: str) -> list[str]:
        name = f"{number:04}-{what}.txt.xz"
        try:
            text = self.content(name).decode("ascii")
        except UnicodeDecodeError as error:
            raise CertificateRefused(f"{name}: it is not ASCII text") from error
        if text and not text.endswith("\n"):
            raise CertificateRefused(f"{name}: it is cut off within its last line")
        return text.split("\n")[:-1]

    def tilings(self, number: int) -> list[tuple[Placed, ...]]:
        """Return the tilings of a section, which are counted from 1."""
        what = f"{number:04}-tilings.txt.xz"
        return [
            tuple(_read_placed(word, what) for word in line.split(" "))
            for line in self._listed(number, "tilings")
        ]

    def cubes(self, number: int) -> list[Cube]:
        """Return the cubes of a section."""
        return [_read_cube(line) for line in self._listed(number, "cubes")]


def _json(text: bytes) -> dict[str, Any]:
    try:
        found = json.loads(text.decode())
    except (ValueError, RecursionError) as error:
        raise CertificateRefused(f"{STATEMENT}: it is not JSON ({error})") from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise CertificateRefused(f'{STATEMENT}: its format is not "{FORMAT}"; upgrade satcal?')
    return found


def _stated(value: Any) -> list[Stated]:
    def is_number(each: Any) -> bool:
        return isinstance(each, int) and not isinstance(each, bool) and each >= 0

    if not isinstance(value, list) or not value:
        raise CertificateRefused(f"{STATEMENT}: it states no reveal")
    found = []
    for entry in value:
        if (
            not isinstance(entry, dict)
            or sorted(entry) != ["proofs", "reveal", "tilings"]
            or not isinstance(entry["reveal"], list)
            or not all(isinstance(text, str) for text in entry["reveal"])
            or not is_number(entry["tilings"])
            or not is_number(entry["proofs"])
        ):
            raise CertificateRefused(f"{STATEMENT}: a reveal is not stated as it should be")
        found.append(Stated(tuple(entry["reveal"]), entry["tilings"], entry["proofs"]))
    if sum(2 + section.proofs for section in found) > MAX_PARTS:
        raise TooLarge(f"{STATEMENT}: more than {MAX_PARTS} parts")
    return found


def _versions(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(
        isinstance(text, str) and (name + text).isprintable() for name, text in value.items()
    ):
        raise CertificateRefused(f"{STATEMENT}: its versions are no table of texts")
    return value


def _sizes(value: Any, limit: int) -> dict[str, int]:
    if not isinstance(value, dict) or not all(
        isinstance(size, int) and not isinstance(size, bool) and size >= 0
        for size in value.values()
    ):
        raise CertificateRefused(f"{STATEMENT}: its sizes are no table of bytes")
    if sum(value.values()) > limit:
        raise TooLarge(f"certificate: its parts have more than {limit} bytes; see --max-size")
    return value


def _names(stated: Iterable[Stated]) -> Iterable[str]:
    yield "puzzle.toml"
    for number, section in enumerate(stated, start=1):
        yield f"{number:04}-tilings.txt.xz"
        yield f"{number:04}-cubes.txt.xz"
        for index in range(1, section.proofs + 1):
            yield f"{number:04}-proof-{index:04}.drat.xz"


def _read_cell(text: str, where: str) -> Cell:
    found = _CELL.fullmatch(text)
    if not found:
        raise CertificateRefused(f"{where}: {text[:40]!r} is no cell such as r2c3")
    return int(found[1]), int(found[2])


def _read_placed(text: str, where: str) -> Placed:
    found = _PLACED.fullmatch(text)
    if not found:
        raise CertificateRefused(f"{where}: {text[:40]!r} is no placement such as N:r2c3,r2c4")
    listed = [_read_cell(word, where) for word in found[2].split(",")]
    if len(set(listed)) != len(listed):
        raise CertificateRefused(f"{where}: {text[:40]!r} covers a cell twice")
    return found[1], frozenset(listed)


def _read_cube(line: str) -> Cube:
    where = "cubes"
    pairs = [word.partition("=") for word in line.split(" ")] if line else []
    return tuple((_read_cell(cell, where), _read_placed(text, where)) for cell, _, text in pairs)
