"""Pages of the documentation: links, examples that run, the table of faults, puzzle files."""

from __future__ import annotations

import re
import subprocess

import pytest

from docs.pages import DOCS, MADE, OTHERS, PAGES, ROOT, headings
from satcal.puzzle.loading import faults


@pytest.mark.parametrize("page", [*PAGES, *OTHERS], ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page):
    for link in re.findall(r"\]\((?!http)([^)\s]+)\)", page.read_text("utf-8")):
        name, _, heading = link.partition("#")
        if name.removeprefix("../").startswith(MADE):
            continue
        path = page.parent / name if name else page
        assert path.exists(), link
        if heading:
            assert heading in headings(path.read_text("utf-8")), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_example_is_indented_and_so_passed_over(page):
    assert not re.search(r"^[ >]+```console", page.read_text("utf-8"), re.MULTILINE)


def test_make_count_ends_by_saying_how_the_shell_finds_satcal():
    """Where nothing has to be installed, and with a command that counts nothing."""
    arguments = ["-s", "-o", ".venv/.satcal", "SATCAL=true"]
    done = subprocess.run(
        ["make", "count", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )
    (line,) = [line for line in done.stdout.splitlines() if "export" in line]
    assert line.strip() == f'export PATH="{ROOT}/.venv/bin:$PATH"'


def test_the_puzzles_of_the_reference_have_no_faults(tmp_path):
    page = (DOCS / "reference" / "puzzle-file.md").read_text("utf-8")
    puzzles = re.findall(r"```toml\n(# (\S+\.toml)\n.*?)```", page, re.DOTALL)
    assert puzzles
    for text, name in puzzles:
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert faults(tmp_path / name) == []


def test_every_promise_of_the_fault_table_is_shown_by_tests_and_no_other_is():
    page = (DOCS / "how-to" / "troubleshoot.md").read_text("utf-8")
    table = page.partition("\n| fault |")[2]
    lines = table.splitlines()
    promised = [line.split("|")[1].strip() for line in lines if line.startswith("| ")]
    tests = "".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert {*re.findall(r"^ *@pytest\.mark\.promise\(\"(.*)\"\)$", tests, re.M)} == {*promised}
