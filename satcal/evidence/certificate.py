"""Writing certificates; :mod:`satcal.proof.certificate` describes and reads them."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from satcal.proof.archive import pack
from satcal.proof.certificate import ABOUT, FORMAT, PUZZLE, README, STATEMENT
from satcal.proof.formula import Cell, Cube, Placed


class Packed(NamedTuple):
    """A part as the archive holds it: the size of its content, and its xz form."""

    size: int
    data: bytes


def packed(content: bytes) -> Packed:
    """Return a content compressed; the preset is the one that pays for proofs."""
    return Packed(len(content), lzma.compress(content, preset=6))


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
            contents[f"{number:04}-proof-{index:04}.hints.xz"] = proof
    puzzle = certificate.puzzle.encode()
    statement = {
        "format": FORMAT,
        "reveals": [
            {"reveal": list(s.reveal), "tilings": len(s.tilings), "proofs": len(s.proofs)}
            for s in certificate.sections
        ],
        "sizes": {PUZZLE: len(puzzle)} | {name: part.size for name, part in contents.items()},
        "versions": dict(sorted(certificate.versions.items())),
    }
    text = json.dumps(statement, indent=1, ensure_ascii=False) + "\n"
    first = {README: ABOUT.encode(), STATEMENT: text.encode(), PUZZLE: puzzle}
    return pack(first | {name: part.data for name, part in contents.items()})


def _lines(lines: Iterable[str]) -> Packed:
    return packed("".join(f"{line}\n" for line in lines).encode())


def _cell(cell: Cell) -> str:
    return f"r{cell[0]}c{cell[1]}"


def _placed(placed: Placed) -> str:
    return f"{placed[0]}:{','.join(map(_cell, sorted(placed[1])))}"


def _tiling(tiling: Iterable[Placed]) -> str:
    return " ".join(map(_placed, tiling))


def _cube(cube: Cube) -> str:
    return " ".join(f"{_cell(cell)}={_placed(placed)}" for cell, placed in cube)
