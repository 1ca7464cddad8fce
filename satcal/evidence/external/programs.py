"""The programs by name, how to get each, and what it says, compared.

docs/external.md says what each of them does.
"""

from __future__ import annotations

import enum
import importlib.util
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from satcal.encoding.export import format_named
from satcal.errors import (
    BudgetExhausted,
    Disagreement,
    InputError,
    Missing,
    OptionError,
    unknown,
)
from satcal.evidence.external import packages, solvers
from satcal.evidence.external.questions import Question
from satcal.evidence.external.solvers import Limits

ALL = "all"
PYPI = 'pip install "satcal[check-with]"'
KISSAT = "build it from the sources of arminbiere/kissat and put it on the PATH"


class Program(NamedTuple):
    """One external program.

    ``ask(question, command, path, limits)`` returns its number of tilings; the file ``path``
    holds the question in the program's ``format``. One that ``projects`` takes formulas whose
    auxiliaries are not determined; ``copies``, pieces with copies. One that is ``approximate``
    is right up to a factor.
    """

    name: str
    get: str = PYPI
    ask: Callable[[Question, Sequence[str], Path, Limits], int] = solvers.package
    executable: str = ""
    module: str = ""
    format: str = "dimacs"
    projects: bool = False
    copies: bool = True
    approximate: bool = False

    def command(self) -> list[str] | None:
        """Return how it is called, None if it is not here."""
        if self.executable and (path := shutil.which(self.executable)):
            return [path]
        if not self.module or importlib.util.find_spec(self.module) is None:
            return None
        if self.executable:
            return [sys.executable, "-m", self.module]
        return [sys.executable, "-m", packages.__name__, self.name]

    def cannot(self, question: Question) -> str:
        """Return why the question is none for this program, or nothing."""
        if question.copies and not self.copies:
            return "a piece has copies, of which exact cover without multiplicities knows nothing"
        if self.format == "dimacs":
            if not self.projects and not question.determined:
                return "the auxiliaries are not determined, and it counts models of all variables"
        elif question.file is not None:
            return f"a golden file is DIMACS, and it reads the format {self.format}"
        return ""


_CLASP, _GRINGO = "apt-get install clasp", "apt-get install gringo"
_PROGRAMS = (
    Program("clasp", _CLASP, solvers.clasp, "clasp"),
    Program("clasp-opb", _CLASP, solvers.clasp, "clasp", format="opb"),
    Program("clingo", _GRINGO, solvers.clasp, "clingo", "clingo", format="asp"),
    Program("picosat", "apt-get install picosat", solvers.picosat, "picosat"),
    Program(
        "cryptominisat", "apt-get install cryptominisat", solvers.cryptominisat, "cryptominisat5"
    ),
    Program("cadical", "apt-get install cadical", solvers.competition, "cadical", projects=True),
    Program("minisat", "apt-get install minisat", solvers.minisat, "minisat", projects=True),
    Program("kissat", KISSAT, solvers.competition, "kissat", projects=True),
    Program("d4", module="py_d4", projects=True),
    Program("ganak", module="pyganak", projects=True),
    Program("approxmc", module="pyapproxmc", projects=True, approximate=True),
    Program("xcover", module="xcover", format="dlx", copies=False),
    Program("exact-cover", module="exact_cover", format="dlx", copies=False),
    Program("pyxcc", module="pyxcc", format="dlx", copies=False),
    Program("miniexact", module="miniexact", format="dlx"),
    Program("graphillion", module="graphillion", format="dlx"),
    Program("cp-sat", module="ortools", format="dlx"),
)
PROGRAMS = {program.name: program for program in _PROGRAMS}


def chosen(names: str) -> list[Program]:
    """Return the programs of a list of names, or of ``all``.

    Raises OptionError for an empty list, UnknownName for a name that is none, and Missing
    if one that was named is not here, or not one of all.
    """
    if names == ALL:
        if not any(program.command() for program in _PROGRAMS):
            raise Missing(
                f"no external program is here; begin with apt-get install clasp cadical, or {PYPI}"
            )
        return list(_PROGRAMS)
    wanted = list(dict.fromkeys(name for name in names.split(",") if name))
    if not wanted:
        raise OptionError(f"--with names no program; the programs are {', '.join(PROGRAMS)}")
    for name in wanted:
        if name not in PROGRAMS:
            raise unknown("program", name, PROGRAMS)
        if PROGRAMS[name].command() is None:
            raise Missing(f"{name} is missing; get it with: {PROGRAMS[name].get}")
    return [PROGRAMS[name] for name in wanted]


class Outcome(enum.Enum):
    """How a comparison ended; only the first two compare anything."""

    AGREES = "agrees"
    DISAGREES = "disagrees"
    STOPPED = "stopped"
    FAILED = "failed"
    UNSUITABLE = "unsuitable"
    MISSING = "missing"


class Checked(NamedTuple):
    """What one program says of one question."""

    question: Question
    program: Program
    outcome: Outcome
    answer: str

    def __str__(self) -> str:
        return f"{self.program.name} {self.outcome.value}: {self.answer}"

    def as_fields(self) -> dict[str, str | int]:
        """Return the row of a table."""
        question, whole = self.question, self.question.whole
        of = question.encoding if self.program.format == "dimacs" else self.program.format
        return {
            "board": whole.puzzle.name,
            "reveal": "open" if whole.reveal is None else " ".join(whole.reveal),
            "formula": question.file.name if question.file else of,
            "tilings": question.tilings,
            "program": self.program.name,
            "outcome": self.outcome.value,
            "said": self.answer,
        }


def cross_check(
    asked: Iterable[Question], programs: Sequence[Program], limits: Limits
) -> Iterator[Checked]:
    """Yield what each program says of each question, one after another."""
    for question in asked:
        for program in programs:
            yield Checked(question, program, *_outcome(question, program, limits))


def _outcome(question: Question, program: Program, limits: Limits) -> tuple[Outcome, str]:
    command = program.command()
    if command is None:
        return Outcome.MISSING, program.get
    if reason := program.cannot(question):
        return Outcome.UNSUITABLE, reason
    try:
        with tempfile.TemporaryDirectory(prefix="satcal-") as folder:
            path = Path(folder, f"tilings{format_named(program.format).suffix}")
            path.write_text(question.text(program.format))
            number = program.ask(question, command, path, limits)
    except BudgetExhausted as stop:
        return Outcome.STOPPED, str(stop)
    except Disagreement as difference:
        return Outcome.DISAGREES, str(difference)
    except InputError as trouble:
        return Outcome.FAILED, str(trouble)
    tolerance = limits.tolerance if program.approximate else 0.0
    right = close(question.tilings, number, tolerance)
    return (Outcome.AGREES if right else Outcome.DISAGREES), f"{number:,}"


def close(tilings: int, number: int, tolerance: float) -> bool:
    """Return whether a count is right up to a factor of 1 + tolerance."""
    factor = 1 + Fraction(str(tolerance))
    return Fraction(tilings) / factor <= number <= tilings * factor
