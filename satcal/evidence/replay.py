"""Replaying a proof by programs that are not the solver that wrote it."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any

from satcal.errors import CertificateRefused, Missing, Stopped, UnknownName, did_you_mean
from satcal.evidence.proof import Step
from satcal.evidence.rebuild import Clause

Replay = Callable[[Sequence[Clause], Sequence[Step], str], None]
HOW_TO_GET = "install satcal[check], or put drat-trim on the PATH"
SECONDS = 1_000_000  # of one replay by drat-trim, which wants a limit
_LIMITED = str(Path(__file__).parent / "external" / "limited.py")


def _dratify(engine: str) -> Replay:
    """Return the checker of the package dratify: in Python, or the one in Rust of cdclkit.

    Both read the same lists; they are of one author, so one family.
    """

    def replay(clauses: Sequence[Clause], steps: Sequence[Step], name: str) -> None:
        if engine == "native":
            importlib.import_module("cdclkit.native")  # this registers it
        from dratify import CNF, check_proof

        problem: Any = CNF()
        problem.clauses = [tuple(_inside(clause)) for clause in clauses]
        problem.nvars = max((abs(x) for clause in clauses for x in clause), default=0)
        inner = [("d" if deletes else "a", tuple(_inside(c))) for deletes, c in steps]
        try:
            # by unit propagation alone: both keep a unit whose reason was deleted, and then a RAT
            # step on its negation refutes any formula (docs/rat-after-deletion.md)
            said = check_proof(problem, inner, engine=engine, check_rat=False)
        except ValueError as error:  # a step that it will not even look at
            raise CertificateRefused(f"{name}: {error}") from error
        if not said.ok:
            where = f"step {said.failed_step}: " if said.failed_step > 0 else ""
            raise CertificateRefused(f"{name}: {where}{said.reason}")

    return replay


def _inside(clause: Iterable[int]) -> list[int]:
    """Return literals as 0, 1, 2, 3, … for 1, -1, 2, -2, …"""
    return [2 * x - 2 if x > 0 else -2 * x - 1 for x in clause]


def _drat_trim(clauses: Sequence[Clause], steps: Sequence[Step], name: str) -> None:
    """Run drat-trim (Heule), which is to be found on the PATH."""
    proof = "".join(f"{'d ' * d}{' '.join(map(str, [*c, 0]))}\n" for d, c in steps)
    # it dies with this process, whose bounds of memory and of files hold for it too
    bounds = map(str, (sys.maxsize, sys.maxsize, SECONDS, os.getpid()))
    start = [sys.executable, "-I", _LIMITED, *bounds, "drat-trim"]
    try:
        with _nameless(dimacs(clauses)) as problem, _nameless(proof.encode()) as told:
            # -f: forward, as its backward mode believes deletions of unit clauses; -U: without
            # RAT; -t: seconds
            done = subprocess.run(
                [*start, f"/dev/fd/{problem.fileno()}", "-f", "-U", "-t", str(SECONDS)],
                stdin=told, pass_fds=[problem.fileno()],
                capture_output=True, text=True, errors="replace", check=False,
            )  # fmt: skip
    except OSError as error:
        raise Stopped(f"{name}: drat-trim cannot be run: {error.strerror or error}") from error
    _judge(done, name)


@contextmanager
def _nameless(content: bytes) -> Iterator[IO[bytes]]:
    """Lend a file that is gone when those who have it open are, however they end."""
    with tempfile.TemporaryFile() as file:
        file.write(content)
        file.seek(0)
        yield file


def _judge(done: subprocess.CompletedProcess[str], name: str) -> None:
    """Raise unless drat-trim verified the proof; without memory or time it says neither."""
    said = done.stdout.splitlines()
    if "s VERIFIED" in said:
        return
    if "s NOT VERIFIED" in said:
        raise CertificateRefused(f"{name}: drat-trim does not verify it")
    code = done.returncode
    how = signal.strsignal(-code) if code < 0 else f"exit code {code}"
    last = f": {said[-1][:200]}" if said else ""
    raise Stopped(
        f"{name}: drat-trim ended without a verdict ({how}{last}); raise --memory-limit, or name "
        "another --checker"
    )


def dimacs(clauses: Sequence[Clause]) -> bytes:
    """Return a formula as a DIMACS file without comments."""
    top = max((abs(literal) for clause in clauses for literal in clause), default=0)
    lines = (" ".join(map(str, (*clause, 0))) for clause in clauses)
    return "\n".join([f"p cnf {top} {len(clauses)}", *lines, ""]).encode()


CHECKERS: dict[str, Replay] = {
    "cdclkit": _dratify("native"),
    "drat-trim": _drat_trim,
    "dratify": _dratify("python"),
}
"""Checkers by name, the fastest first."""
_MODULES = {"cdclkit": ("cdclkit_native", "cdclkit-native"), "dratify": ("dratify", "dratify")}


def is_there(checker: str) -> bool:
    """Return whether a checker can be run here."""
    if checker in _MODULES:
        return importlib.util.find_spec(_MODULES[checker][0]) is not None
    return shutil.which(checker) is not None


def version_of(checker: str) -> str:
    """Return a checker's name with its version, where it tells one."""
    return f"{checker} {version(_MODULES[checker][1])}" if checker in _MODULES else checker


def chosen_checkers(names: Sequence[str] = ()) -> list[str]:
    """Return the checkers to use: those named, or the fastest that is there.

    Raises:
        UnknownName: there is no such checker.
        Missing: it is not installed, or none is.
    """
    for name in names:
        if name not in CHECKERS:
            raise UnknownName(
                f"no checker '{name}'; the checkers are {', '.join(CHECKERS)}"
                + did_you_mean(name, CHECKERS)
            )
        if not is_there(name):
            raise Missing(f"checker {name} is not available; {HOW_TO_GET}")
    found = list(dict.fromkeys(names)) or [name for name in CHECKERS if is_there(name)][:1]
    if not found:
        raise Missing(f"no checker available: nothing is said of the proofs; {HOW_TO_GET}")
    return found
