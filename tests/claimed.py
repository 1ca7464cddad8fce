"""Claims, true or false, that a room of the trusted base may accept or refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from unittest import mock

from certificates import Forged
from proofs import Step, refutation, satisfies, written
from small import Small

from satcal.evidence.certify import Section, packed, to_bytes
from satcal.proof.formula import Cube, Formula, Placed
from satcal.puzzle.toml import parse_puzzle

Placements = tuple[Placed, ...]
ALL: tuple[Cube, ...] = ((),)
I, M = ("I", ("##",), 1, True), ("M", ("#",), 1, True)  # noqa: E741


@dataclass(frozen=True)
class File:
    """A certificate of a small puzzle, and a limit that is lowered for its check."""

    small: Small
    data: bytes
    limit: tuple[str, int] = ("check.MAX_CONTENT", 2**31)

    def accepted(self, room: SimpleNamespace) -> dict[tuple[str, ...], int]:
        """Return what a room takes as proved; it raises what the room raises."""
        module, _, constant = self.limit[0].partition(".")
        with mock.patch.object(getattr(room, module), constant, self.limit[1]):
            _, proved = room.check.check(self.data, room.check.MAX_CONTENT)
        return {each.reveal: each.tilings for each in proved}

    def is_false(self, room: SimpleNamespace) -> bool:
        """Return whether the room takes a count as proved that brute force does not find."""
        counts = self.accepted(room)
        return any(len(self.small.tilings(reveal)) != count for reveal, count in counts.items())


@dataclass(frozen=True)
class Proof:
    """The bytes of a proof, and a model of what it refutes, where there is one."""

    formula: Formula
    content: bytes
    model: frozenset[int] | None = None

    def accepted(self, room: SimpleNamespace) -> int:
        """Return how many steps a room takes as proved; it raises what the room raises."""
        return room.replay.replay(self.formula, self.content, "proof")

    def is_false(self, room: SimpleNamespace) -> bool:
        """Return whether the room takes as refuted what has a model."""
        self.accepted(room)
        return self.model is not None and satisfies(self.formula, self.model)


def proof(formula: Formula, *steps: Step, model: Iterable[int] | None = None) -> Proof:
    """Return a proof of these steps; the model holds variables from 1."""
    content = written(steps, len(formula.clauses))
    return Proof(formula, content, None if model is None else frozenset(x - 1 for x in model))


def row(length: int, *pieces: tuple[str, tuple[str, ...], int, bool], revealed: int = 0) -> Small:
    """Return a board of one row; the first cells are those of its only label."""
    categories = {"x": ("x0",)} if revealed else {}
    return Small((("x0",) * revealed + ("*",) * (length - revealed),), categories, pieces)


def at(name: str, *columns: int) -> Placed:
    """Return a placement on cells of the first row."""
    return name, frozenset((0, column) for column in columns)


def cubes(column: int, *chosen: Placed) -> tuple[Cube, ...]:
    """Return a cube for each choice of what covers a cell of the first row."""
    return tuple((((0, column), placed),) for placed in chosen)


def claim(
    room: SimpleNamespace, small: Small, tilings: Sequence[Placements],
    cut: Sequence[Cube] = ALL, reveal: tuple[str, ...] = (),
) -> File:  # fmt: skip
    """Return a certificate with the proofs that a room asks for."""
    return File(small, certificate(small, section(room, small, tilings, cut, reveal)))


def certificate(small: Small, *sections: Section) -> bytes:
    """Return a certificate of these sections."""
    return to_bytes(small.text(), sections, {"satcal": "0"})


def section(
    room: SimpleNamespace, small: Small, tilings: Sequence[Placements],
    cut: Sequence[Cube] = ALL, reveal: tuple[str, ...] = (),
) -> Section:  # fmt: skip
    """Return a section with the proofs that a room asks for."""
    todo = room.formula.task(parse_puzzle(small.text(), "small"), reveal)
    listed = list(dict.fromkeys(map(frozenset, tilings)))
    proofs = []
    for cube, rest in zip(cut, room.formula.cubes_cover(todo, cut), strict=True):
        formula = room.formula.formula(rest, cube, listed)
        proofs.append(packed(written(refutation(formula), len(formula.clauses))))
    return Section(reveal, tuple(tilings), tuple(cut), tuple(proofs))


def edited(file: File, change: Callable[[Forged], object]) -> File:
    """Return a certificate with its parts edited, sealed again."""
    cert = Forged(file.data)
    change(cert)
    return File(file.small, cert.sealed())


IM = row(3, I, M)
"""An I and an M on three cells, with two tilings, which differ in what covers the first."""
IM_TILINGS = ((at("I", 0, 1), at("M", 2)), (at("I", 1, 2), at("M", 0)))
IM_CUBES = cubes(0, at("I", 0, 1), at("M", 0))
