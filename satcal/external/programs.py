"""The programs by name, how to get each, and what it says, compared.

docs/reference/programs.md says what each of them does.
"""

from __future__ import annotations

import enum
import importlib.util
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from satcal.encoding.export import format_named
from satcal.errors import (
    BudgetExhausted,
    Disagreement,
    InputError,
    Missing,
    OptionError,
    shown,
    unknown,
)
from satcal.external import packages, solvers
from satcal.external.questions import Challenge
from satcal.external.solvers import Bounds
from satcal.parts import command_for

ALL = "all"
PYPI = command_for("check-with")
KISSAT = "build it from the sources of arminbiere/kissat and put it on the PATH"


class Program(NamedTuple):
    """One external program.

    ``ask(question, command, path, limits)`` returns its number of tilings; the file ``path``
    holds the question in the program's ``format``. ``words`` follow the executable. One that
    ``projects`` takes formulas whose auxiliaries are not determined; ``copies``, pieces with
    copies.
    """

    name: str
    get: str = PYPI
    ask: Callable[[Challenge, Sequence[str], Path, Bounds], int] = solvers.package
    executable: str = ""
    words: tuple[str, ...] = ()
    module: str = ""
    format: str = "dimacs"
    projects: bool = False
    copies: bool = True

    def command(self) -> list[str] | None:
        """How it is called, None if it is not here."""
        if self.executable and (path := shutil.which(self.executable)):
            return [path, *self.words]
        if not self.module or importlib.util.find_spec(self.module) is None:
            return None
        if self.executable:
            return [sys.executable, "-m", self.module]
        return [sys.executable, "-m", packages.__name__, self.name]

    def cannot(self, question: Challenge) -> str:
        """Why this program cannot be asked the question, or nothing."""
        if question.copies and not self.copies:
            return "a piece has copies, which this program does not support"
        if self.format == "dimacs":
            if not self.projects and not question.determined:
                return (
                    "it counts models over all variables, and this encoding leaves some of them "
                    "free; use --encoding ladder"
                )
        elif question.file is not None:
            return f"golden files are DIMACS, but this program reads {self.format}"
        return ""


def solver(name: str, get: str, executable: str, *words: str) -> Program:
    """A program that prints competition form; ``{}`` in its words is the formula's file."""
    return Program(name, get, solvers.competition, executable, words, projects=True)


_DEBIAN = "apt-get install {}".format
_SOLVERS = (
    solver("cadical", _DEBIAN("cadical"), "cadical", "-q", "{}"),
    solver("kissat", KISSAT, "kissat", "-q", "{}"),
    solver("minisat", _DEBIAN("minisat"), "minisat", "-verb=0", "{}", solvers.ANSWER),
    solver("picosat", _DEBIAN("picosat"), "picosat", "{}"),
    solver("cryptominisat", _DEBIAN("cryptominisat"), "cryptominisat5", "--verb", "0", "{}"),
)
_PROGRAMS = (
    Program("clasp", _DEBIAN("clasp"), solvers.clasp, "clasp"),
    Program("clasp-opb", _DEBIAN("clasp"), solvers.clasp, "clasp", format="opb"),
    Program("clingo", _DEBIAN("gringo"), solvers.clasp, "clingo", module="clingo", format="asp"),
    *_SOLVERS,
    Program("d4", module="py_d4", projects=True),
    Program("ganak", module="pyganak", projects=True),
    Program("xcover", module="xcover", format="dlx", copies=False),
    Program("miniexact", module="miniexact", format="dlx"),
    Program("cp-sat", module="ortools", format="dlx"),
)
PROGRAMS = {program.name: program for program in _PROGRAMS}


def chosen(values: Sequence[str]) -> list[Program]:
    """The programs of lists of names, of ``all``, and of commands such as ``kissat -q {}``.

    Raises OptionError for an empty list or an unfinished command, UnknownName for an unknown name,
    and Missing if a program that was named is not here, or none of all.
    """
    if list(values) == [ALL]:
        if not any(program.command() for program in _PROGRAMS):
            raise Missing(
                "no external program is installed; start with apt-get install clasp cadical, "
                f"or {PYPI}"
            )
        return list(_PROGRAMS)
    wanted: dict[str, Program] = {}
    for value in values:
        some = [_own(value)] if "{}" in value else list(map(_named, filter(None, value.split(","))))
        wanted |= {program.name: program for program in some}
    if not wanted:
        raise OptionError(f"--with names no program; the programs are {', '.join(PROGRAMS)}")
    return list(wanted.values())


def _named(name: str) -> Program:
    if name not in PROGRAMS:
        hint = "" if " " not in name else ". In a command of your own write {} for the formula"
        error = unknown("program", name, PROGRAMS)
        raise type(error)(f"{error}{hint}")
    if PROGRAMS[name].command() is None:
        raise Missing(f"{name} is missing; get it with: {PROGRAMS[name].get}")
    return PROGRAMS[name]


def _own(command: str) -> Program:
    """The program of a command of somebody's own."""
    try:
        executable, *words = shlex.split(command)
    except ValueError as error:
        raise OptionError(f"--with {shown(command)}: {error}; close what is quoted") from error
    if "{}" not in words:
        raise OptionError(f"--with {shown(command)}: write {{}} as a word after the program")
    program = solver(command, "put it on the PATH", executable, *words)
    if program.command() is None:
        raise Missing(f"{executable} is missing; put it on the PATH, or name its path")
    return program


class Ending(enum.Enum):
    """How a comparison ended; only the first two compare anything."""

    AGREES = "agrees"
    DISAGREES = "disagrees"
    STOPPED = "stopped"
    FAILED = "failed"
    UNSUITABLE = "unsuitable"
    MISSING = "missing"


class Checked(NamedTuple):
    """What one program says of one question."""

    question: Challenge
    program: Program
    outcome: Ending
    answer: str

    def __str__(self) -> str:
        return f"{self.program.name} {self.outcome.value}: {self.answer}"

    def as_fields(self) -> dict[str, str | int]:
        """The row of a table."""
        question, cover = self.question, self.question.cover
        of = question.encoding if self.program.format == "dimacs" else self.program.format
        return {
            "board": cover.puzzle.name,
            "reveal": "open" if cover.reveal is None else " ".join(cover.reveal),
            "formula": question.file.name if question.file else of,
            "tilings": question.tilings,
            "program": self.program.name,
            "outcome": self.outcome.value,
            "said": self.answer,
        }


def cross_check(
    asked: Iterable[Challenge], programs: Sequence[Program], limits: Bounds
) -> Iterator[Checked]:
    """Yield what each program says of each question, one after another."""
    for question in asked:
        for program in programs:
            yield Checked(question, program, *_outcome(question, program, limits))


def _outcome(question: Challenge, program: Program, limits: Bounds) -> tuple[Ending, str]:
    command = program.command()
    if command is None:
        return Ending.MISSING, program.get
    if reason := program.cannot(question):
        return Ending.UNSUITABLE, reason
    try:
        with tempfile.TemporaryDirectory(prefix="satcal-") as folder:
            path = Path(folder, f"tilings{format_named(program.format).suffix}")
            path.write_text(question.text(program.format))
            number = program.ask(question, command, path, limits)
    except BudgetExhausted as stop:
        return Ending.STOPPED, str(stop)
    except Disagreement as difference:
        return Ending.DISAGREES, str(difference)
    except InputError as trouble:
        return Ending.FAILED, str(trouble)
    agrees = number == question.tilings
    return (Ending.AGREES if agrees else Ending.DISAGREES), f"{number:,}"
