"""The notebooks of the documentation run from top to bottom, also about what a reader puts in."""

import re
from pathlib import Path

import pytest

from satcal.puzzle.calendar import MONTHS
from satcal.puzzle.loading import library_text

FOLDER = Path(__file__).parent.parent / "docs" / "tutorials"
RUNS = [  # of a notebook: what a reader replaces, and what is then printed, among other things
    ("year", {}, ["Oct 6 7", "Jan 1 65 64"]),
    ("year", {"a-puzzle-a-day": "mine.toml"}, ["Okt 6 7"]),
    ("year", {"a-puzzle-a-day": "rhombus", "2026": "2025"}, ["Sep 25 4"]),
    ("year", {"# import": "import", "# published": "published"}, ["Dec 25 93 92"]),
    ("encodings", {}, ["card-totalizer cadical195 7 tilings"]),
    (
        "encodings",
        {"a-puzzle-a-day": "mine.toml", "card-totalizer": "card-kmtotalizer"},
        ["card-kmtotalizer cadical195 7 tilings"],
    ),
    ("forging", {}, ["(('Oct', '6'), 7)", "('_-puzzle-a-day', 'a-puzzle-a-day')"]),
    ("forging", {"Oct 6": "Dec 25"}, ["93 tilings stated, but 92 found"]),
    ("forging", {"a-puzzle-a-day": "mine.toml"}, ["(('Okt', '6'), 7)", "('mine.toml', None)"]),
]


def mine():
    """The text of a puzzle in a reader's language, under a name of its own."""
    text = library_text("a-puzzle-a-day").replace('name = "a-puzzle-a-day"', 'name = "mine"')
    own = [{"Mar": "Mär", "May": "Mai", "Oct": "Okt", "Dec": "Dez"}.get(m, m) for m in MONTHS]
    for month, label in zip(MONTHS, own, strict=True):
        text = re.sub(rf"\b{month}\b", label, text)
    return f"{text}\n[calendar]\nmonth = {own}\n"


def printed(cell):
    """What a cell that has run shows, as text."""
    for output in cell.get("outputs", ()):
        yield output.get("text") or output.get("data", {}).get("text/plain", "")


@pytest.mark.parametrize(("name", "changes", "shown"), RUNS)
def test_a_notebook_runs_from_top_to_bottom_and_keeps_no_outputs(name, changes, shown, tmp_path):
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells)
    (tmp_path / "mine.toml").write_text(mine(), encoding="utf-8")
    (tmp_path / "theirs.csv").write_text("month,day,claimed\nOct,6,7\nDec,25,93\n")
    for old, new in changes.items():
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        for cell in code:
            cell.source = cell.source.replace(old, new)
    NotebookClient(notebook, resources={"metadata": {"path": str(tmp_path)}}).execute()
    told = " ".join(" ".join(printed(cell)) for cell in notebook.cells)
    told = " ".join(told.split())
    assert [line for line in shown if line not in told] == [], told


def test_there_are_no_other_notebooks():
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == {name for name, _, _ in RUNS}
