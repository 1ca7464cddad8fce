"""The notebooks of the documentation run from top to bottom, also about what a reader puts in."""

import ast
import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from satcal.puzzle.loading import library_text

FOLDER = Path(__file__).parent.parent / "docs" / "tutorials"
RUNS = [  # of a notebook: what a reader replaces, and what is then printed, among other things
    ("year", {}, ["Jan 1 65 64"]),
    ("year", {"a-puzzle-a-day": "mine.toml"}, ["Okt 6 7"]),
    ("year", {"a-puzzle-a-day": "rhombus", "2026": "2025"}, ["Sep 25 4"]),
    ("year", {"# import": "import", "# published": "published"}, ["Oct 6 7", "Dec 25 93 92"]),
    (
        "encodings",
        {', "owner", "ladder", "card-seqcounter", "card-totalizer"': ""},
        ["plain cadical195 7 tilings", "plain glucose4 7 tilings"],
    ),
]


def mine():
    """Return the text of a puzzle in a reader's language, under a name of its own."""
    text = library_text("a-puzzle-a-day").replace('name = "a-puzzle-a-day"', 'name = "mine"')
    for english, german in (("Mar", "Mär"), ("May", "Mai"), ("Oct", "Okt"), ("Dec", "Dez")):
        text = text.replace(english, german)
    return text


def shown_by(source: str, names: dict[str, object]) -> str:
    """Run a cell; return what it prints, and its last expression as a notebook shows it."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    with redirect_stdout(StringIO()) as printed:
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None
        if value is not None and not source.rstrip().endswith(";"):
            print(value)
    return printed.getvalue()


@pytest.mark.slow("each notebook counts a year, or lists by ten solvers")
@pytest.mark.parametrize(("name", "changes", "shown"), RUNS)
def test_a_notebook_runs_from_top_to_bottom_and_keeps_no_outputs(
    name, changes, shown, in_process, tmp_path, monkeypatch
):
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.chdir(tmp_path)
    cells = json.loads((FOLDER / f"{name}.ipynb").read_text("utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert not any(cell["outputs"] for cell in code)
    Path("mine.toml").write_text(mine(), encoding="utf-8")
    Path("theirs.csv").write_text("month,day,claimed\nOct,6,7\nDec,25,93\n", encoding="utf-8")
    names: dict[str, object] = {}
    printed = ""
    for cell in code:
        source = "".join(cell["source"])
        for old, new in changes.items():
            source = source.replace(old, new)
        printed += shown_by(source, names) + " "
    printed = " ".join(printed.split())
    assert [line for line in shown if line not in printed] == [], printed


def test_there_are_no_other_notebooks():
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == {name for name, _, _ in RUNS}
