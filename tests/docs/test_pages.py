"""Pages of the documentation: links, programs, examples that run, puzzle files."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from docs.pages import DOCS, OTHERS, PAGES, ROOT, headings
from helpers.checkers import COUNT
from oracle import FREE, ONE_FACE, TINY, truth
from satcal.puzzle.loading import load


def run(command: list[str]) -> str:
    """Return what a command prints."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.parametrize("page", [*PAGES, *OTHERS], ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page):
    for link in re.findall(r"\]\((?!http)([^)\s]+)\)", page.read_text("utf-8")):
        name, _, heading = link.partition("#")
        path = page.parent / name if name else page
        assert path.exists(), link
        if heading:
            assert heading in headings(path.read_text("utf-8")), link


def test_every_file_that_a_text_names_is_there():
    texts = [page for page in [*PAGES, *OTHERS] if page.suffix == ".md"]
    for path in [*texts, *sorted((ROOT / "satcal" / "site" / "static").glob("*.js"))]:
        text = path.read_text("utf-8")
        for name in re.findall(r"\b(?:satcal|tools|benchmarks)/[a-z_/]+\.py\b", text):
            assert (ROOT / name).is_file(), f"{path.name}: {name}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_example_is_indented_and_so_passed_over(page):
    assert not re.search(r"^[ >]+```console", page.read_text("utf-8"), re.MULTILINE)


def test_after_make_count_the_shell_finds_satcal_by_the_line_that_it_ends_with():
    """Where nothing has to be installed, and with a command that counts nothing."""
    make = ["make", "count", "-s", "-o", ".venv/.satcal", "SATCAL=true"]
    (line,) = [line for line in run(make).splitlines() if "export" in line]
    found = run(["bash", "-c", f"{line}; command -v satcal"]).strip()
    assert found == str(ROOT / ".venv" / "bin" / "satcal")


def test_the_counter_of_one_page_finds_the_number_of_the_table():
    path = "satcal/puzzle/library/a-puzzle-a-day.toml"
    assert int(run([sys.executable, "docs/count.py", path, "Oct", "6"])) == 7


@pytest.mark.parametrize("small", [TINY, ONE_FACE, FREE])  # with copies, and with one face
def test_the_counter_of_one_page_finds_what_brute_force_finds(small):
    for reveal, tilings in truth(small).items():
        assert COUNT.count(*COUNT.parse(small.text, reveal)) == tilings


def test_the_puzzles_of_the_reference_have_no_faults(tmp_path):
    page = (DOCS / "reference" / "puzzle-file.md").read_text("utf-8")
    puzzles = re.findall(r"```toml\n(# (\S+\.toml)\n.*?)```", page, re.DOTALL)
    assert puzzles
    for text, name in puzzles:
        (tmp_path / name).write_text(text, encoding="utf-8")
        load(tmp_path / name)
