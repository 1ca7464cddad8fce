"""Records read back are what was written, in every style."""

from __future__ import annotations

import csv
import doctest
import io
import json

from satcal import records
from satcal.records import STYLES, written

FIELDS = ("label", "tilings")
RECORDS = [{"label": "Mär", "tilings": 7}, {"label": 'a "b", c', "tilings": None}]


def test_the_example_of_the_docstring_runs() -> None:
    results = doctest.testmod(records)
    assert results.attempted and not results.failed


def test_json_keeps_letters_and_csv_has_nothing_for_none() -> None:
    text = written(iter(RECORDS), FIELDS, "json")
    assert json.loads(text) == RECORDS
    assert "Mär" in text
    lines = written(iter(RECORDS), FIELDS, "ndjson").splitlines()
    assert [json.loads(line) for line in lines] == RECORDS
    rows = csv.DictReader(io.StringIO(written(iter(RECORDS), FIELDS, "csv")))
    assert list(rows) == [{"label": "Mär", "tilings": "7"}, {"label": 'a "b", c', "tilings": ""}]


def test_no_records_are_a_table_all_the_same() -> None:
    empty = {"csv": "label,tilings\n", "json": "[]\n", "ndjson": ""}
    assert {style: written([], FIELDS, style) for style in STYLES} == empty
