"""Statements of a claim file: each quantity is judged as it is, each mistake is named.

The counts by brute force: Jan 1 = 4, Jan 29 = 2, Jan 30 = 2, Feb 1 = 0, Feb 29 = 2, Feb 30 = 0 (no
date).
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from oracle import FREE, ONE_FACE, SQUARE, TINY
from satcal.errors import FormatError, SatcalError
from satcal.published.evaluating import COUNTERS, Lookup
from satcal.published.reading import FOLD_NAMES, load_claims
from satcal.published.statements import FOLDS
from satcal.published.verdicts import Judgement, Verdict, judge

SOURCES = Lookup()
TRUE = """
over = "Jan 1"; value = 4
over = 2024-02-29; value = 2
board = "free.toml"; value = 2
over = "all-reveals"; fold = "sum"; value = 10
over = 2024; fold = "sum"; value = 10
over = "2023-12-25 to 2025-02-01"; fold = "sum"; value = 18
over = "all-reveals"; fold = "mean"; value = 1.667
over = "all-reveals"; fold = "mean"; value = 1.66; rounding = "down"
over = "Feb 1"; fold = "mean"; value = 0.0
over = "all-dates"; fold = "median"; value = 2
over = "2024-01"; fold = "median"; relation = ">="; value = 2
over = "all-reveals"; fold = "fewest"; value = 0; at = "Feb 30"
over = "all-dates"; fold = "most"; value = 4; at = "Jan 1"
over = "all-dates"; fold = "fewest"; relation = ">="; value = 0
over = "all-dates"; fold = "how-many == 2"; relation = ">="; value = 3
over = "all-reveals"; fold = "how-many <= 0"; value = 2
over = "all-dates"; fold = "fewest"; at = "Feb 1"
value = "counts.csv"
over = "Jan 1"; place = ["V: r1c3 r2c2 r2c3"]; value = 1
over = "all-reveals"; fold = "sum"; place = ["V: r1c3 r2c2 r2c3"]; value = 3
board = "free.toml"; quantity = "classes"; value = 1
quantity = "classes"; over = "Jan 1"; value = 4
board = "square.toml"; quantity = "classes"; value = 3
board = "square.toml"; quantity = "classes"; place = ["V: r0c0 r0c1 r0c2 r1c0 r2c0"]; value = 2
board = "square.toml"; quantity = "classes"; place = ["D: r0c0 r0c1"]; value = 3
quantity = "classes"; over = "all-dates"; fold = "sum"; value = 10
over = "cells"; fold = "sum"; value = 104
board = "free.toml"; over = "cells"; fold = "how-many >= 2"; value = 1
quantity = "reveals"; over = "all-reveals"; value = 6
quantity = "reveals"; over = "2024 to 2031"; value = 5
reveal = "Jan 1"; value = 4
date = 2024-02-29; value = 2
over = "all-reveals"; fold = "min"; value = 0
over = "all-reveals"; fold = "max"; value = 4
over = "all-reveals"; fold = "average"; value = 1.667
"""
NOT_CONFIRMED = """
over = "all-dates"; fold = "most"; value = 4; at = "Jan 29" -> refuted: 4 (Jan 1)
over = "all-dates"; fold = "fewest"; relation = ">="; value = 1 -> refuted: 0 (Feb 1)
over = "all-dates"; fold = "mean"; value = 2.1 -> refuted: 2.0 (from 2.000)
over = "all-reveals"; fold = "mean"; value = 1 -> refuted: 1.667
over = "all-reveals"; fold = "mean"; value = 2; rounding = "down" -> refuted: 1.667
value = "wrong.csv" -> refuted: 1 of 2 rows is wrong: 29 January is 2, not 9
needs = "needs more time" -> undecided: needs more time
over = "all-dates"; fold = "fewest"; hedge = "it may be" -> settled: 0 (Feb 1)
over = "all-dates"; fold = "median"; hedge = "it may be" -> settled: 2.000
over = "all-dates"; fold = "how-many <= 1"; hedge = "it may be" -> settled: 1 of 5 (Feb 1)
over = "Jan 1"; value = 4; hedge = "it may be" -> settled: 4 (Jan 1)
"""
MISTAKES = """
quantity = "tiling"; over = "Jan 1"; value = 4 -> tilings
over = "Jan 1" -> value is missing
value = 4 -> over is missing
over = 2024; date = 2024-02-29; value = 4 -> over and date
reveal = "Jan"; value = 4 -> reveal:
over = "Jan 1"; valeu = 4 -> value
over = "Jan 1"; value = -1 -> -1
over = "Jan 1"; value = 1e-999999999 -> 67.3
over = 20.25; value = 1 -> not a string
over = "Jan\\r1"; value = 4 -> U+000D
board = "tiny.toml\\u200b"; over = "Jan 1"; value = 4 -> U+200B
over = "Jan 1"; value = { V = 3 } -> {'V': 3}
quantity = "classes"; over = "cells"; value = 3 -> only tilings
over = "cells"; place = ["V: r1c3 r2c2 r2c3"]; value = 3 -> only tilings
over = "today to 2030-01-01"; value = 1 -> today
over = 2024-03-01; value = 1 -> month
over = "2024-01 to 2023-01"; value = 1 -> before
over = "Jan 1"; relation = "<"; value = 1 -> <=
over = "all-dates"; fold = "middle"; value = 1 -> mean
over = "all-dates"; relation = ">="; value = 1 -> fold is missing
over = "cells"; value = 1 -> fold is missing
over = "all-dates"; fold = "how-many"; value = 1 -> how-many >= 1
over = "all-dates"; fold = "mean"; value = 2.0; rounding = "up" -> nearest
over = "all-dates"; fold = ["mean"]; value = 2.0 -> fold
over = "all-dates"; fold = "mean"; at = "Jan 1"; value = 1 -> at
quantity = "reveals"; over = "Jan 1"; place = ["V: r1c3 r2c2 r2c3"]; value = 1 -> classes
over = "Jan 1"; place = "V"; value = 1 -> place
value = "counts.csv"; fold = "sum" -> fold
value = "counts.csv"; over = "all-dates" -> over
value = "empty.csv" -> no numbers
value = "none.csv" -> none.csv
value = "two.csv" -> Jan 1 has 2
over = "Jan 1"; see = "claims/8a.svg"; value = 1 -> see
over = "Jan 1"; note = 3; value = 1 -> note
over = "all-dates"; board = "none.toml"; value = 1 -> No such file
"""


def answered(table: str) -> list[list[str]]:
    """Return the statements of a table, each with its answer."""
    return [line.split(" -> ") for line in table.strip().splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with what the statements refer to."""
    for name, small in {"tiny": TINY, "free": FREE, "square": SQUARE, "face": ONE_FACE}.items():
        (tmp_path / f"{name}.toml").write_text(small.text)
    header = "month,day,tilings\n"
    (tmp_path / "counts.csv").write_text(f"{header}Jan,1,4\nFeb,29,2\nFeb,1,0\n")
    (tmp_path / "wrong.csv").write_text(f"{header}Jan,1,4\nJan,29,9\n")
    (tmp_path / "empty.csv").write_text(header)
    (tmp_path / "two.csv").write_text("1,1,2\n2,29,1\n")
    return tmp_path


