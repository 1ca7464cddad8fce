"""The examples of README and docs/ print what the text says, on a terminal as a reader has it."""

from __future__ import annotations

import datetime
import doctest
import io
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

import pytest

from command import Answer, run_satcal
from docs.pages import DOCS, PAGES
from helpers.programs import named_in, need, path_of
from satcal.encoding import ENCODINGS

SETUP = ("git clone", "make ", "pip", "export ")
"""Lines that set up a machine rather than ask satcal something."""
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")
WITH_EXAMPLES = [page for page in PAGES if "\n$ satcal " in page.read_text("utf-8")]
WITH_PROGRAMS = [page for page in PAGES if "```python\nimport" in page.read_text("utf-8")]


def make_stream(terminal: bool) -> io.TextIOWrapper:
    """Return a stream for what satcal prints, on a terminal or into a pipe."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
    stream.isatty = lambda: terminal
    return stream


def read_stream(stream: io.TextIOWrapper) -> str:
    """Return what was printed, without colours."""
    stream.seek(0)
    return ESCAPES.sub("", stream.read())


def examples(page: Path) -> Iterator[tuple[str, int, str]]:
    """Yield the commands of a page, each with its exit code (``# exit 1``) and what it prints."""
    for block in re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, output = part.partition("\n")
            command, _, code = line.partition("  # exit ")
            if not command.startswith(SETUP):
                yield command, int(code or 0), output.strip("\n")


def run_part(part: str, text: str, terminal: bool, today: datetime.date) -> Answer:
    """Run one part of a pipeline, satcal in this process."""
    if not part.startswith("satcal "):
        done = subprocess.run(
            ["bash", "-c", part], input=text, text=True, check=False, capture_output=True
        )
        return Answer(done.returncode, done.stdout, done.stderr)
    out, err = make_stream(terminal), make_stream(terminal)
    given = io.TextIOWrapper(io.BytesIO(text.encode()))
    with redirect_stdout(out), redirect_stderr(err), patch.object(sys, "stdin", given):
        code = run_satcal(shlex.split(part)[1:], today=today)
    return Answer(code, read_stream(out), read_stream(err))


def fits(output: str, shown: str) -> bool:
    """Return whether a text is what a page says, where ``...`` stands for any lines."""
    head, dots, tail = output.partition("\n...\n")
    shown = shown.strip("\n")
    return shown == output or bool(dots and shown.startswith(head) and shown.endswith(tail))


def run_line(line: str, today: datetime.date) -> Answer:
    """Run the parts of a pipeline; only the last prints on a terminal."""
    *first, last = line.split(" | ")
    text = ""
    for part in first:
        text = run_part(part, text, False, today).out
    return run_part(last, text, True, today)


@pytest.mark.slow("a page may count several years")
@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.name)
def test_an_example_prints_what_the_page_says(page, today, in_process, tmp_path, monkeypatch):
    """One after the other in one folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")
    for text in re.findall(r"```toml\n(# \S+\.toml\n.*?)```", page.read_text("utf-8"), re.DOTALL):
        Path(text[2:].partition("\n")[0]).write_text(text, encoding="utf-8")
    wrong, missing = [], []
    for command, code, output in examples(page):
        if lacking := [name for name in named_in(command) if path_of(name) is None]:
            missing += lacking
            break  # what follows may need what the program writes
        answer = run_line(command, today)
        shown = (answer.out, answer.out + answer.err, answer.err + answer.out)
        if answer.code != code or not (output == "" or any(fits(output, text) for text in shown)):
            wrong.append((command, answer.code, answer.out[:500], answer.err[:500]))
    assert wrong == []
    need(*missing)


def test_the_examples_of_the_python_page_return_what_it_says(in_process, tmp_path, monkeypatch):
    """One after the other, with the same variables; what they raise begins as it says."""
    monkeypatch.chdir(tmp_path)
    page = DOCS / "reference" / "python.md"
    blocks = re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    parsed = doctest.DocTestParser().get_doctest("".join(blocks), {}, page.name, None, 0)
    failures: list[str] = []
    runner = doctest.DocTestRunner(
        verbose=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    )
    assert runner.run(parsed, out=failures.append).attempted > 20
    assert not failures, "".join(failures)


@pytest.mark.slow("a page may list the tilings of a week")
@pytest.mark.parametrize("page", WITH_PROGRAMS, ids=lambda page: page.name)
def test_the_python_of_a_page_prints_what_its_comments_say(page, in_process, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for block in re.findall(r"```python\n(import.*?)```", page.read_text("utf-8"), re.DOTALL):
        out = io.StringIO()
        with redirect_stdout(out), patch.dict(ENCODINGS):  # a page registers one of its own
            exec(compile(block, page.name, "exec"), {})
        if expected := re.findall(r"^print\(.*\)  # (.*)$", block, re.MULTILINE):
            assert out.getvalue().splitlines() == expected
        else:
            assert out.getvalue()
