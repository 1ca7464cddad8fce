"""Mistakes in claim files, each with its exact message."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tiny import one

from satcal.errors import FormatError, SatcalError
from satcal.evidence.claims.reading import load_claims

COUNT = 'kind = "count"; reveal = "Jan 1"'
MISTAKES = """
kind = "cuont"
    unknown kind 'cuont'; did you mean 'count'?
COUNT
    one of tilings, at_least, at_most is missing
COUNT; tilings = 4; at_most = 5
    tilings and at_most exclude each other; give one of them
kind = "count"; tilings = 4
    reveal is missing: this board leaves labels uncovered
COUNT; date = 2024-02-29; tilings = 4
    reveal and date exclude each other; give one of them
COUNT; tiling = 4
    unknown key 'tiling'; did you mean 'tilings'?
COUNT; tilings = -1
    tilings: -1 is not a whole number of at least 0; write digits only
kind = "count"; reveal = "Jun 1"; tilings = 1
    reveal: reveal: small has no label 'Jun'; did you mean 'Jan'?
kind = "count"; date = 5; tilings = 1
    date: 5 is not a date; write it as 2025-12-25
kind = "count"; date = 2024-03-01; tilings = 1
    date: date 2024-03-01: the board has no cell for the month Mar; choose a date that it has
kind = "total"; tilings = 1
    range is missing
kind = "total"; range = "always"; tilings = 1
    range: 'always' is no range; use all-reveals, all-dates, a year as 2025, a month as 2025-02, or
    2025-07-25 to 2025-12-25
kind = "total"; range = 2025; tilings = 1
    range: 2025 is not a range; write it as "all-dates"
kind = "mean"; range = "all-dates"; tilings = 1e-999999999
    tilings: 1E-999999999 is not a number of at least 0; write it as 67.3
kind = "mean"; range = "all-dates"; tilings = 2.0; rounding = "up"
    rounding: 'up' is no way to round; use nearest or down
kind = "mean-placements"; range = "all-dates"; placements = 25; unit = 10
    placements = 25 is no multiple of the unit 10; write the number as it was rounded
kind = "mean-placements"; range = "all-dates"; placements = 25; unit = 0
    unit: 0 is no unit; write 100 for a number in hundreds
kind = "placements-per-piece"; per_piece = { W = 3 }
    per_piece: small has no piece 'W' (its pieces are L4, V)
kind = "placements-per-piece"; per_piece = 3
    per_piece: write a number for each piece, such as { O = 48, P = 196 }
kind = "survey-how-many"; exactly = 0; sets = 1; cut_off = 1
    cut_off: 1 is neither true nor false; write one of them
kind = "ways-to-place"; ways = 1; together = 3
    together: 3 is not 1 or 2 pieces; name those of more by named
kind = "ways-to-place"; ways = 1; named = ["V", "V"]
    named: ['V', 'V'] is no list of pieces; write such as ["F", "P"]
kind = "ways-to-place"; ways = 1; named = ["W"]
    named: small has no piece 'W' (its pieces are L4, V)
kind = "table"; file = 3
    file: 3 is not a file name; write it as "counts.csv"
kind = "board"
    it claims nothing; give one of cells, area, off_board
kind = "most-of"; range = "all-dates"; boards = ["tiny.toml"]; winner = "tiny.toml"
    boards: write at least two boards, such as ["rhombus", "weekday"]
kind = "most-of"; range = "all-dates"; boards = ["tiny.toml", "weekday"]; winner = "it"
    winner 'it' is not one of boards; add it
COUNT; see = "claims/8a.svg"; tilings = 1
    see is not a list of files; write see = ["claims/8a.svg"]
COUNT; note = 3; tilings = 1
    note is not a text; write note = "…"
COUNT; quotation = "a b c d e f g h i j k l m n o p q r s t u v w x y z"
    quotation has more than 25 words; shorten it
kind = "table"; file = "empty.csv"
    file: FOLDER/empty.csv: it has no row
kind = "table"; file = "none.csv"
    file: table FOLDER/none.csv: No such file or directory
kind = "orders"; board = "none.toml"; orders = 1
    board FOLDER/none.toml: no such file
"""


@pytest.mark.parametrize(
    ("text", "message"), re.findall(r"^(\S.*)\n((?:    .*\n)+)", MISTAKES, re.MULTILINE)
)
def test_a_mistake_in_a_statement_names_file_and_statement(
    text: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / "empty.csv").write_text("month,day,tilings\n")
    with pytest.raises(SatcalError) as caught:
        one(tmp_path, text.replace("COUNT", COUNT).replace("; ", "\n"))
    expected = " ".join(message.split()).replace("FOLDER", str(tmp_path))
    assert str(caught.value) == f"{tmp_path / 'claims.toml'}: statement 1: {expected}"


WHOLE = '[[statement]]\nid = "a"\nsays = "so"\nkind = "orders"\nboard = "weekday"\norders = 1\n'
NAMED = 'source = "x"\n' + WHOLE
IN_FILE = [
    ("source =", "not valid TOML: Invalid value (at end of document)"),
    ('source = "x"\n', "it has no statement; write a [[statement]] for each"),
    (WHOLE, 'source is missing; write source = "…"'),
    ('source = ""\n' + WHOLE, 'source is not a text; write source = "…"'),
    ('source = "x"\nyear = "2022"\n' + WHOLE, "year = '2022' is not a year; write year = 2022"),
    ('source = "x"\nstatement = [1]', "statement 1: not a table; write it under [[statement]]"),
    ('source = "x"\n[[statement]]\nkind = "orders"', 'statement 1: id is missing; write id = "…"'),
    ('source = "x"\n' + WHOLE + WHOLE, "statement a comes twice; rename one of them"),
    (NAMED.replace('says = "so"\n', ""), 'statement a: says is missing; write says = "…"'),
    (NAMED.replace('board = "weekday"\n', ""), 'statement a: board is missing; write board = "…"'),
]


@pytest.mark.parametrize(("text", "message"), IN_FILE)
def test_a_mistake_in_a_file_names_the_file(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "claims.toml"
    path.write_text(text)
    with pytest.raises(FormatError) as caught:
        load_claims(path)
    assert str(caught.value) == f"{path}: {message}"
