"""Whether a store can be believed: the database's own checks, seals, and contradictions."""

from __future__ import annotations

from dataclasses import dataclass, field

from satcal.store.evidence import against_results, evidence
from satcal.store.jobs import Jobs
from satcal.store.results import Contradiction, Store, StoredResult, contradiction


@dataclass
class Report:
    """What a check found; ``damage`` in words, ``broken`` the numbers of rows to distrust."""

    rows: int = 0
    evidence: int = 0
    counted_again: int = 0
    damage: list[str] = field(default_factory=list)
    broken: list[int] = field(default_factory=list)
    contradictions: list[Contradiction] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether everything in the store can be believed."""
        return not (self.damage or self.broken or self.contradictions)


def check(store: Store) -> Report:
    """Return what is wrong with a store: damaged pages, broken seals, contradictions.

    A contradiction is two numbers for one question, whichever methods counted them.
    """
    report = Report(damage=[store.damage] if store.damage else store.complaints(20))
    good, report.broken = store.examine()
    report.rows = len(good) + len(report.broken)
    report.counted_again = sum(row.times > 1 for row in good)
    asked: dict[tuple[str, str, str], list[StoredResult]] = {}
    for row in good:
        asked.setdefault(row.question, []).append(row)
    report.contradictions = [
        contradiction(rows) for rows in asked.values() if len({row.tilings for row in rows}) > 1
    ]
    proved, distrusted = evidence(store)
    report.evidence = len(proved)
    if distrusted:
        report.damage.append(f"{distrusted} rows of evidence with a broken seal")
    _, unreadable = Jobs(store).examine()
    report.damage += [f"the job {name} of a service cannot be read" for name in unreadable]
    report.contradictions += against_results(store, good)
    return report
