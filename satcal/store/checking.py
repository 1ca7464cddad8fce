"""Whether a store can be believed: the database's own checks, seals, and contradictions."""

from __future__ import annotations

from dataclasses import dataclass, field

from satcal.store.evidence import evidence
from satcal.store.jobs import Jobs
from satcal.store.keys import Method
from satcal.store.results import Store
from satcal.store.rows import Contradiction, StoredResult, by_question, contradictions

CERTIFICATE = Method("certificate")


@dataclass
class Report:
    """What a check found; ``damage`` in words, ``broken`` the numbers of rows to distrust."""

    rows: int
    counted_again: int
    evidence: int
    damage: list[str]
    broken: list[int]
    contradictions: list[Contradiction] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether everything in the store can be believed."""
        return not (self.damage or self.broken or self.contradictions)


def check(store: Store) -> Report:
    """Return what is wrong with a store: damaged pages, broken seals, contradictions.

    A contradiction is two numbers for one question, whichever methods counted them, or whatever
    certificate proves one of them.
    """
    damage = [store.damage] if store.damage else store.complaints(20)
    results, broken = store.examine()
    certified, distrusted = evidence(store)
    if distrusted:
        damage.append(f"{distrusted} rows of evidence with a broken seal")
    _, unreadable = Jobs(store).examine()
    damage += [f"the job {name} of a service cannot be read" for name in unreadable]
    again = sum(row.times > 1 for row in results)
    report = Report(len(results) + len(broken), again, len(certified), damage, broken)
    report.contradictions += contradictions(results)
    counted = by_question(results)
    for each in certified:
        proved = StoredResult(
            each.puzzle, each.name, each.reveal, "", *CERTIFICATE, each.tilings, 1, each.checked_at
        )
        report.contradictions += contradictions([proved, *(
            row for row in counted.get(proved.question, []) if row.tilings != proved.tilings
        )])  # fmt: skip
    return report
