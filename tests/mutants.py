"""Draw by lot which mutants of a session of cosmic-ray are tried.

    python tests/mutants.py SESSION N

leaves N of each room, and four times as many of ``proof``, the trusted base. The lot is that of the
names of the rooms, so it is always the same.
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from pathlib import Path

from cosmic_ray.work_db import use_db
from cosmic_ray.work_item import WorkerOutcome, WorkItem, WorkResult


def place(item: WorkItem) -> tuple[str, str, int, str]:
    """Return what tells a mutant from the others; its identity is another in every session."""
    (change,) = item.mutations
    operator = change.operator_name, change.occurrence, str(change.operator_args)
    return str(change.module_path), *operator


def draw(session: str, number: int) -> None:
    """Mark as skipped all but ``number`` mutants of each room, and four times as many of proof."""
    rooms = defaultdict(list)
    with use_db(session) as work:
        for item in sorted(work.pending_work_items, key=place):
            rooms[Path(place(item)[0]).parent.name].append(item)
        for room, items in rooms.items():
            random.Random(room).shuffle(items)
            for item in items[number * (4 if room == "proof" else 1) :]:
                work.set_result(item.job_id, WorkResult(worker_outcome=WorkerOutcome.SKIPPED))


if __name__ == "__main__":
    draw(sys.argv[1], int(sys.argv[2]))
