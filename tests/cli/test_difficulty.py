"""``--difficulty`` of count and stats: the measures in tables, and what stops halfway."""

import json
from functools import cache

import pandas as pd
import pytest

import satcal as api
from satcal.cli import measuring
from satcal.counting.difficulty import difficulties
from satcal.counting.statistics import MEASURES

DAYS = range(3, 9)
DATES = "--from 2025-10-03 --to 2025-10-08"


@cache
def measured():
    return list(difficulties(api.load("a-puzzle-a-day"), [("Oct", str(day)) for day in DAYS]))


def test_count_adds_the_measures_to_each_row(satcal):
    rows = satcal(f"count {DATES} --difficulty -q").rows()
    for row, each in zip(rows, measured(), strict=True):
        texts = {name: str(number) for name, number in each.record().items()}
        assert texts.items() <= row.items()
        assert row["tilings"] == str(each.tilings)
    six = rows[DAYS.index(6)]
    assert (six["nodes"], six["right_mean"], six["share_O"]) == ("7048", "1.0", "0.0625")
    ask = "count --reveal Oct,6 --difficulty -q --format"
    (record,) = json.loads(satcal(f"{ask} json").out)
    assert (record["tilings"], record["guesses"], record["examined"]) == (7, 2, 7)
    assert satcal(f"{ask} calendar").out.split()[2:5] == ["tilings", "nodes", "forced"]


def test_a_date_without_a_tiling_has_no_guesses(satcal):
    ask = "count --reveal Oct,6 --place O@r6c0 --place O@r0c0 --difficulty -q"
    (row,) = satcal(ask).rows()
    assert (row["tilings"], row["guesses"], row["right_mean"], row["share"]) == ("0", "", "", "0.0")


@pytest.mark.parametrize("command", ["count --difficulty", "stats --what difficulty"])
def test_what_is_measured_before_ctrl_c_is_shown(satcal, monkeypatch, command):
    def stopping(*_, **__):
        yield from measured()[:3]
        raise KeyboardInterrupt

    monkeypatch.setattr(measuring, "difficulties", stopping)
    said = satcal(f"{command} {DATES} --format csv")
    assert said.code == 3
    assert "stopped: the difficulty of 3 of 6 is measured" in said.err
    rows = said.rows()
    if command.startswith("count"):
        assert [row["nodes"] for row in rows[2:4]] == [str(measured()[2].nodes), ""]
        assert all(row["tilings"] for row in rows)
    else:
        assert rows[0]["most"] == str(max(each.tilings for each in measured()[:3]))


def test_the_time_limit_is_heeded(satcal):
    said = satcal("count --all-dates --difficulty -q --time-limit 0.2")
    assert said.code == 3
    assert "of 366 is measured" in said.err


def test_stats_shows_how_alike_measures_rank_the_dates(satcal):
    said = satcal(f"stats --what difficulty {DATES} --format json -q")
    numbers = pd.DataFrame([{"tilings": each.tilings, **each.record()} for each in measured()])
    alike = numbers[list(MEASURES)].corr("spearman")
    for record in json.loads(said.out):
        values = numbers[record["measure"]]
        assert (record["least"], record["most"]) == (values.min(), values.max())
        assert record["median"] == round(values.median(), 4)
        for other in MEASURES:
            assert record[other] == pytest.approx(alike[record["measure"]][other], abs=0.005)
