"""Statements about all sets of cells that may stay uncovered, dates or not."""

from __future__ import annotations

from satcal.evidence.claims.counted import bound, holds
from satcal.evidence.claims.model import Finding, Statement
from satcal.evidence.claims.sources import Sources

NAMED = 3  # sets that a verdict names


def total(statement: Statement, sources: Sources) -> Finding:
    """Say how many tilings all sets of uncovered cells have together."""
    true = sources.survey(statement.puzzle).total
    return Finding(true == statement["tilings"], {"tilings": true})


def how_many(statement: Statement, sources: Sources) -> Finding:
    """Say how many sets have at least, at most or exactly so many tilings.

    With ``cut_off`` only those count in which a part is cut off that no pieces can fill, or
    (``false``) in which none is.
    """
    found = sources.survey(statement.puzzle)
    name, claimed = bound(statement)
    those = [cells for cells, count in found.counts.items() if holds(name, claimed, count)]
    if "cut_off" in statement.fields:
        those = [cells for cells in those if bool(found.cut_off(cells)) == statement["cut_off"]]
    named = ", ".join(" and ".join(found.labels(cells)) for cells in those[:NAMED])
    more = ", …" if those[NAMED:] else ""
    noun = "set" if len(those) == 1 else "sets"
    says = f"{len(those):,} {noun}" + (f" ({named}{more})" if those else "")
    return Finding(len(those) == statement["sets"], {"sets": len(those)}, None, says)
