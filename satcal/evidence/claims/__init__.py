"""Claims: what others have published about the puzzles, confirmed or refuted."""

from satcal.evidence.claims.evaluate import describe, evaluate, judge
from satcal.evidence.claims.examination import Examination
from satcal.evidence.claims.loading import load_claims, published
from satcal.evidence.claims.model import (
    ClaimFile,
    Finding,
    Judgement,
    Statement,
    Undecided,
    Verdict,
)
from satcal.evidence.claims.sources import Bounds, Recount, Sources

__all__ = [
    "Bounds",
    "ClaimFile",
    "Examination",
    "Finding",
    "Judgement",
    "Recount",
    "Sources",
    "Statement",
    "Undecided",
    "Verdict",
    "describe",
    "evaluate",
    "judge",
    "load_claims",
    "published",
]
