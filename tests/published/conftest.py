"""A folder with a table that satcal could ship."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from oracle import TINY, truth
from satcal.published import shipped
from satcal.puzzle.model import Reveal


def write_table(folder: Path, counts: Mapping[Reveal, int]) -> None:
    """Write a table of the tiny puzzle, and its manifest."""
    rows = [f"{month},{day},{n},diagram+sat\n" for (month, day), n in counts.items()]
    (folder / "tiny.csv").write_text("month,day,tilings,methods\n" + "".join(rows))
    total = f"rows = {len(counts)}\ntotal = {sum(counts.values())}\n"
    (folder / "manifest.toml").write_text(f'[tiny]\ndigest = "{TINY.load().digest}"\n{total}')


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the shipped tables, with that of the tiny puzzle only."""
    folder = tmp_path / "counts"
    folder.mkdir()
    write_table(folder, truth(TINY))
    monkeypatch.setattr(shipped, "tables_folder", lambda: folder)
    return folder
