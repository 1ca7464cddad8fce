"""The service's jobs and the puzzles that were posted to it, in the store."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from sqlalchemy import Column, delete, select, update

from satcal.errors import StoreDamaged
from satcal.store.faults import trouble
from satcal.store.results import Store
from satcal.store.schema import job, posted

QUEUED, RUNNING, DONE, FAILED, CANCELLED = "queued", "running", "done", "failed", "cancelled"
FINISHED = (DONE, FAILED, CANCELLED)
STATES = (QUEUED, RUNNING, *FINISHED)
_PLAIN = ("id", "state", "starts", "changed_at")  # the others are kept as JSON


@dataclass
class Job:
    """One job: what was asked, how far it is, and what came of it."""

    id: str
    request: dict[str, Any]  # all that is needed to do it again
    state: str = QUEUED
    starts: int = 0  # how often it was begun
    progress: dict[str, Any] = field(default_factory=dict)
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None
    changed_at: str = ""


class Jobs:
    """The jobs and posted puzzles of a store; a call returns when its change is on the disk."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, new: Job) -> None:
        """Keep a new job."""
        with self._store.writing() as connection:
            connection.execute(job.insert().values(**self._values(new)))

    def save(self, changed: Job, file: bytes | None = None) -> None:
        """Keep a job's new state, and the file that it has made."""
        values = self._values(changed) | ({"file": file} if file is not None else {})
        with self._store.writing() as connection:
            connection.execute(update(job).where(job.c.id == changed.id).values(**values))

    def _values(self, stored: Job) -> dict[str, Any]:
        stored.changed_at = self._store.now()
        return {
            name: value if name in _PLAIN or value is None else json.dumps(value)
            for name, value in vars(stored).items()
        }

    def all(self) -> list[Job]:
        """All jobs in order; raises StoreDamaged if one cannot be believed."""
        good, bad = self.examine()
        if bad:
            raise self._damage(bad[0])
        return good

    def examine(self) -> tuple[list[Job], list[str]]:
        """The jobs that can be believed, and the names of those that cannot."""
        columns = [job.c[field.name] for field in fields(Job)]
        with self._store.reading() as connection:
            rows = connection.execute(select(*columns).order_by(job.c.number)).mappings().all()
        good, bad = [], []
        for row in rows:
            try:
                good.append(_job(row))
            except (TypeError, ValueError):
                bad.append(str(row["id"]))
        return good, bad

    def probe(self) -> None:
        """Read next to nothing: where that raises no error, the store can be read."""
        with self._store.reading() as connection:
            connection.execute(select(job.c.number).limit(1))

    def result(self, name: str) -> dict[str, Any] | None:
        """The result of a job; raises StoreDamaged if it cannot be believed."""
        try:
            result: dict[str, Any] | None = _loaded(self._value(job.c.result, name))
        except (TypeError, ValueError) as error:
            raise self._damage(name) from error
        return result

    def file(self, name: str) -> bytes | None:
        """The file that a job has made."""
        return self._value(job.c.file, name)

    def forget(self, names: Sequence[str]) -> None:
        """Remove jobs and their files."""
        with self._store.writing() as connection:
            connection.execute(delete(job).where(job.c.id.in_(names)))

    def post(self, name: str, definition: str, owner: str, most: int) -> None:
        """Keep a puzzle's definition, of ``most`` in all and a quarter of that for one owner.

        Beyond that an owner's own oldest goes, or the oldest of whoever has most.
        """
        by_age = select(posted.c.id, posted.c.owner).order_by(posted.c.posted_at, posted.c.id)
        new = {"id": name, "definition": definition, "posted_at": self._store.now(), "owner": owner}
        with self._store.writing() as connection:
            kept = connection.execute(by_age).all()
            if name in {row.id for row in kept}:
                return
            connection.execute(posted.insert().values(**new))
            number = Counter([owner, *(row.owner for row in kept)])
            if number[owner] > most // 4:
                whose = owner
            elif number.total() > most:
                whose = max(sorted(number), key=number.__getitem__)
            else:
                return
            oldest = [row.id for row in kept if row.owner == whose][:1]
            connection.execute(delete(posted).where(posted.c.id.in_(oldest)))

    def definition(self, name: str) -> str | None:
        """The definition of a posted puzzle."""
        return self._value(posted.c.definition, name)

    def _value(self, column: Column[Any], name: str) -> Any | None:
        """The value of a column in the row of a name, or None."""
        with self._store.reading() as connection:
            return connection.scalar(select(column).where(column.table.c.id == name))

    def _damage(self, name: str) -> Exception:
        return trouble(StoreDamaged, self._store.where, f"the row of the job {name}")


def _loaded(text: Any) -> Any:
    return None if text is None else json.loads(text)


def _job(row: Mapping[Any, Any]) -> Job:
    """The job of a row; raises TypeError or ValueError if it is damaged."""
    stored = Job(
        **{name: value if name in _PLAIN else _loaded(value) for name, value in row.items()}
    )
    sound = (
        isinstance(stored.request, dict)
        and "kind" in stored.request
        and isinstance(stored.progress, dict)
        and all(isinstance(end, dict | None) for end in (stored.result, stored.error))
        and stored.state in STATES
        and isinstance(stored.starts, int)
    )
    if not sound:
        raise ValueError("not what was written")
    return stored
