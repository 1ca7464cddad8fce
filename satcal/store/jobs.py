"""The jobs of the service in the store."""

from __future__ import annotations

from typing import NamedTuple

from satcal.store.database import Database

TABLE = (
    "CREATE TABLE satcal_job (id TEXT NOT NULL, request TEXT NOT NULL, state TEXT NOT NULL,"
    " result TEXT NOT NULL, created_at TEXT NOT NULL, PRIMARY KEY (id))"
)
SAVE = (
    "INSERT INTO satcal_job (id, request, state, result, created_at) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (id) DO UPDATE"
    " SET request = excluded.request, state = excluded.state, result = excluded.result,"
    " created_at = excluded.created_at"
)
QUEUED, RUNNING, DONE, FAILED, CANCELLED = "queued", "running", "done", "failed", "cancelled"
FINISHED = (DONE, FAILED, CANCELLED)
"""The states of jobs."""


class JobRecord(NamedTuple):
    """A job of the service; its counts are stored as rows of their own."""

    id: str
    request: str
    """JSON: everything needed to repeat the job."""
    state: str = QUEUED
    result: str = ""
    """JSON: the result, without counts."""
    created_at: str = ""


class JobTable(Database):
    """The jobs."""

    def save_job(self, job: JobRecord) -> None:
        """Store a job, or update its state."""
        self.execute(SAVE, job)

    def jobs(self) -> list[JobRecord]:
        """Return all jobs, the oldest first."""
        select = "SELECT id, request, state, result, created_at FROM satcal_job"
        return [JobRecord(*row) for row in self.execute(f"{select} ORDER BY created_at, id")]

    def remove_job(self, name: str) -> None:
        """Delete a job; its counts stay."""
        self.execute("DELETE FROM satcal_job WHERE id = ?", (name,))
