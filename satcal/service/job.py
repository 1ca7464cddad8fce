"""One job: what it has to do, how far it is, and the answer about it."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

from satcal.counting.method import Method
from satcal.puzzle.model import Reveal
from satcal.puzzle.rows import Selection
from satcal.service.answers import JobAnswer, select_counted
from satcal.service.work import BoardText
from satcal.store.counts import Key, question_key
from satcal.store.jobs import FINISHED, QUEUED, RUNNING, JobRecord

STATES = (QUEUED, RUNNING, *FINISHED)
INTERNAL = ("today", "version")
"""The fields of a request that its client has not sent."""


@dataclass
class CountPlan:
    """What a job counts, and the counts so far."""

    selection: Selection
    method: Method
    counts: dict[Reveal, int] = field(default_factory=dict)

    @property
    def key(self) -> Key:
        """The key of its counts in the store."""
        puzzle = self.selection.puzzle
        return Key(puzzle.digest, question_key(puzzle, self.selection.place), self.method.key())


@dataclass
class Job:
    """A job in memory.

    ``request`` has the fields that were sent, and ``today``, the day they came. ``result`` has the
    answer's result (``fields``) and the certificate made (``file``), or an ``error``. ``plan`` is
    what is counted, or ``reveal`` what is certified. ``work`` does it. ``task`` waits for that, and
    alone ends the job.
    """

    id: str
    request: dict[str, Any]
    created_at: str
    state: str = QUEUED
    result: dict[str, Any] = field(default_factory=dict)
    plan: CountPlan | None = None
    board: BoardText | None = None
    reveal: Reveal | None = None
    work: asyncio.Task[dict[str, Any]] | None = None
    task: asyncio.Task[None] | None = None

    @classmethod
    def read(cls, record: JobRecord) -> Job:
        """Return the job of a record; raise ValueError if another program has changed it."""
        request, result = json.loads(record.request), json.loads(record.result or "{}")
        is_sound = isinstance(request, dict) and isinstance(request.get("kind"), str)
        if not is_sound or not isinstance(result, dict) or record.state not in STATES:
            raise ValueError
        return cls(record.id, request, record.created_at, record.state, result)

    def record(self, state: str, result: dict[str, Any]) -> JobRecord:
        """Return the record of the job in a new state."""
        text = json.dumps(result) if result else ""
        return JobRecord(self.id, json.dumps(self.request), state, text, self.created_at)

    @property
    def is_finished(self) -> bool:
        """Whether the job is done, failed or cancelled."""
        return self.state in FINISHED

    def describe(self, with_rows: bool = True) -> JobAnswer:
        """Return the answer about the job."""
        fields: dict[str, Any] | None = self.result.get("fields")
        progress: dict[str, Any] = {}
        if (plan := self.plan) is not None:
            progress = {"done": len(plan.counts), "total": len(plan.selection.reveals)}
            rows = select_counted(plan.selection.rows, plan.counts) if with_rows else []
            fields = {"method": plan.method.name, "rows": rows} if with_rows else None
        return JobAnswer(
            id=self.id,
            kind=self.request["kind"],
            puzzle=self.request.get("puzzle"),
            state=self.state,
            request={name: self.request[name] for name in self.request if name not in INTERNAL},
            progress=progress,
            result=fields,
            error=self.result.get("error"),
            file=f"/api/v1/jobs/{self.id}/certificate" if "file" in self.result else None,
            created_at=self.created_at,
        )
