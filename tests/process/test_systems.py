"""Nothing that only Unix or Linux has is needed: what Windows and macOS lack is hidden."""

import os
from pathlib import Path

import pytest

from oracle import TWO_EACH, write

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
COMMANDS = {
    "count Oct 6 --method diagram,sat -j 1 -o a.csv": "a.csv",
    "count small.toml --all-reveals --method sat -j 2 --store s.db -o b.csv": "b.csv",
    "solve small.toml --reveal a": "",
    "hint small.toml --reveal a": "",
    "export small.toml --reveal a -o c.cnf": "c.cnf",
    "decode c.cnf unsatisfiable -b small.toml": "",
    "certify small.toml --reveal a -j 1 -o d.satcert": "d.satcert",
    "certify small.toml --all-reveals -j 2 -o e.satcert": "e.satcert",
    "check d.satcert": "",
    "claims a.csv -o g.csv": "g.csv",
    "show small.toml -o f.svg": "f.svg",
    "site small.toml -o there.html": "there.html",
}


@pytest.mark.slow("every command, with fresh interpreters")
def test_a_system_without_fork_and_the_modules_of_unix_is_enough(shell, folder):
    (folder / "hide").mkdir()
    note = folder / "processes.txt"
    (folder / "hide" / "sitecustomize.py").write_text(HIDE.format(note=str(note)))
    write(TWO_EACH, folder / "small.toml")
    (folder / "unsatisfiable").write_text("s UNSATISFIABLE\n")
    path = os.pathsep.join([str(folder / "hide"), os.environ["PYTHONPATH"]])
    codes = {line: shell(f"satcal {line}", PYTHONPATH=path) for line in COMMANDS}
    failed = {line: answer for line, answer in codes.items() if answer.code != ("decode" in line)}
    assert not failed
    assert all(Path(name).stat().st_size for name in COMMANDS.values() if name)
    pairs = [line.split() for line in note.read_text().splitlines()]
    parents = {number for _, number in pairs}
    assert sum(parent in parents for parent, _ in pairs) >= 10  # children hide as well
