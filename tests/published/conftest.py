"""A folder with a table that satcal could ship."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from oracle import TINY, truth
from satcal.puzzle.model import Reveal


def write_table(folder: Path, counts: Mapping[Reveal, int]) -> None:
    """Write a table of the tiny puzzle, and its manifest."""
    rows = [f"{month},{day},{n},diagram+sat\n" for (month, day), n in counts.items()]
    (folder / "tiny.csv").write_text("month,day,tilings,methods\n" + "".join(rows))
    total = f"rows = {len(counts)}\ntotal = {sum(counts.values())}\n"
    (folder / "manifest.toml").write_text(f'[tiny]\ndigest = "{TINY.load().digest}"\n{total}')


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    """A folder with the table of the tiny puzzle."""
    (tmp_path / "counts").mkdir()
    write_table(tmp_path / "counts", truth(TINY))
    return tmp_path / "counts"
