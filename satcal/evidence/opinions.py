"""Second opinions: programs of others that replay a proof in a standard form.

satcal's own replay needs none of them. Each is given the formula with all its clauses and the
proof as files without a name, and has accepted a proof only if it says so in its own words:
``cake_lpr`` (Tan, Heule and Myreen, verified down to its machine code) ends with exit code 0
when it fails, too. What is in DRUP form is held to unit propagation: RAT after the deletion of a
reason let two of these programs accept anything (docs/rat-after-deletion.md).
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from satcal.counting.verified import program
from satcal.errors import CertificateRefused, Missing, Stopped, UnknownName, did_you_mean
from satcal.evidence.lrat import Drup, Standard, Step, drup_text
from satcal.processes import limited

SECONDS = 1_000_000  # of processor time of one replay; --time-limit bounds the whole check


@dataclass(frozen=True)
class Program:
    """A program on the PATH that ``reads`` a form of proof, behind the formula.

    It ``accepts`` by a line of its standard output, ``refuses`` by a pattern on either output.
    """

    reads: str
    arguments: tuple[str, ...]
    accepts: str
    refuses: str


PROGRAMS = {
    "cake_lpr": Program(
        "lrat", (), "s VERIFIED UNSAT",
        r"c (Checking failed|empty clause not derived|[Pp]arsing failed|Failed to parse).*",
    ),
    "lrat-check": Program("lrat", (), "c VERIFIED", r"c (failed|.*FAILED|NOT VERIFIED).*"),
    # "lrat-trim: error:" is about files and memory, all else that it calls by its name is a refusal
    "lrat-trim": Program("lrat", (), "s VERIFIED", r"lrat-trim: (?!error: ).*"),
    # -f: forward, as its backward mode believes deletions of unit clauses; -U: without RAT
    "drat-trim": Program(
        "drup", ("-f", "-U", "-t", str(SECONDS)), "s VERIFIED",
        "s (NOT VERIFIED|DERIVATION)",  # no lemma is empty
    ),
}  # fmt: skip
MODULES = {"cdclkit": ("cdclkit_native", "cdclkit-native"), "dratify": ("dratify", "dratify")}
"""Python packages, which read DRUP: the module to look for, and the distribution."""
VERIFIED = "verified"  # satcal-verified, which is given whole sections: see evidence/verified.py
CHECKERS = (*PROGRAMS, *MODULES, VERIFIED)


def available(name: str) -> bool:
    """Return whether a checker can be run here."""
    if name in MODULES:
        return importlib.util.find_spec(MODULES[name][0]) is not None
    return shutil.which(name) is not None


def titled(name: str) -> str:
    """Return a checker's name with its version, where that is known."""
    return f"{name} {version(MODULES[name][1])}" if name in MODULES else name


def reads_drup(name: str) -> bool:
    """Return whether a checker takes a proof without hints."""
    return name in MODULES or (name in PROGRAMS and PROGRAMS[name].reads == "drup")


def chosen(names: Sequence[str]) -> list[str]:
    """Return the checkers that are named, each once.

    Raises:
        UnknownName: there is no such checker.
        Missing: it is not installed.
    """
    for name in names:
        if name not in CHECKERS:
            raise UnknownName(
                f"no checker '{name}'; the checkers are {', '.join(CHECKERS)}"
                + did_you_mean(name, CHECKERS)
            )
        if name == VERIFIED:
            program()
        elif not available(name):
            how = "install satcal[check]" if name in MODULES else "put it on the PATH"
            raise Missing(f"checker {name} is not available; {how} (docs/certificates.md)")
    return list(dict.fromkeys(names))


def ask(name: str, problem: Standard, proof: Sequence[Step], where: str) -> None:
    """Have a checker replay a proof that satcal's own replay has accepted.

    Raises:
        CertificateRefused: it refuses the proof.
        Stopped: it ends without a verdict, or cannot be run.
    """
    if reads_drup(name):
        ask_drup(name, problem, [Drup(False, step.literals) for step in proof], where)
    else:
        _ask_program(name, problem, problem.lrat(proof), where)


def ask_drup(name: str, problem: Standard, steps: Sequence[Drup], where: str) -> None:
    """Have a checker replay a proof without hints; errors as of :func:`ask`."""
    if name in MODULES:
        _ask_module(name, problem, steps, where)
    else:
        _ask_program(name, problem, drup_text(steps), where)


def _ask_module(name: str, problem: Standard, steps: Sequence[Drup], where: str) -> None:
    if name == "cdclkit":
        importlib.import_module("cdclkit.native")  # this registers it
    from dratify import CNF, check_proof

    def coded(clause: Iterable[int]) -> tuple[int, ...]:  # 1, -1, 2, -2, … as 0, 1, 2, 3, …
        return tuple(2 * x - 2 if x > 0 else -2 * x - 1 for x in clause)

    formula: Any = CNF()
    formula.clauses = list(map(coded, problem.clauses))
    formula.nvars = problem.variables
    proof = [("d" if step.deletes else "a", coded(step.literals)) for step in steps]
    engine = "native" if name == "cdclkit" else "python"
    try:
        verdict = check_proof(formula, proof, engine=engine, check_rat=False)
    except ValueError as error:  # a step that it will not even look at
        raise CertificateRefused(f"{where}: {name}: {error}") from error
    if not verdict.ok:
        step = f"step {verdict.failed_step}: " if verdict.failed_step > 0 else ""
        raise CertificateRefused(f"{where}: {name}: {step}{verdict.reason}")


def _ask_program(name: str, problem: Standard, proof: str, where: str) -> None:
    program = PROGRAMS[name]
    # it dies with this process, whose bounds of memory and of files hold for it too
    try:
        with ExitStack() as stack:
            numbers = []
            for content in (problem.dimacs(), proof):  # files that vanish with their last reader
                file = stack.enter_context(tempfile.TemporaryFile())
                file.write(content.encode())
                file.seek(0)
                numbers.append(file.fileno())
            read = [f"/dev/fd/{number}" for number in numbers]
            done = subprocess.run(
                limited([name, *read, *program.arguments], seconds=SECONDS),
                stdin=subprocess.DEVNULL, pass_fds=numbers,
                capture_output=True, text=True, errors="replace", check=False,
            )  # fmt: skip
    except OSError as error:
        raise Stopped(f"{where}: {name} cannot be run: {error.strerror or error}") from error
    if program.accepts in done.stdout.splitlines():
        return
    lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    refusal = next((line for line in lines if re.fullmatch(program.refuses, line)), None)
    if refusal is not None:
        raise CertificateRefused(f"{where}: {name} refuses it: {refusal[:200]}")
    code = done.returncode
    how = signal.strsignal(-code) if code < 0 else f"exit code {code}"
    last = f": {lines[-1][:200]}" if lines else ""
    raise Stopped(
        f"{where}: {name} ended without a verdict ({how}{last}); raise --memory-limit, or name "
        "another --checker"
    )
