"""Records read back are what was written, in every style."""

from __future__ import annotations

import csv
import doctest
import io
import json

import pytest

from satcal import records
from satcal.records import STYLES, written

FIELDS = ("label", "tilings")
RECORDS = [{"label": "Mär", "tilings": 7}, {"label": 'a "b", c', "tilings": None}]


def test_the_example_of_the_docstring_runs() -> None:
    found = doctest.testmod(records)
    assert found.attempted and not found.failed


def test_json_is_what_was_written_with_its_letters() -> None:
    text = written(iter(RECORDS), FIELDS, "json")
    assert json.loads(text) == RECORDS
    assert "Mär" in text


def test_lines_of_json_are_one_each() -> None:
    lines = written(iter(RECORDS), FIELDS, "ndjson").splitlines()
    assert [json.loads(line) for line in lines] == RECORDS


def test_csv_has_texts_and_nothing_for_none() -> None:
    rows = list(csv.DictReader(io.StringIO(written(iter(RECORDS), FIELDS, "csv"))))
    assert rows == [{"label": "Mär", "tilings": "7"}, {"label": 'a "b", c', "tilings": ""}]


@pytest.mark.parametrize("style", STYLES)
def test_no_records_are_a_table_all_the_same(style: str) -> None:
    empty = {"csv": "label,tilings\n", "json": "[]\n", "ndjson": ""}
    assert written([], FIELDS, style) == empty[style]
