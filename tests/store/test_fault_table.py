"""The fault table in docs/faults.md names tests that exist, and lists every test of a fault."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
TEXT = (TESTS.parent / "docs" / "faults.md").read_text()
NAMED = re.findall(r"`(test_\w+\.py)::(test_\w+)`", TEXT)


def test_every_test_that_the_fault_table_names_exists() -> None:
    assert len(NAMED) > 20
    for file, name in NAMED:
        (path,) = TESTS.glob(f"*/{file}")
        assert f"def {name}(" in path.read_text(), f"{file}::{name}"


def test_every_row_of_the_fault_table_names_a_test() -> None:
    rows = [line for line in TEXT.splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 20
    for row in rows:
        assert len(row.split("|")) == 5, row
        assert "`test_" in row.split("|")[3], row
