"""Second opinions: programs of others that replay a proof.

A program has accepted a proof only if it says so in its own words: ``cake_lpr`` (Tan, Heule and
Myreen) ends with exit code 0 when it fails, too. DRUP is held to unit propagation: two of these
programs accepted anything by RAT after the deletion of a reason (docs/rat-after-deletion.md).
``satcal-verified`` is given whole sections of a certificate, and tells what it has proved.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from importlib.metadata import version
from itertools import takewhile
from typing import Any, NamedTuple

from satcal.counting.verified import NAME, label_names, plain_text, program
from satcal.errors import CertificateRefused, Missing, Stopped, unknown
from satcal.evidence.lrat import Standard, Step, drup_text, literals_of
from satcal.processes import limited
from satcal.proof.certificate import Opened
from satcal.proof.formula import cubes_cover, task
from satcal.proof.replay import lemmas
from satcal.puzzle.model import Puzzle

SECONDS = 1_000_000  # of processor time of one replay; --time-limit bounds the whole check


class Program(NamedTuple):
    """A program on the PATH that ``reads`` a form of proof, behind the formula.

    It ``accepts`` by a line of its standard output, and ``refuses`` by a pattern on any line.
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
    # "lrat-trim: error:" is about files and memory, all else is a refusal
    "lrat-trim": Program("lrat", (), "s VERIFIED", r"lrat-trim: (?!error: ).*"),
    # -f: forward (backward, it believes deletions of units); -U: without RAT
    "drat-trim": Program(
        "drup", ("-f", "-U", "-t", str(SECONDS)), "s VERIFIED",
        "s (NOT VERIFIED|DERIVATION)",  # no lemma is empty
    ),
}  # fmt: skip
MODULES = {"cdclkit": ("cdclkit_native", "cdclkit-native"), "dratify": ("dratify", "dratify")}
"""Python packages, which read DRUP: the module to look for, and the distribution."""
VERIFIED = "verified"
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

    Raises UnknownName if there is no such checker, Missing if it is not installed.
    """
    for name in names:
        if name not in CHECKERS:
            raise unknown("checker", name, CHECKERS)
        if name == VERIFIED:
            program()
        elif not available(name):
            how = "install satcal[check]" if name in MODULES else "put it on the PATH"
            raise Missing(f"checker {name} is not available; {how} (docs/certificates.md)")
    return list(dict.fromkeys(names))


def ask(name: str, problem: Standard, steps: Sequence[Step], where: str) -> None:
    """Have a checker replay a proof; one that :func:`reads_drup` needs no hints.

    Raises CertificateRefused if it refuses the proof, Stopped if it gives no verdict.
    """
    if name in MODULES:
        _ask_module(name, problem, steps, where)
    else:
        proof = drup_text(steps) if reads_drup(name) else problem.lrat(steps)
        _ask_program(name, problem.dimacs(), proof, where)


def _ask_module(name: str, problem: Standard, steps: Sequence[Step], where: str) -> None:
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


def _ask_program(name: str, formula: str, proof: str, where: str) -> None:
    program = PROGRAMS[name]
    try:
        with ExitStack() as stack:
            numbers = []
            for content in (formula, proof):  # files that vanish with their last reader
                file = stack.enter_context(tempfile.TemporaryFile())
                file.write(content.encode())
                file.seek(0)
                numbers.append(file.fileno())
            read = [f"/dev/fd/{number}" for number in numbers]
            # it dies with this process, whose bounds hold for it too
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
    for line in lines:
        if re.fullmatch(program.refuses, line):
            raise CertificateRefused(f"{where}: {name} refuses it: {line[:200]}")
    code = done.returncode
    how = signal.strsignal(-code) if code < 0 else f"exit code {code}"
    last = f": {lines[-1][:200]}" if lines else ""
    raise Stopped(
        f"{where}: {name} ended without a verdict ({how}{last}); raise --memory-limit, or name "
        "another --checker"
    )


def ask_verified(data: bytes, puzzle: Puzzle) -> None:
    """Have ``satcal-verified`` check each section of a certificate; errors as of :func:`ask`."""
    opened = Opened(data)
    for number, stated in enumerate(opened.stated, start=1):
        done = subprocess.run(
            limited([program(), "check", "-", *label_names(puzzle, stated.reveal)]),
            input="\n".join(section_lines(opened, number, puzzle)),
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        where = f"{' '.join(stated.reveal) or 'the board'}: {NAME}"
        message = done.stderr.strip() or f"exit {done.returncode}"
        if done.returncode == 2:
            raise CertificateRefused(f"{where} refuses it: {message}")
        last = done.stdout.rstrip("\n").rpartition("\n")[2]
        if done.returncode or last.rpartition(",")[2] != str(stated.tilings):
            raise Stopped(f"{where} ended without a verdict: {message}")


def section_lines(opened: Opened, number: int, puzzle: Puzzle) -> Iterator[str]:
    """Yield a section's text for the program, numbered as in docs/certificates.md."""
    reveal = opened.stated[number - 1].reveal
    todo, cubes = task(puzzle, reveal), opened.cubes(number)
    numbers = {placed: place for place, placed in enumerate(todo.placements(), start=1)}
    tilings = opened.tilings(number)
    yield plain_text(puzzle, [reveal]) + "tilings"
    for tiling in tilings:
        yield " ".join(str(numbers.get(placed, 0)) for placed in tiling)
    before: tuple[object, ...] = ()
    for index, (cube, rest) in enumerate(zip(cubes, cubes_cover(todo, cubes), strict=True), 1):
        chosen = {placed for _, placed in cube}
        same = len([*takewhile(lambda pair: pair[0] == pair[1], zip(cube, before, strict=False))])
        yield from (f"cell {row} {column}" for (row, column), _ in cube[same + bool(before) :])
        before = cube
        yield "proof"
        given = len(rest.cells) + sum(copies > 0 for _, _, copies in rest.copies)
        given += sum(chosen.issubset(tiling) for tiling in tilings)
        name = opened.proof(number, index)
        yield from proof_lines(opened.content(name), name, given)


def proof_lines(content: bytes, name: str, given: int) -> Iterator[str]:
    """Yield a proof's lemmas, as they are numbered behind so many clauses."""
    for clause, (codes, hints) in enumerate(lemmas(content, name), start=given):
        used = [(clause - (hint >> 1)) * (-1 if hint & 1 else 1) for hint in hints]
        yield " ".join(map(str, [*literals_of(codes), 0, *used]))