def verdict(folder: Path, statement: str) -> Verdict:
    """Judge the only statement of a file, which is about the tiny puzzle unless it says so."""
    board = "" if re.search(r"\bboard =", statement) else 'board = "tiny.toml"; '
    lines = f'[[statement]]; id = "1"; says = "so"; {board}{statement}'.replace("; ", "\n")
    path = folder / "claims.toml"
    path.write_text(f'source = "somebody"\n{lines}\n', "utf-8")
    (only,) = load_claims([path])
    return judge(only, SOURCES)


def with_other_numbers(statement: str) -> Iterator[str]:
    """Yield a true statement with each number that it claims changed by one, so that it is not."""
    for number in re.finditer(r"value = ([\d.e]+)", statement):
        value = Decimal(number[1])
        unit = Decimal(1).scaleb(value.as_tuple().exponent)
        relation = statement.partition('relation = "')[2][:2]
        for way in {">=": [1], "<=": [-1]}.get(relation, [1, -1]):
            other = f"{value + way * unit:e}" if "e" in number[1] else value + way * unit
            if value + way * unit >= 0:
                yield f"{statement[: number.start(1)]}{other}{statement[number.end(1) :]}"


def test_every_quantity_and_fold_is_among_the_true_statements():
    assert {"tilings", *re.findall(r'quantity = "(.*?)"', TRUE)} == {name for name, _ in COUNTERS}
    assert {"each", *re.findall(r'fold = "([a-z-]+)', TRUE)} == {*FOLDS, *FOLD_NAMES}


@pytest.mark.parametrize("statement", TRUE.strip().splitlines())
def test_a_true_statement_is_confirmed_and_turns_with_its_numbers(statement, folder):
    assert verdict(folder, statement).judgement is Judgement.CONFIRMED
    for other in with_other_numbers(statement):
        assert verdict(folder, other).judgement is Judgement.REFUTED, other


@pytest.mark.parametrize(("statement", "answer"), answered(NOT_CONFIRMED))
def test_what_is_not_confirmed_has_the_truth_or_the_reason(statement, answer, folder):
    found = verdict(folder, statement).as_fields()
    words = found["reason"] if found["verdict"] == "undecided" else found["truth"]
    assert f"{found['verdict']}: {words}" == answer
    assert (found["reason"] == "it may be") == (found["verdict"] == "settled")


@pytest.mark.parametrize(("statement", "word"), answered(MISTAKES))
def test_a_mistake_in_a_statement_names_file_and_statement(statement, word, folder):
    with pytest.raises(SatcalError) as caught:
        verdict(folder, statement)
    place, text = str(caught.value).split(": statement 1: ")
    assert place == str(folder / "claims.toml")
    assert word in text


WHOLE = (
    '[[statement]]\nid = "a"\nsays = "so"\nquantity = "reveals"\nboard = "weekday"\n'
    'over = "all-dates"\nvalue = 1\n'
)
NAMED = 'source = "x"\n' + WHOLE
IN_FILE = [
    ("source =", "TOML"),
    ('source = "x"\n', "[[statement]]"),
    (WHOLE, "source"),
    ('source = ""\n' + WHOLE, "source"),
    ('source = "x"\nstatement = [1]', "[[statement]]"),
    ('source = "x"\n[[statement]]\nvalue = 1', "id"),
    ('source = "x"\n' + WHOLE + WHOLE, "twice"),
    (NAMED.replace('says = "so"\n', ""), "says"),
    (NAMED.replace('board = "weekday"\n', ""), "board"),
]


@pytest.mark.parametrize(("text", "word"), IN_FILE)
def test_a_mistake_in_a_file_names_the_file(text, word, tmp_path):
    path = tmp_path / "claims.toml"
    path.write_text(text)
    with pytest.raises(FormatError) as caught:
        load_claims([path])
    assert str(path) in str(caught.value)
    assert word in str(caught.value)
