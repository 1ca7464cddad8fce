"""Whether a store can be believed."""

from __future__ import annotations

from dataclasses import dataclass

from satcal.store.evidence import evidence
from satcal.store.jobs import Jobs
from satcal.store.keys import MethodKey
from satcal.store.results import Store
from satcal.store.rows import StoredResult, contradictions
from satcal.store.shipped import shipped

CERTIFICATE = MethodKey("certificate")


@dataclass
class StoreReport:
    """What a check found; ``broken`` are the numbers of rows to distrust."""

    rows: int
    counted_again: int
    evidence: int
    damage: list[str]
    broken: list[int]
    contradictions: list[str]

    @property
    def sound(self) -> bool:
        """Whether everything in the store can be believed."""
        return not (self.damage or self.broken or self.contradictions)


def check_store(store: Store) -> StoreReport:
    """What is wrong with a store: damaged pages, broken seals, contradictions.

    Two of its numbers contradict each other, or one of them contradicts a shipped table.
    """
    damage = [*store.damage]
    results, broken = store.examine()
    certified, distrusted = evidence(store)
    if distrusted:
        damage.append(f"{distrusted} rows of evidence with a broken seal")
    _, unreadable = Jobs(store).examine()
    damage += [f"the job {name} of a service cannot be read" for name in unreadable]
    proved = [
        StoredResult(
            row.puzzle, row.name, row.reveal, "", *CERTIFICATE, row.tilings, 1, row.checked_at
        )
        for row in certified
    ]
    kept = [*proved, *results.values()]
    differing = contradictions([*shipped(kept), *kept])
    rows = len(results) + len(broken)
    again = sum(row.times > 1 for row in results.values())
    return StoreReport(rows, again, len(certified), damage, broken, differing)
