"""The fault table in docs/faults.md names a test for each fault, and every one exists."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
ROWS = [
    line.split("|")
    for line in (TESTS.parent / "docs" / "faults.md").read_text().splitlines()
    if line.startswith("| ")
][1:]


def test_every_row_of_the_fault_table_names_tests_that_exist() -> None:
    assert len(ROWS) > 20
    for _, fault, _, tests, _ in ROWS:
        named = re.findall(r"`(test_\w+\.py)::(test_\w+)`", tests)
        assert named, fault
        for file, name in named:
            texts = [path.read_text() for path in TESTS.glob(f"*/{file}")]
            assert any(f"def {name}(" in text for text in texts), f"{file}::{name}"
