"""The examples of README and docs/ print what the text says, on a terminal as a reader has it."""

from __future__ import annotations

import datetime
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from command import Answer, run_in_process
from command import run_satcal as run_here
from docs.pages import DOCS, PAGES
from helpers.programs import named_in, need, path_of
from satcal.encoding import ENCODINGS

SETUP = ("git clone", "make ", "pip", "export ")
"""Lines that set up a machine rather than ask satcal something."""
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")
WITH_EXAMPLES = [page for page in PAGES if "\n$ satcal " in page.read_text("utf-8")]
WITH_PROGRAMS = [page for page in PAGES if "```python\nimport" in page.read_text("utf-8")]


class Terminal:
    """One end of a pseudo terminal as a text file, and what was written to it."""

    def __init__(self) -> None:
        self.master, slave = os.openpty()
        self.file = os.fdopen(slave, "w", encoding="utf-8", buffering=1)
        self.data = bytearray()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self) -> None:
        """Take what is written until the other end is closed."""
        while True:
            try:
                self.data += os.read(self.master, 4096)
            except OSError:  # so Linux says that the other end is closed
                return

    def text(self) -> str:
        """Close the terminal, and return its text without colours."""
        self.file.close()
        self.reader.join(240)
        os.close(self.master)
        return ESCAPES.sub("", self.data.decode())


def examples(page: Path) -> Iterator[tuple[str, int, str]]:
    """Yield the commands of a page, each with its exit code (``# exit 1``) and what it prints."""
    for block in re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, output = part.partition("\n")
            command, _, code = line.partition("  # exit ")
            if not command.startswith(SETUP):
                yield command, int(code or 0), output.strip("\n")


def on_terminal(part: str, today: datetime.date, text: str) -> Answer:
    """Run a command with its output on a terminal, satcal in this process."""
    out, err, code = Terminal(), Terminal(), 70
    try:
        if part.startswith("satcal "):
            given = io.TextIOWrapper(io.BytesIO(text.encode()))
            with (
                redirect_stdout(out.file),
                redirect_stderr(err.file),
                patch.object(sys, "stdin", given),
            ):
                code = run_here(shlex.split(part)[1:], today=today)
        else:
            code = shell(part, text, stdout=out.file, stderr=err.file).returncode
    finally:
        shown = out.text(), err.text()
    return Answer(code, *shown)


def shell(part: str, text: str, **streams: Any) -> subprocess.CompletedProcess[str]:
    """Run a command that is not satcal."""
    return subprocess.run(["bash", "-c", part], input=text, text=True, check=False, **streams)


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
        if part.startswith("satcal "):
            text = run_in_process(shlex.split(part)[1:], today, text).out
        else:
            text = shell(part, text, stdout=subprocess.PIPE).stdout
    return on_terminal(last, today, text)


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
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
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
        if said := re.findall(r"^print\(.*\)  # (.*)$", block, re.MULTILINE):
            assert out.getvalue().splitlines() == said
        else:
            assert out.getvalue()
