"""Nothing that only Unix or Linux has is needed: what Windows and macOS lack is hidden."""

import os
import shlex
from pathlib import Path

import pytest

from oracle import TWO_EACH, write
from process.conftest import PYTHON

HIDE = """
import builtins, io, os, signal, sys
for name in "SIGHUP", "SIGKILL", "pthread_sigmask":
    delattr(signal, name)
for name in "fcntl", "resource", "pwd":
    sys.modules[name] = None  # an import raises ImportError
del os.fork
def hidden(opened):
    def look(file, *arguments, **options):
        if isinstance(file, (str, os.PathLike)) and os.fspath(file).startswith("/proc/"):
            raise FileNotFoundError(file)
        return opened(file, *arguments, **options)
    return look
builtins.open, io.open = hidden(builtins.open), hidden(io.open)
open({note!r}, "a").write(f"{{os.getppid()}} {{os.getpid()}}\\n")
"""
LINES = [
    "count Oct 6 --method diagram,sat -j 1 -o a.csv",
    "count small.toml --all-reveals --method sat -j 2 --store s.db -o b.csv",
    "solve small.toml --reveal a -o h.txt",
    "hint small.toml --reveal a -o i.txt",
    "export small.toml --reveal a -o c.cnf",
    "certify small.toml --reveal a -j 1 -o d.satcert",
    "certify small.toml --all-reveals -j 2 -o e.satcert",
    "check d.satcert -o j.txt",
    "claims a.csv -o g.csv",
    "show small.toml -o f.svg",
    "site small.toml -o there.html",
    "decode c.cnf unsatisfiable -b small.toml",
]
RUN = "import sys; from satcal.cli.main import run; print([run(x.split()) for x in sys.argv[1:]])"


@pytest.mark.slow("every command, with fresh interpreters")
def test_a_system_without_fork_and_the_modules_of_unix_is_enough(shell, folder):
    (folder / "hide").mkdir()
    note = folder / "processes.txt"
    (folder / "hide" / "sitecustomize.py").write_text(HIDE.format(note=str(note)))
    write(TWO_EACH, folder / "small.toml")
    (folder / "unsatisfiable").write_text("s UNSATISFIABLE\n")
    path = os.pathsep.join([str(folder / "hide"), os.environ["PYTHONPATH"]])
    answer = shell(f"{PYTHON} -c {shlex.join([RUN, *LINES])}", PYTHONPATH=path)
    assert answer.out.splitlines()[-1] == str([0] * (len(LINES) - 1) + [1]), answer
    files = [Path(line.partition(" -o ")[2]) for line in LINES[:-1]]
    assert all(file.stat().st_size for file in files)
    (_, first), *others = [line.split() for line in note.read_text().splitlines()]
    assert {parent for parent, _ in others} == {first}  # children hide as well
