"""``satcal claims``: published statements and tables, judged; wrong rows, refuted."""

import pytest

from helpers import checkers
from oracle import CLAIM, TINY
from satcal.published.shipped import results_folder

PUBLISHED = results_folder() / "published" / "today-puzzle-counts.csv"

CERTIFICATE = "a-puzzle-a-day.satcert"


@pytest.fixture
def wrong(tmp_path):
    """The published table with a wrong number for 3 March and 19 July."""
    path = tmp_path / "mine.csv"
    text = PUBLISHED.read_text().replace("Mar,3,39\n", "Mar,3,40\n")
    path.write_text(text.replace("Jul,19,61\n", "Jul,19,60\n"))
    return path


def test_a_wrong_statement_of_a_file_is_a_failure(run, tmp_path):
    (tmp_path / "claim.toml").write_text(f'year = 2022\nwhere = "p. 7"\n{CLAIM}')
    answer = run("claims claim.toml --format csv")
    assert [(row["verdict"], row["claimed"], row["truth"]) for row in answer.rows] == [
        ("refuted", "tilings of Oct 6: 8", "7 (Oct 6)")
    ]
    assert answer.code == 1
    (tmp_path / "claim.toml").write_text(CLAIM.replace("value = 8", "value = 7"))
    assert run("claims claim.toml -q").code == 0


@pytest.mark.parametrize(("recorded", "code"), [("refuted", 0), ("confirmed", 1), (None, 1)])
def test_an_unrecorded_verdict_on_a_shipped_statement_is_a_failure(
    run, tmp_path, monkeypatch, recorded, code
):
    (tmp_path / "claim.toml").write_text(CLAIM)
    verdicts = {"1": recorded} if recorded else {}
    monkeypatch.setattr("satcal.cli.claims.claim_files", lambda: [tmp_path / "claim.toml"])
    monkeypatch.setattr("satcal.cli.claims.recorded_verdicts", lambda: verdicts)
    answer = run("claims")
    assert (answer.code, "DISAGREEMENT statement 1" in answer.err) == (code, bool(code))


def test_every_wrong_row_of_a_published_table_is_listed(run, wrong):
    answer = run("claims mine.csv")
    assert "statement" not in answer.err  # a table is one
    words = ("2 of 366", "3 March", "39", "40", "19 July", "61", "60")
    assert [word for word in words if word not in answer.out] == []
    assert "month, day, tilings" in answer.err
    assert answer.code == 1
    assert run("claims mine.csv --format csv").rows == [
        {"month": "Mar", "day": "3", "claimed": "40", "true": "39"},
        {"month": "Jul", "day": "19", "claimed": "60", "true": "61"},
    ]


@pytest.mark.parametrize(
    ("number", "code", "words"),
    [
        (26, 0, ["all are right", "column 2 as day"]),
        (27, 2, ["Oct 6 has 7", "Oct 7 has 6"]),
    ],
)
def test_of_two_possible_readings_the_right_one_is_judged(run, tmp_path, number, code, words):
    (tmp_path / "bare.csv").write_text(f"October,6,7\nDecember,1,{number}\n")
    answer = run("claims bare.csv")
    assert answer.code == code
    assert [word for word in words if word not in answer.out + answer.err] == []


def test_wrong_rows_are_certified_and_told_to_the_author(run, wrong, tmp_path):
    folder = tmp_path / "wrong" / "mine"
    assert run("claims mine.csv --certify wrong -q").code == 1
    assert sorted(each.name for each in folder.iterdir()) == [CERTIFICATE, "issue.md"]
    proved = checkers.stranger((folder / CERTIFICATE).read_bytes()).tilings
    assert proved == {("Mar", "3"): 39, ("Jul", "19"): 61}
    text = (folder / "issue.md").read_text()
    assert all(row in text for row in ("| Mar | 3 | 40 | 39 |\n", "| Jul | 19 | 60 | 61 |\n"))
    again = run("claims mine.csv --certify wrong")
    assert (again.code, "--force" in again.err) == (2, True)
    assert run("claims mine.csv --certify wrong --force -q").code == 1
    (tmp_path / "mine.csv").rename("theirs.csv")
    assert run("claims theirs.csv --certify wrong -q").code == 1
    assert [path.name for path in sorted(folder.parent.iterdir())] == ["mine", "theirs"]


def test_the_reveals_that_statements_speak_of_are_certified(run, tmp_path):
    days = CLAIM.replace('"1"', '"2"').replace("Oct 6", "Jan 1").partition("[[statement]]")
    (tmp_path / "claim.toml").write_text(CLAIM + "".join(days[1:]))
    assert run("claims claim.toml --certify proofs -q").code == 1
    (path,) = (tmp_path / "proofs").iterdir()
    assert path.name == CERTIFICATE
    proved = checkers.stranger(path.read_bytes()).tilings
    assert proved == {("Jan", "1"): 64, ("Oct", "6"): 7}
    again = run("claims claim.toml --certify proofs")
    assert (again.code, "--force" in again.err) == (2, True)


def test_drawings_are_judged_like_rows(run, refused, tmp_path):
    (tmp_path / "tiny.toml").write_text(TINY.text)
    drawing = ". a a a\n. b c a\nb b c c\n"
    (tmp_path / "list.txt").write_text(f"Jan 1\n{drawing}")
    answer = run("claims list.txt -b tiny.toml")
    assert (answer.code, "missing: Jan 29, Jan 30, Feb 29" in answer.out) == (0, True)
    (tmp_path / "list.txt").write_text(f"Jan 1\n{drawing}\n{drawing}")
    answer = run("claims list.txt -b tiny.toml --format csv")
    assert (answer.code, answer.rows[0]["line"], len(answer.rows)) == (1, "6", 4)
    refused("claims list.txt -b tiny.toml --certify x", 2, "not drawings")


@pytest.mark.parametrize("key", ["says", "needs", "quotation", "see", "source"])
def test_no_string_of_a_claim_file_hides_a_character(refused, tmp_path, key):
    value = '["\\n+ 1 confirmed"]' if key == "see" else '"so\\n+ 1 confirmed"'
    others = [line for line in CLAIM.splitlines() if not line.startswith(f"{key} =")]
    place = 0 if key == "source" else len(others)
    text = "\n".join([*others[:place], f"{key} = {value}", *others[place:]])
    (tmp_path / "claim.toml").write_text(text)
    refused("claims claim.toml", 2, "invisible character U+")


def test_the_names_of_a_table_cannot_write_on_the_terminal(run, tmp_path):
    (tmp_path / "mine.csv").write_text("month,day,count\x1b[2K\nOct,6,7\n")
    assert "\x1b" not in run("claims mine.csv").err


def test_nothing_is_certified_where_nothing_is_wrong(run, tmp_path):
    answer = run("claims --certify wrong", str(PUBLISHED))
    assert (answer.code, (tmp_path / "wrong").exists()) == (0, False)
    assert "all are right" in answer.out
