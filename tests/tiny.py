"""A tiny calendar whose tilings the brute force counts, and claims about it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from small import Small

from satcal.evidence.claims.kinds import Bound
from satcal.evidence.claims.reading import load_claims
from satcal.evidence.claims.verdicts import Statement
from satcal.puzzle.model import Reveal

TINY = Small(
    board=(("Jan", "Feb", "*", "*"), ("1", "29", "30", "*"), ("*", "*", "*", "*")),
    categories={"month": ("Jan", "Feb"), "day": ("1", "29", "30")},
    pieces=(("L4", ("###", "#.."), 1, True), ("V", ("##", "#."), 2, True)),
)
ONE_FACE = replace(TINY, pieces=(("L4", ("###", "#.."), 1, False), *TINY.pieces[1:]))
OTHER_FACE = replace(TINY, pieces=(("L4", ("###", "..#"), 1, False), *TINY.pieces[1:]))
SQUARE = Small(
    board=(("*",) * 4,) * 4,
    categories={},
    pieces=(
        ("P", ("###", "##."), 1, True), ("V", ("###", "#..", "#.."), 1, True),
        ("L4", ("###", "#.."), 1, True), ("D", ("##",), 1, True),
    ),
)  # fmt: skip
FREE = Small(board=(("*",) * 3,) * 2, categories={}, pieces=(("V", ("##", "#."), 2, True),))


def truth(small: Small) -> dict[Reveal, int]:
    """Return the counts of all reveals by brute force."""
    return {reveal: len(small.tilings(reveal)) for reveal in small.reveals()}


def one(folder: Path, text: str) -> Statement:
    """Return the only statement of a claim file about the tiny puzzle."""
    (folder / "tiny.toml").write_text(TINY.text())
    (folder / "free.toml").write_text(FREE.text())
    (folder / "square.toml").write_text(SQUARE.text())
    path = folder / "claims.toml"
    board = "" if re.search(r"^board =", text, re.MULTILINE) else 'board = "tiny.toml"\n'
    path.write_text(
        f'source = "somebody"\n[[statement]]\nid = "1"\nsays = "so"\n{board}{text}\n', "utf-8"
    )
    return load_claims(path).statements[0]


def changed(statement: Statement, truth: Mapping[str, object]) -> list[Statement]:
    """Return the statement with each of its numbers changed by one, so that it must turn."""
    return [
        replace(statement, fields={**statement.fields, name: other})
        for name, value in statement.fields.items()
        if name in truth
        for other in _others(value, truth[name], statement)
    ]


def _others(value: object, true: object, statement: Statement) -> list[object]:
    if isinstance(value, Bound):
        if value.name in ("at_least", "at_most"):  # the number past the true one
            past = true + (1 if value.name == "at_least" else -1)
            return [Bound(value.name, past)] if past >= 0 else []
        # some reveal may have one tiling more
        by = (10**9,) if statement.kind == "some" else (1, -1)
        return [Bound(value.name, value.number + each) for each in by]
    if isinstance(value, str):
        return [board for board in statement.fields["boards"] if board != value]
    if isinstance(value, dict):
        return [{**value, key: number + by} for key, number in value.items() for by in (1, -1)]
    unit = statement.fields.get("unit", 1)
    if isinstance(value, Decimal):
        unit = Decimal(1).scaleb(int(value.as_tuple().exponent))
    return [value + unit, value - unit] if isinstance(value, int | Decimal) else []
