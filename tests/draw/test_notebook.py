"""What a notebook shows by itself."""

from __future__ import annotations

import pytest

from satcal.draw.notebook import Table, Tiling
from satcal.draw.pictures import board_picture
from satcal.errors import OptionError


def test_a_notebook_shows_a_puzzle_as_its_board(daily):
    assert daily._repr_svg_() == board_picture(daily).svg()


def test_a_tiling_knows_its_board(daily, tiling, tmp_path):
    drawn = Tiling(tiling, daily, ("Dec", "25"))
    assert drawn.array().tolist()[0][6] == -1  # no cell
    assert sorted({*drawn.array().flat}) == list(range(-1, 9))
    drawn.save(tmp_path / "x.svg")
    assert (tmp_path / "x.svg").read_text() == drawn._repr_svg_()


def test_a_table_is_a_calendar_if_every_row_has_a_date(daily, tmp_path):
    def table(days, date):
        return Table(
            [
                {"date": date and f"2026-10-{n:02}", "month": "Oct", "day": str(n), "tilings": n}
                for n in range(1, days + 1)
            ],
            daily,
        )

    table(31, True).save(tmp_path / "oct.svg")
    assert (tmp_path / "oct.svg").read_text() == table(31, True)._repr_svg_()
    with pytest.raises(OptionError, match="year"):
        table(31, "").save(tmp_path / "oct.svg")
    assert table(31, "")._repr_svg_() is None
    assert repr(table(1, True)) == "<Table of 1 row>"
