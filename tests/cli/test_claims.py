"""``satcal claims``."""

from __future__ import annotations

import csv
import io

import pytest

from satcal.published.shipped import results_folder

PUBLISHED = results_folder() / "published" / "today-puzzle-counts.csv"


def with_two_wrong(folder):
    """A copy of the published table with a wrong number for 3 March and 19 July."""
    path = folder / "mine.csv"
    text = PUBLISHED.read_text().replace("Mar,3,39\n", "Mar,3,40\n")
    path.write_text(text.replace("Jul,19,61\n", "Jul,19,60\n"))
    return path


def test_every_wrong_row_of_a_published_table_is_listed(satcal, tmp_path):
    """Two of 366 numbers are changed."""
    path = with_two_wrong(tmp_path)
    said = satcal("claims", str(path))
    assert said.out == (
        "a-puzzle-a-day: 366 rows claimed, 2 are wrong: "
        "3 March is 39, not 40; 19 July is 61, not 60\n"
    )
    assert "read as 366 numbers, columns month, day, tilings, separated by commas" in said.err
    assert (said.code, satcal("claims", str(path), "--strict").code) == (0, 1)
    rows = list(csv.DictReader(io.StringIO(satcal("claims", str(path), "--format", "csv").out)))
    assert rows == [
        {"month": "Mar", "day": "3", "claimed": "40", "true": "39"},
        {"month": "Jul", "day": "19", "claimed": "60", "true": "61"},
    ]


def test_wrong_rows_are_certified_and_told_to_the_author(satcal, tmp_path):
    path, folder = with_two_wrong(tmp_path), tmp_path / "wrong"
    said = satcal("claims", str(path), "--certify", str(folder))
    assert said.code == 0
    assert f"{folder}: 2 certificates, wrong-rows.csv, issue.md\n" in said.err
    names = sorted(each.name for each in folder.iterdir())
    certificates = ["a-puzzle-a-day-Jul-19.satcert", "a-puzzle-a-day-Mar-3.satcert"]
    assert names == [*certificates, "issue.md", "wrong-rows.csv"]
    checked = satcal("check", *(str(folder / name) for name in certificates), "--format", "csv")
    assert [row["tilings"] for row in checked.rows()] == ["61", "39"]
    assert (folder / "wrong-rows.csv").read_text() == (
        "month,day,claimed,true\nMar,3,40,39\nJul,19,60,61\n"
    )
    text = (folder / "issue.md").read_text()
    assert text.startswith("## mine.csv: 2 of 366 numbers are wrong\n")
    assert "| 3 March | 40 | 39 |\n| 19 July | 60 | 61 |\n" in text
    assert "\n    satcal check *.satcert\n" in text
    again = satcal("claims", str(path), "--certify", str(folder))
    assert (again.code, "exists already; remove it or pass --force" in again.err) == (2, True)
    assert satcal("claims", str(path), "--certify", str(folder), "--force").code == 0


def test_fifty_certificates_are_enough_unless_all_are_asked(satcal, tmp_path, monkeypatch):
    monkeypatch.setattr("satcal.cli.claims.CERTIFIED", 1)
    path, folder = with_two_wrong(tmp_path), tmp_path / "wrong"
    said = satcal("claims", str(path), "--certify", str(folder))
    assert (
        "1 certificate, wrong-rows.csv, issue.md; 1 wrong row not certified: use --all" in said.err
    )
    assert [each.name for each in folder.glob("*.satcert")] == ["a-puzzle-a-day-Mar-3.satcert"]
    assert "The first true number is proved" in (folder / "issue.md").read_text()
    assert satcal("claims", str(path), "--certify", str(folder), "--all", "--force").code == 0
    assert len(list(folder.glob("*.satcert"))) == 2


def test_nothing_is_certified_where_nothing_is_wrong(satcal, tmp_path):
    said = satcal("claims", str(PUBLISHED), "--certify", str(tmp_path / "wrong"))
    assert (said.code, (tmp_path / "wrong").exists()) == (0, False)
    assert "no row is wrong: nothing to write to" in said.err


def test_a_table_that_is_right_is_confirmed(satcal):
    said = satcal("claims", str(PUBLISHED))
    assert said.out == "a-puzzle-a-day: 366 rows claimed, all are right\n"
    assert said.err.endswith("1 statement: 1 confirmed, 0 refuted, 0 settled, 0 undecided\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--board", "rhombus"], "claim files name their own boards"),
        ([PUBLISHED, PUBLISHED], "a table must be the only file"),
        (["--certify", "x"], "--certify only applies to a table (FILE.csv)"),
        (["--all"], "--all needs --certify"),
        ([PUBLISHED, "--board", "rhombus"], "name them date or weekday, month, day"),
    ],
)
def test_a_table_is_examined_alone_on_its_board(satcal, words, message):
    said = satcal("claims", *map(str, words))
    assert said.code == 2 and message in said.err
