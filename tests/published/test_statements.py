"""Statements of a claim file: each kind is judged against brute force, each mistake is named.

The counts: Jan 1 = 4, Jan 29 = 2, Jan 30 = 2, Feb 1 = 0, Feb 29 = 2, Feb 30 = 0 (no date).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from helpers.puzzles import FREE, ONE_FACE, SQUARE, TINY, truth
from satcal.errors import FormatError, SatcalError
from satcal.published.facts import Sources
from satcal.published.kinds import KINDS
from satcal.published.reading import load_claims
from satcal.published.verdicts import Judgement, Verdict, judge

KINDS_IN = re.compile(r'kind = "(.*?)"')
SOURCES = Sources(folder=Path("none"))
TRUE = """
kind = "count"; reveal = "Jan 1"; tilings = 4
kind = "count"; date = 2024-02-29; tilings = 2
kind = "count"; reveal = "Feb 1"; at_most = 0
kind = "count"; board = "free.toml"; tilings = 2
kind = "total"; range = "all-reveals"; tilings = 10
kind = "total"; range = 2024; tilings = 10
kind = "total"; range = "2024-01"; tilings = 8
kind = "total"; range = "2023-12-25 to 2025-02-01"; tilings = 18
kind = "mean"; range = "all-reveals"; tilings = 1.667
kind = "mean"; range = "all-reveals"; tilings = 1.66; rounding = "down"
kind = "minimum"; range = "all-reveals"; tilings = 0; reveal = "Feb 30"
kind = "maximum"; range = "all-dates"; tilings = 4; reveal = "Jan 1"
kind = "every"; range = "all-dates"; at_least = 0; of = 5
kind = "every"; range = "all-reveals"; at_most = 4; of = 6
kind = "every"; range = "2024-02-29 to 2024-02-29"; exactly = 2
kind = "some"; range = "all-dates"; at_least = 4
kind = "some"; range = "all-dates"; exactly = 2
kind = "how-many"; range = "all-reveals"; at_most = 0; reveals = 2
kind = "how-many"; range = "all-dates"; exactly = 2; reveals = 3
kind = "fewer"; range = "all-reveals"; reveal = "Jan 29"; reveals = 2
kind = "minimum"; range = "all-dates"; reveal = "Feb 1"
kind = "table"; file = "counts.csv"
kind = "fewest-of"; boards = ["tiny.toml", "face.toml"]; winner = "face.toml"; range = "2024"
kind = "most-of"; boards = ["tiny.toml", "face.toml"]; winner = "tiny.toml"; range = "2024"
kind = "up-to-symmetry"; board = "free.toml"; classes = 1
kind = "up-to-symmetry"; reveal = "Jan 1"; classes = 4
kind = "ways-to-place"; board = "square.toml"; ways = 19
kind = "ways-to-place"; board = "square.toml"; together = 2; ways = 277
kind = "ways-to-place"; board = "square.toml"; named = ["D", "P"]; ways = 73
kind = "ways-in-tilings"; board = "square.toml"; at_least = 2; ways = 4
kind = "ways-in-tilings"; board = "square.toml"; at_most = 2; ways = 6
kind = "covers"; board = "square.toml"; covers = 826
kind = "survey-total"; tilings = 104
kind = "survey-how-many"; at_most = 0; cut_off = true; sets = 4
kind = "survey-how-many"; board = "free.toml"; at_least = 2; sets = 1
kind = "placements-per-piece"; per_piece = { V = 24, L4 = 28 }
kind = "orientations"; orientations = 12
kind = "placements"; reveal = "Jan 1"; placements = 35
kind = "mean-placements"; range = "all-reveals"; placements = 22
kind = "mean-placements"; range = "all-reveals"; placements = 20; unit = 10; rounding = "down"
kind = "board"; cells = 12; area = 10; off_board = 0
kind = "reveals"; range = "all-reveals"; reveals = 6
kind = "symmetries"; board = "free.toml"; symmetries = 4
"""
NOT_CONFIRMED = """
kind = "maximum"; range = "all-dates"; tilings = 4; reveal = "Jan 29"
    refuted: 4 (Jan 1)
kind = "every"; range = "all-dates"; at_least = 1; of = 5
    refuted: at least 0 (5 reveals)
kind = "most-of"; boards = ["tiny.toml", "face.toml"]; winner = "face.toml"; range = "2024"
    refuted: tiny.toml (face.toml 3, tiny.toml 10)
