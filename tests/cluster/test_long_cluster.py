"""A year on a cluster that loses two of its workers on the way."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from satcal.counting.count import count_reveals
from satcal.counting.settings import Settings
from satcal.puzzle.loading import load
from satcal.puzzle.model import Reveal
from satcal.puzzle.ranges import Range, select
from satcal.store.location import parse_location
from satcal.store.results import Store
from satcal.store.resuming import Keeper
from tools.tables import counts_kept

if TYPE_CHECKING:
    from conftest import Farm


@pytest.mark.long
def test_a_year_of_the_rhombus_is_right_though_two_workers_are_killed(
    farm: Farm, tmp_path: Path
) -> None:
    puzzle = load("rhombus")
    rows = select(puzzle, Range(year=2025), None)  # type: ignore[arg-type]  # no clock is asked
    reveals = [row.reveal for row in rows]
    victims = [farm.add(), farm.add()]
    farm.add()
    store = str(tmp_path / "counts.db")
    keeper = Keeper(parse_location(store), "rhombus")
    settings = Settings(method="sat", cluster=farm.address)
    found: dict[Reveal, int] = {}
    for reveal, tilings in counts_kept(puzzle, reveals, settings, keeper):
        assert reveal not in found
        found[reveal] = tilings
        if len(found) in (60, 180):
            os.kill(farm.workers[victims.pop()].pid, signal.SIGKILL)
            farm.add()
    keeper.close()
    assert not victims
    diagram = dict(count_reveals(puzzle, reveals, Settings()))
    assert found == {reveal: outcome.tilings for reveal, outcome in diagram.items()}
    assert sum(found.values()) == 213_869
    with Store(parse_location(store)) as kept:
        assert {row.times for row in kept.rows()} == {1}
