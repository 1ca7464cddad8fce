"""The external programs by name, how to get each, and the comparison of their counts.

docs/reference/programs.md describes the programs.
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

from satcal.encoding import encoding_named
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
from satcal.external.solvers import Budget
from satcal.parts import command_for

ALL = "all"
GET_FROM_PYPI = f"run {command_for('check-with')}"
OUTCOMES = {
    Disagreement: "disagrees",
    BudgetExhausted: "stopped",
    OptionError: "unsuitable",
    Missing: "missing",
}
"""The outcome for each class of error; for any other class it is ``failed``."""


class Program(NamedTuple):
    """An external program.

    ``ask(question, command, path, limits)`` returns its number of tilings; the file ``path``
    holds the question in ``format``. ``get`` says how to install it. It is an ``executable`` with
    ``arguments``, or a Python ``module``. A program that ``can_project`` counts models over the
    placement variables only; one that ``supports_copies`` accepts pieces with several copies.
    """

    name: str
    get: str = GET_FROM_PYPI
    ask: Callable[[Question, Sequence[str], Path, Budget], int] = solvers.ask_package
    executable: str = ""
    arguments: tuple[str, ...] = ()
    module: str = ""
    format: str = "dimacs"
    can_project: bool = False
    supports_copies: bool = True

    def command(self) -> list[str]:
        """Return the command that starts the program; raise Missing if it is not installed."""
        if self.executable and (path := shutil.which(self.executable)):
            return [path, *self.arguments]
        if not self.module or importlib.util.find_spec(self.module) is None:
            raise Missing(f"{self.name} is missing; to get it, {self.get}")
        if self.executable:
            return [sys.executable, "-m", self.module]
        return [sys.executable, "-m", packages.__name__, self.name]

    def check(self, question: Question) -> None:
        """Raise OptionError if the program does not support the question."""
        has_copies = any(item.copies > 1 for item in question.cover.items)
        if has_copies and not self.supports_copies:
            raise OptionError("a piece has copies, which this program does not support")
        is_determined = self.format != "dimacs" or encoding_named(question.encoding).determined
        if not is_determined and not self.can_project:
            raise OptionError(
                "it counts models over all variables, and this encoding leaves some of them free; "
                "use --encoding ladder"
            )

    def answer(self, question: Question, limits: Budget) -> int:
        """Return the program's number of tilings; raise Disagreement if satcal's differs."""
        command = self.command()
        self.check(question)
        with tempfile.TemporaryDirectory(prefix="satcal-") as folder:
            path = Path(folder, f"tilings{format_named(self.format).suffix}")
            path.write_text(question.text(self.format))
            number = self.ask(question, command, path, limits)
        if number != question.tilings:
            raise Disagreement(f"{number:,}")  # the table has satcal's number beside it
        return number


def build_solver(name: str, get: str, executable: str, *arguments: str) -> Program:
    """Return a solver that prints the SAT competition's form; ``{}`` is the formula's file.

    It can project, because the blocking clauses are over the placement variables only.
    """
    return Program(name, get, solvers.ask_competition, executable, arguments, can_project=True)


_DEBIAN = "run apt-get install {}".format
_PROGRAMS = (
    Program("clasp", _DEBIAN("clasp"), solvers.ask_clasp, "clasp"),
    Program("clasp-opb", _DEBIAN("clasp"), solvers.ask_clasp, "clasp", format="opb"),
    Program(
        "clingo", _DEBIAN("gringo"), solvers.ask_clasp, "clingo", module="clingo", format="asp"
    ),
    build_solver("cadical", _DEBIAN("cadical"), "cadical", "-q", "{}"),
    build_solver("minisat", _DEBIAN("minisat"), "minisat", "-verb=0", "{}", solvers.ANSWER),
    build_solver("picosat", _DEBIAN("picosat"), "picosat", "{}"),
    build_solver("cryptominisat", _DEBIAN("cryptominisat"), "cryptominisat5", "--verb", "0", "{}"),
    Program("d4", module="py_d4", can_project=True),
    Program("ganak", module="pyganak", can_project=True),
    Program("xcover", module="xcover", format="dlx", supports_copies=False),
    Program("miniexact", module="miniexact", format="dlx"),
    Program("cp-sat", module="ortools", format="dlx"),
)
PROGRAMS = {program.name: program for program in _PROGRAMS}


def parse_programs(values: Sequence[str]) -> list[Program]:
    """Parse names between commas, ``all``, or commands such as ``kissat -q {}``.

    Raises:
        OptionError: no program is named, or a command has an open quotation mark or no ``{}``.
        UnknownName: there is no program of that name.
        Missing: a named program is not installed.
    """
    if list(values) == [ALL]:
        return list(_PROGRAMS)
    programs: dict[str, Program] = {}
    for value in values:
        if "{}" in value:
            programs[value] = parse_command(value)
            continue
        for name in filter(None, value.split(",")):
            if name not in PROGRAMS:
                hint = ". In a command of your own write {} for the formula" if " " in name else ""
                raise type(error := unknown("program", name, PROGRAMS))(f"{error}{hint}")
            programs[name] = PROGRAMS[name]
    if not programs:
        raise OptionError(f"--with names no program; the programs are {', '.join(PROGRAMS)}")
    for program in programs.values():
        program.command()
    return list(programs.values())


def parse_command(command: str) -> Program:
    """Return the program of a user's command."""
    try:
        executable, *arguments = shlex.split(command)
    except ValueError as error:
        raise OptionError(f"--with {quote(command)}: {error}; end the quotation") from error
    if "{}" not in arguments:
        raise OptionError(f"--with {quote(command)}: write {{}} as a word after the program")
    return build_solver(command, f"put {executable} on the PATH", executable, *arguments)


class Comparison(NamedTuple):
    """The comparison of a program's count with satcal's; without an ``error`` they agree."""

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
    def answer(self) -> str:
        """The program's number, also if it disagrees, or its error, or how to get it."""
        if isinstance(self.error, Missing):
            return self.program.get
        return f"{self.question.tilings:,}" if self.error is None else str(self.error)

    def as_fields(self) -> dict[str, str | int]:
        """Return a row of the table; ``formula`` is the encoding, or the format if not DIMACS."""
        question = self.question
        formula = question.encoding if self.program.format == "dimacs" else self.program.format
        return {
            "board": question.puzzle.name,
            "reveal": " ".join(question.reveal),
            "formula": formula,
            "tilings": question.tilings,
            "program": self.program.name,
            "outcome": self.outcome,
            "answer": self.answer,
        }


def compare_programs(
    questions: Iterable[Question], programs: Sequence[Program], limits: Budget
) -> Iterator[Comparison]:
    """Ask each program each question, one after another; yield the comparisons."""
    for question in questions:
        for program in programs:
            error: SatcalError | None = None
            try:
                program.answer(question, limits)
            except (InputError, Disagreement, BudgetExhausted, Missing) as failure:
                error = failure
            yield Comparison(question, program, error)
