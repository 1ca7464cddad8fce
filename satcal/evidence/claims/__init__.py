"""Claims: what others have published about the puzzles, and what is true of it."""

from satcal.evidence.claims.examination import Examination
from satcal.evidence.claims.reading import load_claims, published
from satcal.evidence.claims.verdicts import ClaimFile, Judgement, Statement, Verdict, judge

__all__ = [
    "ClaimFile",
    "Examination",
    "Judgement",
    "Statement",
    "Verdict",
    "judge",
    "load_claims",
    "published",
]
