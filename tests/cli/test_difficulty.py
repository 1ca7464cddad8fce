"""``--difficulty`` of count and stats: the measures in tables, and what stops halfway."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from functools import cache

import pytest

import satcal as api
from satcal.cli import measuring
from satcal.counting.difficulty import Difficulty, difficulties
from satcal.counting.statistics import MEASURES, correlated

OCT = ("--from", "2025-10-01", "--to", "2025-10-08")


@cache
def measured(number: int = 8) -> list[Difficulty]:
    return list(
        difficulties(api.load("a-puzzle-a-day"), [("Oct", str(n + 1)) for n in range(number)])
    )


def test_count_adds_the_measures_to_each_row(satcal) -> None:
    rows = list(csv.DictReader(io.StringIO(satcal("count", *OCT, "--difficulty").out)))
    for row, each in zip(rows, measured(), strict=True):
        texts = {name: str(number) for name, number in each.record().items()}
        assert texts.items() <= row.items()
        assert row["tilings"] == str(each.tilings)
    six = rows[5]
    assert (six["nodes"], six["right_mean"], six["share_O"]) == ("7048", "1.0", "0.0625")
    (record,) = json.loads(
        satcal("count", "--reveal", "Oct,6", "--difficulty", "--format", "json").out
    )
    assert (record["tilings"], record["guesses"], record["examined"]) == (7, 2, 7)
    said = satcal("count", "--reveal", "Oct,6", "--difficulty", "--format", "calendar")
    assert (said.code, said.out.split()[2:5]) == (0, ["tilings", "nodes", "forced"])


def test_a_date_without_a_tiling_has_no_guesses(satcal) -> None:
    ask = ("count", "--reveal", "Oct,6", "--place", "O@r6c0", "--place", "O@r0c0")
    (row,) = csv.DictReader(io.StringIO(satcal(*ask, "--difficulty").out))
    assert (row["tilings"], row["guesses"], row["right_mean"], row["share"]) == ("0", "", "", "0.0")


@pytest.mark.parametrize("command", ["count --difficulty", "stats --what difficulty"])
def test_what_is_measured_before_ctrl_c_is_shown(satcal, monkeypatch, command: str) -> None:
    def stopping(*_: object, **__: object) -> Iterator[Difficulty]:
        yield from measured(3)
        raise KeyboardInterrupt

    monkeypatch.setattr(measuring, "difficulties", stopping)
    said = satcal(*command.split(), *OCT, "--format", "csv")
    assert said.code == 3
    assert "stopped: the difficulty of 3 of 8 is measured" in said.err
    rows = list(csv.DictReader(io.StringIO(said.out)))
    if command.startswith("count"):
        assert [row["nodes"] for row in rows[2:4]] == [str(measured(3)[2].nodes), ""]
        assert all(row["tilings"] for row in rows)
    else:
        assert rows[0]["most"] == str(max(each.tilings for each in measured(3)))


def test_the_time_limit_is_heeded(satcal) -> None:
    ask = ("count", "--all-dates", "--board", "rhombus", "--difficulty", "-q")
    said = satcal(*ask, "--time-limit", "1")
    assert said.code == 3
    assert "of 2,562 is measured" in said.err


def test_stats_shows_how_alike_measures_rank_the_dates(satcal) -> None:
    table = correlated(measured(), "October")
    said = satcal("stats", "--what", "difficulty", *OCT, "--format", "json", "-q")
    assert json.loads(said.out) == table.records()
    found = {(row[0], name): row[4 + n] for row in table.rows for n, name in enumerate(MEASURES)}
    assert all(found[name, name] == 1 for name in MEASURES)
    assert all(found[one, two] == found[two, one] for one in MEASURES for two in MEASURES)
    values = [[each.tilings for each in measured()], [each.nodes for each in measured()]]
    assert found["tilings", "nodes"] == round(by_definition(*values), 2)


def by_definition(first: list[float], second: list[float]) -> float:
    """Return the correlation of ranks, equal numbers having the mean of theirs."""
    ranks = [
        [sum((y < x) + (y == x) / 2 for y in numbers) for x in numbers]
        for numbers in (first, second)
    ]
    means = [sum(each) / len(each) for each in ranks]
    left, right = ([x - mean for x in each] for each, mean in zip(ranks, means, strict=True))
    product = sum(x * y for x, y in zip(left, right, strict=True))
    return product / (sum(x * x for x in left) * sum(y * y for y in right)) ** 0.5
