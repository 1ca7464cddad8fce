"""Records read back are what was written, in every style."""

import doctest
import json

from satcal import records
from satcal.records import STYLES, written

FIELDS = ("label", "tilings")
RECORDS = [{"label": "Mär", "tilings": 7}, {"label": 'a "b", c', "tilings": None}]


def test_the_example_of_the_docstring_runs():
    results = doctest.testmod(records)
    assert results.attempted and not results.failed


def test_json_keeps_letters_and_csv_has_nothing_for_none():
    texts = {style: written(iter(RECORDS), FIELDS, style) for style in STYLES}
    assert "Mär" in texts["json"]
    assert json.loads(texts["json"]) == RECORDS
    assert [json.loads(line) for line in texts["ndjson"].splitlines()] == RECORDS
    assert texts["csv"] == 'label,tilings\nMär,7\n"a ""b"", c",\n'


def test_no_records_are_a_table_all_the_same():
    empty = {"csv": "label,tilings\n", "json": "[]\n", "ndjson": ""}
    assert {style: written([], FIELDS, style) for style in STYLES} == empty
