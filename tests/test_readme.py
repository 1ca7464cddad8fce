"""Every example of the README and of docs/ runs, and prints what the text says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from programs import named_in, need

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
DOCUMENTS = [README, (ROOT / "docs" / "external.md").read_text()]
# lines that set up a machine rather than ask satcal something
SETUP = ("git clone", "make ")


def examples():
    blocks = [b for text in DOCUMENTS for b in re.findall(r"```console\n(.*?)```", text, re.DOTALL)]
    for block in blocks:
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            if not command.startswith(SETUP):
                yield pytest.param(command, output.strip("\n"), id=command)


@pytest.fixture
def folder(tmp_path):
    """A folder with the command satcal on its path, as an installation has it."""
    script = tmp_path / "bin" / "satcal"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m satcal "$@"\n')
    script.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(("command", "output"), list(examples()))
def test_an_example_of_the_readme_prints_what_the_readme_says(folder, command, output):
    need(*named_in(command))
    if "plain.cnf |" in command:
        subprocess.run(
            [sys.executable, "-m", "satcal", "export", "--date", "2025-10-06", "--encoding",
             "plain", "-o", str(folder / "plain.cnf")], check=True, capture_output=True,
        )  # fmt: skip
    if "formula.cnf |" in command:
        subprocess.run(
            [sys.executable, "-m", "satcal", "export", "--reveal", "Oct,6", "-o",
             str(folder / "formula.cnf")], check=True, capture_output=True,
        )  # fmt: skip
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    settings = {"PATH": path, "SATCAL_CACHE": str(folder / "cache")}
    said = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=os.environ | settings,
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    printed = said.stdout.strip("\n")
    if "\n...\n" in output:
        head, tail = output.split("\n...\n")
        assert printed.startswith(head + "\n")
        assert printed.endswith("\n" + tail)
    elif output:
        assert printed == output


def test_the_python_example_of_the_readme_runs(capsys):
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(compile(code, "README.md", "exec"), {})
    assert len(capsys.readouterr().out.splitlines()) == 7


def test_the_puzzle_of_the_readme_loads(tmp_path):
    import satcal

    (text,) = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
    path = tmp_path / "small.toml"
    path.write_text(text)
    assert satcal.count_all(satcal.load(str(path))) == {("Jan",): 2, ("Feb",): 2}
