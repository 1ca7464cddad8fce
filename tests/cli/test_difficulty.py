"""``count --difficulty``: the measures in tables, and what stops halfway."""

import json
from functools import cache

import satcal as api
from satcal.analysis.difficulty import difficulties
from satcal.cli import measuring
from satcal.counting.settings import Question

DAYS = range(3, 9)
DATES = "--from 2025-10-03 --to 2025-10-08"


@cache
def measured():
    october = [("Oct", str(day)) for day in DAYS]
    return list(difficulties(Question(api.load("a-puzzle-a-day"), october)))


def test_count_adds_the_measures_to_each_row(satcal):
    rows = satcal(f"count {DATES} --difficulty -q").rows()
    for row, each in zip(rows, measured(), strict=True):
        texts = {name: str(number) for name, number in each.record().items()}
        assert texts.items() <= row.items()
        assert row["tilings"] == str(each.tilings)
    six = rows[DAYS.index(6)]
    assert (six["guesses_mean"], six["share_O"]) == ("2.7143", "0.0625")
    ask = "count --reveal Oct,6 --difficulty -q --format"
    (record,) = json.loads(satcal(f"{ask} json").out)
    assert (record["tilings"], record["guesses"], record["examined"]) == (7, 2, 7)
    assert satcal(f"{ask} calendar").out.split()[2:5] == ["tilings", "guesses", "guesses_mean"]


def test_a_date_without_a_tiling_has_no_guesses(satcal):
    ask = "count --reveal Oct,6 --place O@r6c0 --place O@r0c0 --difficulty -q"
    (row,) = satcal(ask).rows()
    assert (row["tilings"], row["guesses"], row["share"]) == ("0", "", "0.0")


def test_what_is_measured_before_ctrl_c_is_shown(satcal, monkeypatch):
    def stopping(*_, **__):
        yield from measured()[:3]
        raise KeyboardInterrupt

    monkeypatch.setattr(measuring, "difficulties", stopping)
    said = satcal(f"count --difficulty {DATES} --format csv")
    assert said.code == 3
    assert "stopped: difficulty measured for 3 of 6" in said.err
    rows = said.rows()
    shares = [row["share"] for row in rows[2:4]]
    assert shares == [str(measured()[2].record()["share"]), ""]
    assert all(row["tilings"] for row in rows)


def test_the_time_limit_is_heeded(satcal):
    said = satcal("count --all-dates --difficulty -q --time-limit 0.2")
    assert said.code == 3
    assert " of 366\n" in said.err
