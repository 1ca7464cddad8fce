"""Statements about numbers of tilings: one function per kind."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from satcal.evidence.claims.model import Finding, Statement
from satcal.evidence.claims.sources import Sources
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.symmetry import classes

BOUNDS = ("exactly", "at_least", "at_most")
CHUNK = 16  # reveals counted before the first look at whether a zero has decided already


def holds(name: str, claimed: int, true: int) -> bool:
    """Return whether a true number is as a field ``at_least``, ``at_most`` or another claims."""
    if name == "at_least":
        return true >= claimed
    return true <= claimed if name == "at_most" else true == claimed


def bound(statement: Statement, names: Sequence[str] = BOUNDS) -> tuple[str, int]:
    """Return which of the fields a statement has, and its number."""
    return next((name, statement[name]) for name in names if name in statement.fields)


def count(statement: Statement, sources: Sources) -> Finding:
    """Say how many tilings a reveal has."""
    reveal = statement.fields.get("reveal", statement.fields.get("date", ()))
    true = sources.counts(statement.puzzle, [reveal])[reveal]
    name, claimed = bound(statement, ("tilings", "at_least", "at_most"))
    return Finding(holds(name, claimed, true), {name: true}, reveal)


def total(statement: Statement, sources: Sources) -> Finding:
    """Say how many tilings the reveals of a range have together."""
    true = _total(statement.puzzle, statement["range"].reveals, sources)
    return Finding(true == statement["tilings"], {"tilings": true})


def _total(puzzle: Puzzle, reveals: Sequence[Reveal], sources: Sources) -> int:
    counts = sources.counts(puzzle, sorted(set(reveals)))
    return sum(counts[reveal] for reveal in reveals)


def rounded(value: Fraction, unit: Fraction, rounding: str) -> Fraction:
    """Return a value of at least 0 as a multiple of a unit, halves up, or cut off (``down``)."""
    half = Fraction(1, 2) if rounding == "nearest" else 0
    return math.floor(value / unit + half) * unit


def mean(statement: Statement, sources: Sources) -> Finding:
    """Say how many tilings a reveal of a range has on average, to the decimals that are given."""
    reveals = statement["range"].reveals
    exact = Fraction(_total(statement.puzzle, reveals, sources), len(reveals))
    decimals = decimals_of(statement["tilings"])
    true = as_decimal(rounded(exact, Fraction(1, 10**decimals), statement["rounding"]), decimals)
    more = as_decimal(rounded(exact, Fraction(1, 1000), "nearest"), 3)
    return Finding(true == statement["tilings"], {"tilings": true}, None, f"{true} (from {more})")


def decimals_of(value: Decimal) -> int:
    """Return how many decimals a number was written with."""
    return max(0, -int(value.as_tuple().exponent))


def as_decimal(value: Fraction, decimals: int) -> Decimal:
    """Return a multiple of a decimal unit, written with that many decimals."""
    # from a text: arithmetic on decimals would round to 28 digits
    return Decimal(f"{(value * 10**decimals).numerator}E-{decimals}")


def minimum(statement: Statement, sources: Sources) -> Finding:
    """Say which reveal of a range has the fewest tilings, and how many."""
    return _extreme(statement, sources, min)


def maximum(statement: Statement, sources: Sources) -> Finding:
    """Say which reveal of a range has the most tilings, and how many."""
    return _extreme(statement, sources, max)


def _extreme(statement: Statement, sources: Sources, choose: Any) -> Finding:
    counts = sources.counts(statement.puzzle, statement["range"].reveals)
    true = choose(counts.values())
    # min and max give the first in canonical order; any that reaches the extreme may be named
    first = choose(counts, key=counts.__getitem__)
    named = statement.fields.get("reveal", first)
    reveal = named if counts.get(named) == true else first
    truth = {"tilings": true} | ({"reveal": reveal} if "reveal" in statement.fields else {})
    return Finding({k: statement[k] for k in truth} == truth, truth, reveal)


def every(statement: Statement, sources: Sources) -> Finding:
    """Say whether all reveals of a range have at least, at most or exactly so many tilings."""
    name, claimed = bound(statement)
    reveals = statement["range"].reveals
    if name == "exactly":
        counts = sources.counts(statement.puzzle, reveals)
        odd = next((r for r in reveals if counts[r] != claimed), reveals[0])
        found = (odd, counts[odd])
    else:
        found = _most(statement, sources) if name == "at_most" else _least(statement, sources)
    truth = {name: found[1]} | ({"of": len(reveals)} if "of" in statement.fields else {})
    agrees = statement.fields.get("of", len(reveals)) == len(reveals)
    return Finding(agrees and holds(name, claimed, found[1]), truth, found[0])


def some(statement: Statement, sources: Sources) -> Finding:
    """Say whether a reveal of a range has at least, at most or exactly so many tilings."""
    name, claimed = bound(statement)
    if name == "exactly":
        reveals = statement["range"].reveals
        counts = sources.counts(statement.puzzle, reveals)
        nearest = min(reveals, key=lambda r: abs(counts[r] - claimed))
        found = (nearest, counts[nearest])
    else:
        found = _most(statement, sources) if name == "at_least" else _least(statement, sources)
    return Finding(holds(name, claimed, found[1]), {name: found[1]}, found[0])


def _least(statement: Statement, sources: Sources) -> tuple[Reveal, int]:
    """Return the first reveal with the fewest tilings; one without any ends the counting."""
    found: dict[Reveal, int] = {}
    for counts in _chunks(statement, sources):
        found |= counts
        if not min(counts.values()):
            break
    least = min(found, key=found.__getitem__)
    return least, found[least]


def _chunks(statement: Statement, sources: Sources) -> Iterator[Mapping[Reveal, int]]:
    reveals = statement["range"].reveals
    start, size = 0, CHUNK
    while start < len(reveals):
        part = reveals[start : start + size]
        counts = sources.counts(statement.puzzle, part)
        yield {reveal: counts[reveal] for reveal in part}
        # twice as many each time: methods that count many at once are asked a few times only
        start, size = start + size, 2 * size


def _most(statement: Statement, sources: Sources) -> tuple[Reveal, int]:
    counts = sources.counts(statement.puzzle, statement["range"].reveals)
    most = max(counts, key=counts.__getitem__)
    return most, counts[most]


def how_many(statement: Statement, sources: Sources) -> Finding:
    """Say how many reveals of a range have at least, at most or exactly so many tilings."""
    name, claimed = bound(statement)
    reveals = statement["range"].reveals
    counts = sources.counts(statement.puzzle, reveals)
    those = [reveal for reveal in reveals if holds(name, claimed, counts[reveal])]
    truth = {"reveals": len(those)}
    return Finding(len(those) == statement["reveals"], truth, those[0] if those else None)


def fewer(statement: Statement, sources: Sources) -> Finding:
    """Say how many reveals of a range have fewer tilings than the one that is named."""
    named = statement["reveal"]
    reveals = statement["range"].reveals
    counts = sources.counts(statement.puzzle, list(dict.fromkeys([*reveals, named])))
    true = sum(counts[reveal] < counts[named] for reveal in reveals)
    name, claimed = bound(statement, ("reveals", "at_most"))
    says = f"{true:,} of {len(reveals):,} reveals have fewer than its {counts[named]:,}"
    return Finding(holds(name, claimed, true), {name: true}, named, says)


def table(statement: Statement, sources: Sources) -> Finding:
    """Say whether each row of a published table is right."""
    claimed: Mapping[Reveal, int] = statement["file"]
    counts = sources.counts(statement.puzzle, list(claimed))
    wrong = [reveal for reveal in claimed if counts[reveal] != claimed[reveal]]
    truth = {"file": {reveal: counts[reveal] for reveal in claimed}}
    if not wrong:
        return Finding(True, truth, min(claimed, key=claimed.__getitem__), "all rows agree")
    first = wrong[0]
    says = f"{len(wrong):,} of {len(claimed):,} rows differ: {' '.join(first)} has {counts[first]}"
    return Finding(False, truth, first, f"{says:s}, not {claimed[first]}")


def fewest_of(statement: Statement, sources: Sources) -> Finding:
    """Say which of several puzzles has the fewest tilings per date."""
    return _ranked(statement, sources, min)


def most_of(statement: Statement, sources: Sources) -> Finding:
    """Say which of several puzzles has the most tilings per date."""
    return _ranked(statement, sources, max)


def _ranked(statement: Statement, sources: Sources, choose: Any) -> Finding:
    reveals = statement["range"].reveals
    totals = {
        name: _total(puzzle, reveals, sources) for name, puzzle in statement["boards"].items()
    }
    first = choose(totals, key=totals.__getitem__)
    says = ", ".join(f"{name} {total:,}" for name, total in sorted(totals.items(), key=_by_total))
    claimed = statement["winner"]
    winner = claimed if totals.get(claimed) == totals[first] else first
    return Finding(claimed == winner, {"winner": winner}, None, f"{winner} ({says})")


def _by_total(item: tuple[str, int]) -> tuple[int, str]:
    return item[1], item[0]


def up_to_symmetry(statement: Statement, sources: Sources) -> Finding:
    """Say how many tilings a reveal has up to the symmetries of the board."""
    reveal = statement.fields.get("reveal", ())
    true = sum(1 for _ in classes(statement.puzzle, sources.tilings(statement.puzzle, reveal)))
    return Finding(true == statement["classes"], {"classes": true}, reveal)
