"""What is accepted as people type it: the line, the exit code, and one word of the answer."""

from pathlib import Path

import pytest

ROWS = Path(__file__).with_name("accepted.tsv").read_text().splitlines()
TABLE = [row.split("\t") for row in ROWS]


@pytest.mark.parametrize(("line", "code", "word"), TABLE, ids=[row[0] for row in TABLE])
def test_a_line_as_people_type_it_is_accepted(run, line, code, word):
    answer = run(line)
    assert answer.code == int(code), answer.err
    assert word in answer.out + answer.err
