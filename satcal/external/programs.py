"""The programs by name, how to get each, and what it says, compared.

docs/reference/programs.md says what each of them does.
"""

from __future__ import annotations

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
    SatcalError,
    quote,
    unknown,
)
from satcal.external import packages, solvers
from satcal.external.questions import Question
from satcal.external.solvers import Bounds
from satcal.parts import command_for

ALL = "all"
PYPI = f"run {command_for('check-with')}"
OUTCOMES = {
    Disagreement: "disagrees",
    BudgetExhausted: "stopped",
    OptionError: "unsuitable",
    Missing: "missing",
}
"""The outcome for each kind of error; for any other it is ``failed``."""


class Program(NamedTuple):
    """One external program.

    ``ask(question, command, path, limits)`` returns its number of tilings; the file ``path``
    holds the question in the program's ``format``. ``arguments`` are those of
    the ``executable``. ``projects`` tells whether it can count formulas whose auxiliary variables
    are not determined, ``copies`` whether it supports pieces with several copies.
    """

    name: str
    get: str = PYPI
    ask: Callable[[Question, Sequence[str], Path, Bounds], int] = solvers.ask_package
    executable: str = ""
    arguments: tuple[str, ...] = ()
    module: str = ""
    format: str = "dimacs"
    projects: bool = False
    copies: bool = True

    def command(self) -> list[str]:
        """Return the command that starts it; raise Missing if it is not installed."""
        if self.executable and (path := shutil.which(self.executable)):
            return [path, *self.arguments]
        if not self.module or importlib.util.find_spec(self.module) is None:
            raise Missing(f"{self.name} is missing; to get it, {self.get}")
        if self.executable:
            return [sys.executable, "-m", self.module]
        return [sys.executable, "-m", packages.__name__, self.name]

    def check(self, question: Question) -> None:
        """Raise OptionError if this program cannot be asked the question."""
        if question.has_copies and not self.copies:
            raise OptionError("a piece has copies, which this program does not support")
        if self.format == "dimacs" and not self.projects and not question.determined:
            raise OptionError(
                "it counts models over all variables, and this encoding leaves some of them free; "
                "use --encoding ladder"
            )

    def answer(self, question: Question, limits: Bounds) -> int:
        """Return the number of tilings that it finds; raise Disagreement for a wrong one."""
        command = self.command()
        self.check(question)
        with tempfile.TemporaryDirectory(prefix="satcal-") as folder:
            path = Path(folder, f"tilings{format_named(self.format).suffix}")
            path.write_text(question.text(self.format))
            number = self.ask(question, command, path, limits)
        if number != question.tilings:
            raise Disagreement(f"{number:,}")
        return number


def solver(name: str, get: str, executable: str, *words: str) -> Program:
    """Return a program that prints competition form; ``{}`` in its words is the formula's file."""
    return Program(name, get, solvers.ask_competition, executable, words, projects=True)


_DEBIAN = "run apt-get install {}".format
_KISSAT = "build it from the sources of arminbiere/kissat and put it on the PATH"
_PROGRAMS = (
    Program("clasp", _DEBIAN("clasp"), solvers.ask_clasp, "clasp"),
    Program("clasp-opb", _DEBIAN("clasp"), solvers.ask_clasp, "clasp", format="opb"),
    Program(
        "clingo", _DEBIAN("gringo"), solvers.ask_clasp, "clingo", module="clingo", format="asp"
    ),
    solver("cadical", _DEBIAN("cadical"), "cadical", "-q", "{}"),
    solver("kissat", _KISSAT, "kissat", "-q", "{}"),
    solver("minisat", _DEBIAN("minisat"), "minisat", "-verb=0", "{}", solvers.ANSWER),
    solver("picosat", _DEBIAN("picosat"), "picosat", "{}"),
    solver("cryptominisat", _DEBIAN("cryptominisat"), "cryptominisat5", "--verb", "0", "{}"),
    Program("d4", module="py_d4", projects=True),
    Program("ganak", module="pyganak", projects=True),
    Program("xcover", module="xcover", format="dlx", copies=False),
    Program("miniexact", module="miniexact", format="dlx"),
    Program("cp-sat", module="ortools", format="dlx"),
)
PROGRAMS = {program.name: program for program in _PROGRAMS}


def parse_programs(values: Sequence[str]) -> list[Program]:
    """Return the programs of names with commas, ``all``, or commands such as ``kissat -q {}``.

    Raises:
        OptionError: no program is named, or a command has an open quotation mark or no ``{}``.
        UnknownName: there is no program of that name.
        Missing: a named program is not installed, or none at all for ``all``.
    """
    if list(values) == [ALL]:
        if all(map(is_missing, _PROGRAMS)):
            raise Missing(
                f"no external program is installed; run apt-get install clasp cadical, or {PYPI}"
            )
        return list(_PROGRAMS)
    wanted: dict[str, Program] = {}
    for value in values:
        if "{}" in value:
            wanted[value] = parse_command(value)
            continue
        for name in filter(None, value.split(",")):
            if name not in PROGRAMS:
                hint = ". In a command of your own write {} for the formula" if " " in name else ""
                raise type(error := unknown("program", name, PROGRAMS))(f"{error}{hint}")
            wanted[name] = PROGRAMS[name]
    if not wanted:
        raise OptionError(f"--with names no program; the programs are {', '.join(PROGRAMS)}")
    for program in wanted.values():
        program.command()
    return list(wanted.values())


def is_missing(program: Program) -> bool:
    """Return whether a program is not here."""
    try:
        program.command()
    except Missing:
        return True
    return False


def parse_command(command: str) -> Program:
    """Return the program of a command that a user gives."""
    try:
        executable, *words = shlex.split(command)
    except ValueError as error:
        raise OptionError(f"--with {quote(command)}: {error}; close what is quoted") from error
    if "{}" not in words:
        raise OptionError(f"--with {quote(command)}: write {{}} as a word after the program")
    return solver(command, f"put {executable} on the PATH", executable, *words)


class Compared(NamedTuple):
    """What one program says of one question; without an ``error`` it agrees."""

    question: Question
    program: Program
    error: SatcalError | None

    @property
    def outcome(self) -> str:
        """The outcome in a word."""
        if self.error is None:
            return "agrees"
        return next((o for kind, o in OUTCOMES.items() if isinstance(self.error, kind)), "failed")

    @property
    def said(self) -> str:
        """The program's number, or the reason why it gave none; how to get it if it is missing."""
        if isinstance(self.error, Missing):
            return self.program.get
        return f"{self.question.tilings:,}" if self.error is None else str(self.error)

    def as_fields(self) -> dict[str, str | int]:
        """Return the row of a table."""
        question, cover = self.question, self.question.cover
        format_name = question.encoding if self.program.format == "dimacs" else self.program.format
        return {
            "board": cover.puzzle.name,
            "reveal": "open" if cover.reveal is None else " ".join(cover.reveal),
            "formula": format_name,
            "tilings": question.tilings,
            "program": self.program.name,
            "outcome": self.outcome,
            "said": self.said,
        }


def cross_check(
    asked: Iterable[Question], programs: Sequence[Program], limits: Bounds
) -> Iterator[Compared]:
    """Yield what each program says of each question, one after another."""
    for question in asked:
        for program in programs:
            error: SatcalError | None = None
            try:
                program.answer(question, limits)
            except (InputError, Disagreement, BudgetExhausted, Missing) as trouble:
                error = trouble
            yield Compared(question, program, error)
