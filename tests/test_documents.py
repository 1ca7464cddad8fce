"""The README and docs/: every example prints what the text says, every link leads somewhere."""

import ast
import doctest
import re
import shlex
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from satcal.cli.manual import sections

from helpers.commands import Said
from helpers.programs import named_in, need, path_of
from satcal.counting import count
from satcal.puzzle.calendar import MONTHS, WEEKDAYS
from satcal.puzzle.loading import faults, library_text, parse_puzzle

ROOT = Path(__file__).parent.parent
PUZZLE_FILE = ROOT / "docs" / "reference" / "puzzle-file.md"
BUILT = ("counts/", "routes.md")  # `make docs` writes these pages, and fails on dead links
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "docs/index.md")),
    *(
        page
        for page in sorted((ROOT / "docs").glob("*/*.md"))
        if page.parent.name != "counts" and page.name != "routes.md"
    ),
]
WITH_EXAMPLES = [page for page in PAGES if "\n$ satcal " in page.read_text()]
SETUP = ("git clone", "make ")  # sets up a machine rather than asks satcal something


@pytest.fixture
def shell(satcal, tmp_path, monkeypatch):
    """Run a line of shell in an empty folder; the command that begins it, in this process."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(count, "LocalProcesses", lambda jobs: ThreadPoolExecutor(1))

    def call(line):
        said = Said(0, "", "")
        if line.startswith("satcal "):
            command, _, line = line.partition(" | ")
            said = satcal(*shlex.split(command)[1:])
        if line:
            done = subprocess.run(
                ["bash", "-c", f'satcal() {{ {sys.executable} -m satcal "$@"; }}; {line}'],
                input=said.out,
                capture_output=True,
                text=True,
                check=False,
                timeout=120,
            )
            said = Said(done.returncode, done.stdout, done.stderr)
        return said

    return call


def examples(page):
    """Yield the commands of a page and what they print."""
    for block in re.findall(r"```console\n(.*?)```", page.read_text(), re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            if not command.startswith(SETUP):
                yield command, output.strip("\n")


def files(page):
    """Yield name and text of the files of a page: their first line is a comment with the name."""
    for text in re.findall(r"```toml\n(# \S+\.toml\n.*?)```", page.read_text(), re.DOTALL):
        yield text[2:].partition("\n")[0], text


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.name)
def test_the_examples_of_a_page_print_what_the_page_says(page, shell):
    """One after the other in one folder."""
    for name, text in files(page):
        Path(name).write_text(text, encoding="utf-8")
    missing = []
    for command, output in examples(page):
        if lacking := [name for name in named_in(command) if path_of(name) is None]:
            missing += lacking
            continue
        said = shell(command)
        printed = said.out.strip("\n")
        if "\n...\n" in output:
            head, tail = output.split("\n...\n")
            assert printed.startswith(head + "\n"), command
            assert printed.endswith("\n" + tail), command
        elif output:  # some pages show what is said on stderr, too
            assert output in (printed, (said.out + said.err).strip("\n")), command
        else:
            assert said.code == 0, (command, said.err)
    need(*missing)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_example_is_indented_and_so_passed_over(page):
    assert not re.search(r"^[ >]+```console", page.read_text(), re.MULTILINE)


def test_make_count_ends_by_saying_how_the_shell_finds_satcal():
    """Where nothing has to be installed, and with a command that counts nothing."""
    arguments = ["-s", "-o", ".venv/.satcal", "SATCAL=true"]
    said = subprocess.run(
        ["make", "count", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )
    (line,) = [line for line in said.stdout.splitlines() if "export" in line]
    assert line.strip() == f'export PATH="{ROOT}/.venv/bin:$PATH"'


def test_the_examples_of_the_python_page_return_what_it_says(tmp_path, monkeypatch):
    """One after the other, with the same variables; what they raise begins as it says."""
    monkeypatch.chdir(tmp_path)
    page = ROOT / "docs" / "reference" / "python.md"
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    parsed = doctest.DocTestParser().get_doctest("".join(blocks), {}, page.name, None, 0)
    failures = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert runner.run(parsed, out=failures.append).attempted > 40
    assert not failures, "".join(failures)


@pytest.mark.parametrize(("name", "text"), list(files(PUZZLE_FILE)))
def test_the_puzzles_of_the_reference_are_right_but_for_the_broken_ones(tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert bool(faults(tmp_path / name)) == (name in ("broken.toml", "unclosed.toml"))


@pytest.mark.parametrize(
    ("number", "reveal"),
    [(0, ("jeu", "déc", "25")), (1, ("木", "12月", "25"))],
)
def test_a_calendar_of_the_reference_makes_dates_of_a_board_in_its_language(number, reveal):
    reference, board = PUZZLE_FILE.read_text(), library_text("rhombus")
    text = re.findall(r"```toml\n(\[calendar\].*?)```", reference, re.DOTALL)[number]
    calendar = tomllib.loads(text)["calendar"]
    theirs = (*calendar["month"], *calendar["weekday"])
    for label, own in zip((*MONTHS, *WEEKDAYS), theirs, strict=True):
        board = re.sub(rf"\b{label}\b", own, board)
    assert parse_puzzle(f"{board}\n{text}", "x").reveal("2025-12-25") == reveal


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_of_a_page_leads_somewhere(page):
    for link in re.findall(r"\]\((?!http)([^)\s]+)\)", page.read_text()):
        name, _, heading = link.partition("#")
        if name.removeprefix("../").startswith(BUILT):
            continue
        path = page.parent / name if name else page
        assert path.exists(), link
        if heading:
            assert heading in sections(path.read_text()), link


def promises(path):
    """Yield the faults of which the tests of a file are marked to show what is promised."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.promise":
            yield ast.literal_eval(node.args[0])


def test_every_promise_of_the_fault_table_is_shown_by_tests_and_no_other_is():
    lines = (ROOT / "docs" / "reference" / "faults.md").read_text().splitlines()
    faults = [line.split("|")[1].strip() for line in lines if line.startswith("| ")][1:]
    assert len(faults) > 20
    marked = {fault for path in (ROOT / "tests").rglob("test_*.py") for fault in promises(path)}
    assert marked == set(faults)