kind = "table"; file = "wrong.csv"
    refuted: 3 rows claimed, 2 are wrong: 29 January is 2, not 9; 30 January is 2, not 9
kind = "open"; needs = "needs more time"
    undecided: needs more time
kind = "ways-to-place"; ways = 1
    undecided: pieces with copies are not told apart
kind = "ways-in-tilings"; board = "free.toml"; at_least = 1; ways = 1
    undecided: a tiling of this board may be its own image
kind = "minimum"; range = "all-dates"; hedge = "it may be"
    settled: the fewest is 0
kind = "maximum"; range = "all-dates"; hedge = "it may be"
    settled: the most is 4
kind = "fewer"; range = "all-dates"; reveal = "Jan 29"; hedge = "it may be"
    settled: 1 of 5 reveals have fewer than its 2
kind = "count"; reveal = "Jan 1"; tilings = 4; hedge = "it may be"
    settled: 4
"""
MISTAKES = """
kind = "cuont"
    count
kind = "count"; reveal = "Jan 1"
    tilings
kind = "count"; reveal = "Jan 1"; tilings = 4; at_most = 5
    at_most
kind = "count"; tilings = 4
    reveal
kind = "count"; reveal = "Jan 1"; date = 2024-02-29; tilings = 4
    date
kind = "count"; reveal = "Jan 1"; tiling = 4
    tilings
kind = "count"; reveal = "Jan 1"; tilings = -1
    -1
kind = "count"; date = 5; tilings = 1
    2025-12-25
kind = "count"; date = 2024-03-01; tilings = 1
    month
kind = "total"; tilings = 1
    range
kind = "total"; range = "always"; tilings = 1
    all-reveals
kind = "total"; range = 20.25; tilings = 1
    all-dates
kind = "total"; range = "2024-01 to 2023-01"; tilings = 1
    before
kind = "mean"; range = "all-dates"; tilings = 1e-999999999
    67.3
kind = "mean"; range = "all-dates"; tilings = 2.0; rounding = "up"
    nearest
kind = "mean-placements"; range = "all-dates"; placements = 25; unit = 10
    multiple
kind = "mean-placements"; range = "all-dates"; placements = 25; unit = 0
    unit
kind = "placements-per-piece"; per_piece = { W = 3 }
    'W'
kind = "placements-per-piece"; per_piece = 3
    per_piece
kind = "survey-how-many"; exactly = 0; sets = 1; cut_off = 1
    cut_off
kind = "ways-to-place"; ways = 1; together = 3
    together
kind = "ways-to-place"; ways = 1; named = ["V", "V"]
    named
kind = "table"; file = 3
    counts.csv
kind = "board"
    off_board
kind = "most-of"; range = "all-dates"; boards = ["tiny.toml"]; winner = "tiny.toml"
    boards
kind = "most-of"; range = "all-dates"; boards = ["tiny.toml", "weekday"]; winner = "it"
    'it'
kind = "count"; reveal = "Jan 1"; see = "claims/8a.svg"; tilings = 1
    see
kind = "count"; reveal = "Jan 1"; note = 3; tilings = 1
    note
kind = "count"; reveal = "Jan 1"; quotation = "a b c d e f g h i j k l m n o p q r s t u v w x y z"
    26
kind = "table"; file = "empty.csv"
    rows
kind = "table"; file = "none.csv"
    none.csv
kind = "reveals"; range = "all-dates"; board = "none.toml"; reveals = 1
    No such file
kind = "reveals"; range = "all-dates"; flip = "none"; reveals = 1
    flip
"""


def answered(table: str) -> list[tuple[str, str]]:
    """Return the statements of a table, each with the indented text below it."""
    rows = re.findall(r"^(\S.*)\n((?:    .*\n)+)", table, re.MULTILINE)
    return [(statement, " ".join(answer.split())) for statement, answer in rows]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with what the statements refer to."""
    for name, small in {"tiny": TINY, "free": FREE, "square": SQUARE, "face": ONE_FACE}.items():
        (tmp_path / f"{name}.toml").write_text(small.text())
    header = "month,day,tilings\n"
    (tmp_path / "counts.csv").write_text(f"{header}Jan,1,4\nFeb,29,2\nFeb,1,0\n")
    (tmp_path / "wrong.csv").write_text(f"{header}Jan,1,4\nJan,29,9\nJan,30,9\n")
    (tmp_path / "empty.csv").write_text(header)
    return tmp_path


