"""A tiny calendar whose tilings the brute force counts, and claims about it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from small import Small

from satcal.counting.survey import Survey, survey
from satcal.errors import BudgetExhausted
from satcal.evidence.claims import Sources, Statement, load_claims
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling

TINY = Small(
    board=(("Jan", "Feb", "*", "*"), ("1", "29", "30", "*"), ("*", "*", "*", "*")),
    categories={"month": ("Jan", "Feb"), "day": ("1", "29", "30")},
    pieces=(("L4", ("###", "#.."), 1, True), ("V", ("##", "#."), 2, True)),
)
ONE_FACE = replace(TINY, pieces=(("L4", ("###", "#.."), 1, False), *TINY.pieces[1:]))
OTHER_FACE = replace(TINY, pieces=(("L4", ("###", "..#"), 1, False), *TINY.pieces[1:]))
FREE = Small(board=(("*",) * 3,) * 2, categories={}, pieces=(("V", ("##", "#."), 2, True),))


def truth(small: Small) -> dict[Reveal, int]:
    """Return the counts of all reveals by brute force."""
    return {reveal: len(small.tilings(reveal)) for reveal in small.reveals()}


def brute(known: Mapping[str, Small]) -> Sources:
    """Return sources that count known puzzles, by digest, by brute force."""

    true = {digest: truth(small) for digest, small in known.items()}

    def counts(puzzle: Puzzle, reveals: Sequence[Reveal]) -> dict[Reveal, int]:
        if puzzle.digest not in true:
            raise BudgetExhausted(f"{puzzle.name}: no brute force for it")
        return {reveal: true[puzzle.digest][reveal] for reveal in reveals}

    def tilings(puzzle: Puzzle, reveal: Reveal) -> list[Tiling]:
        found = known[puzzle.digest].tilings(reveal)
        return [
            tuple(Placement(piece, tuple(sorted(cells))) for piece, cells in tiling)
            for tiling in found
        ]

    def surveyed(puzzle: Puzzle) -> Survey:
        if puzzle.digest not in true:
            raise BudgetExhausted(f"{puzzle.name}: no brute force for it")
        return survey(puzzle)  # tests/survey compares it with brute force

    return Sources(counts, tilings, surveyed)


SOURCES = brute({small.load().digest: small for small in (TINY, ONE_FACE, OTHER_FACE, FREE)})


def one(folder: Path, text: str) -> Statement:
    """Return the only statement of a claim file about the tiny puzzle."""
    (folder / "tiny.toml").write_text(TINY.text())
    (folder / "free.toml").write_text(FREE.text())
    path = folder / "claims.toml"
    board = "" if re.search(r"^board =", text, re.MULTILINE) else 'board = "tiny.toml"\n'
    path.write_text(
        f'source = "somebody"\n[[statement]]\nid = "1"\nsays = "so"\n{board}{text}\n', "utf-8"
    )
    return load_claims(path).statements[0]


def changed(statement: Statement, truth: Mapping[str, object]) -> list[Statement]:
    """Return the statement with each of its numbers changed by one, so that it must turn.

    Where the statement gives a bound, the number past the true one is meant.
    """
    found = []
    for name, value in statement.fields.items():
        for other in _others(name, value, statement, truth):
            found.append(replace(statement, fields={**statement.fields, name: other}))
    return found


def _others(
    name: str, value: object, statement: Statement, truth: Mapping[str, object]
) -> list[object]:
    if name not in truth:
        return []
    if name == "winner":
        return [board for board in statement["boards"] if board != value]
    true = truth[name]
    if name == "at_least":
        return [true + 1]
    if name == "at_most":
        return [true - 1] if true else []
    if isinstance(value, dict):
        return [{**value, key: number + by} for key, number in value.items() for by in (1, -1)]
    if isinstance(value, Decimal):
        last = Decimal(1).scaleb(int(value.as_tuple().exponent))
        return [value + 1, value - 1, value + last, value - last]
    if isinstance(value, int) and statement.kind != "some":
        unit = statement.fields.get("unit", 1)
        return [value + unit, value - unit]
    return [10**9] if isinstance(value, int) else []  # some reveal may have one tiling more


__all__ = ["FREE", "ONE_FACE", "OTHER_FACE", "SOURCES", "TINY", "changed", "one", "truth"]
