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
    report = Report(damage=_database_says(store))
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


def _database_says(store: Store) -> list[str]:
    """Return the complaints of SQLite; a server checks its own pages."""
    if store.engine.dialect.name != "sqlite":
        return []
    with store.reading() as connection:
        said = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check(20)")]
        keys = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    lost = [f"row {row[1]} of {row[0]} points to no row of {row[2]}" for row in keys[:20]]
    return [line for line in said if line != "ok"] + lost