def verdict(folder: Path, statement: str) -> Verdict:
    """Judge the only statement of a file, which is about the tiny puzzle unless it says so."""
    board = "" if re.search(r"\bboard =", statement) else 'board = "tiny.toml"; '
    lines = f'[[statement]]; id = "1"; says = "so"; {board}{statement}'.replace("; ", "\n")
    path = folder / "claims.toml"
    path.write_text(f'source = "somebody"\n{lines}\n', "utf-8")
    file = load_claims(path)
    return judge(file, file.statements[0], SOURCES)


def with_other_numbers(statement: str) -> Iterator[str]:
    """Yield a true statement with each number that it claims changed by one, so that it is not."""
    claimed = {*KINDS[KINDS_IN.findall(statement)[0]].claim_field_names(), "V", "L4"}
    if "bound" in claimed:
        claimed |= {"tilings", "exactly", "at_least", "at_most"}
    for number in re.finditer(r"(\w+) = ([\d.]+)", statement):
        name, value = number[1], Decimal(number[2])
        unit = 10 if "unit = 10" in statement else Decimal(1).scaleb(value.as_tuple().exponent)
        ways = {"at_least": [1], "at_most": [-1]}.get(name, [1, -1]) if name in claimed else []
        for other in [value + way * unit for way in ways]:
            if other >= 0:
                yield f"{statement[: number.start(2)]}{other}{statement[number.end(2) :]}"


def test_the_brute_force_says_what_the_heading_of_this_file_says() -> None:
    assert list(truth(TINY).values()) == [4, 2, 2, 0, 2, 0]
    assert list(truth(ONE_FACE).values()) == [0, 0, 1, 0, 2, 0]
    assert truth(FREE) == {(): 2}


def test_every_kind_but_open_is_among_the_true_statements() -> None:
    assert set(KINDS_IN.findall(TRUE)) == set(KINDS) - {"open"}


@pytest.mark.parametrize("statement", TRUE.strip().splitlines())
def test_a_true_statement_is_confirmed_and_turns_with_its_numbers(
    statement: str, folder: Path
) -> None:
    assert verdict(folder, statement).judgement is Judgement.CONFIRMED
    for other in with_other_numbers(statement):
        assert verdict(folder, other).judgement is Judgement.REFUTED, other


@pytest.mark.parametrize(("statement", "answer"), answered(NOT_CONFIRMED))
def test_what_is_not_confirmed_has_the_truth_or_the_reason(
    statement: str, answer: str, folder: Path
) -> None:
    found = verdict(folder, statement).as_fields()
    said = found["reason"] if found["verdict"] == "undecided" else found["truth"]
    assert f"{found['verdict']}: {said}" == answer
    assert (found["reason"] == "it may be") == (found["verdict"] == "settled")


@pytest.mark.parametrize(("statement", "word"), answered(MISTAKES))
def test_a_mistake_in_a_statement_names_file_and_statement(
    statement: str, word: str, folder: Path
) -> None:
    with pytest.raises(SatcalError) as caught:
        verdict(folder, statement)
    place, text = str(caught.value).split(": statement 1: ")
    assert place == str(folder / "claims.toml")
    assert word in text


WHOLE = (
    '[[statement]]\nid = "a"\nsays = "so"\nkind = "reveals"\nboard = "weekday"\n'
    'range = "all-dates"\nreveals = 1\n'
)
NAMED = 'source = "x"\n' + WHOLE
IN_FILE = [
    ("source =", "TOML"),
    ('source = "x"\n', "[[statement]]"),
    (WHOLE, "source"),
    ('source = ""\n' + WHOLE, "source"),
    ('source = "x"\nyear = "2022"\n' + WHOLE, "year"),
    ('source = "x"\nstatement = [1]', "[[statement]]"),
    ('source = "x"\n[[statement]]\nkind = "reveals"', "id"),
    ('source = "x"\n' + WHOLE + WHOLE, "twice"),
    (NAMED.replace('says = "so"\n', ""), "says"),
    (NAMED.replace('board = "weekday"\n', ""), "board"),
]


@pytest.mark.parametrize(("text", "word"), IN_FILE)
def test_a_mistake_in_a_file_names_the_file(text: str, word: str, tmp_path: Path) -> None:
    path = tmp_path / "claims.toml"
    path.write_text(text)
    with pytest.raises(FormatError) as caught:
        load_claims(path)
    assert str(path) in str(caught.value)
    assert word in str(caught.value)
