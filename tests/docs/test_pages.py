"""Pages of the documentation: links, examples that run, the table of faults, puzzle files."""

from __future__ import annotations

import re
import subprocess

import pytest

from docs.pages import DOCS, OTHERS, PAGES, ROOT, headings
from satcal.cli.output import Writer
from satcal.published.reading import claim_files, load_claims
from satcal.puzzle.loading import faults, library


@pytest.mark.parametrize("page", [*PAGES, *OTHERS], ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page):
    for link in re.findall(r"\]\((?!http)([^)\s]+)\)", page.read_text("utf-8")):
        name, _, heading = link.partition("#")
        path = page.parent / name if name else page
        assert path.exists(), link
        if heading:
            assert heading in headings(path.read_text("utf-8")), link


def test_every_file_and_method_that_a_text_names_is_there():
    texts = [page for page in [*PAGES, *OTHERS] if page.suffix == ".md"]
    for path in [*texts, *sorted((ROOT / "satcal" / "site" / "static").glob("*.js"))]:
        text = path.read_text("utf-8")
        for name in re.findall(r"\b(?:satcal|tools|benchmarks)/[a-z_/]+\.py\b", text):
            assert (ROOT / name).is_file(), f"{path.name}: {name}"
        for method in re.findall(r"\bWriter\.(\w+)", text):
            assert hasattr(Writer, method), f"{path.name}: Writer.{method}"


def paper_text() -> str:
    """Return the paper without the marks of its figures."""
    return re.sub(" <!-- [a-z ]+ -->", "", (ROOT / "paper" / "paper.md").read_text("utf-8"))


def test_the_pages_have_the_number_of_boards():
    readme = (ROOT / "README.md").read_text("utf-8")
    (number,) = re.findall(r"one of \[(\d+)\]\(satcal/puzzle/library\)", readme)
    texts = readme + paper_text()
    assert {int(number), *map(int, re.findall(r"of (\d+) library", texts))} == {len(library())}


def test_the_paper_names_the_commands_for_all_its_statements():
    paper = " ".join(paper_text().split())
    large = sorted((ROOT / "results" / "published" / "large").glob("*.toml"))
    usual, more = (
        sum(len(load_claims(path).statements) for path in paths) for paths in (claim_files(), large)
    )
    assert f"{usual + more} statements" in paper
    assert f"{more} of them `satcal claims results/published/large/*.toml`" in paper


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
