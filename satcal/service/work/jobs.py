"""Certificates and published claims, which are the work of jobs."""

from __future__ import annotations

from typing import Any

from satcal.puzzle.model import Reveal
from satcal.service.work.diagrams import BoardText, parse_board


def certify(board: BoardText, reveal: Reveal) -> tuple[bytes, dict[str, Any]]:
    """Return a certificate of a reveal, and what the checker says that it proves."""
    from satcal.certificates import certify, checking

    data = certify.certify(parse_board(board), [reveal])
    report = checking.check(data)
    return data, {
        "puzzle": report.name,
        "digest": report.digest,
        "proved": [{"reveal": r, "tilings": tilings} for r, tilings in report.tilings.items()],
        "checked_by": list(report.checkers),
        "lines": list(report.lines()),
    }


def examine_claims() -> list[dict[str, Any]]:
    """Return the verdicts on all published claims."""
    from satcal.published.evaluating import Lookup
    from satcal.published.examination import judge_files
    from satcal.published.reading import claim_files, load_claims

    statements = [load_claims(path) for path in claim_files()]
    return [verdict.as_fields() for verdict in judge_files(statements, Lookup(jobs=1))]
