"""The programs by name: where each is found, what it reads, and how to get it."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from satcal.errors import Missing, OptionError, UnknownName, did_you_mean
from satcal.evidence.external import counters, deciders, enumerators
from satcal.evidence.external.process import Limits
from satcal.evidence.external.questions import Question

Ask = Callable[[Question, Sequence[str], Path, Limits], int]
ALL = "all"
PYPI = 'pip install "satcal[check-with]"'


@dataclass(frozen=True)
class Program:
    """One external program.

    ``ask(question, command, path, limits)`` returns its number of tilings, where the file
    ``path`` holds the question in the program's ``format``. ``projects``: formulas whose
    auxiliaries are not determined are no trouble; ``copies``: nor are pieces with copies.
    ``approximate``: the number is right up to a factor.
    """

    name: str
    what: str
    get: str
    ask: Ask
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
        return [sys.executable, "-m", "satcal.evidence.external.hosted", self.name]

    def cannot(self, question: Question) -> str:
        """Return why the question is none for this program; an empty text if it is one."""
        if question.copies and not self.copies:
            return "a piece has copies, of which exact cover without multiplicities knows nothing"
        if self.format == "dimacs":
            if not self.projects and not question.determined:
                return "the auxiliaries are not determined, and it counts models of all variables"
        elif question.file is not None:
            return f"a golden file is DIMACS, and it reads the format {self.format}"
        return ""


def _debian(
    name: str, what: str, ask: Ask, package: str = "", executable: str = "", **more: bool | str
) -> Program:
    get = f"apt-get install {package or name}"
    return Program(name, what, get, ask, executable or name, **more)  # type: ignore[arg-type]


def _counter(name: str, what: str, module: str, **more: bool | str) -> Program:
    return Program(name, what, PYPI, counters.counted, module=module, **more)  # type: ignore[arg-type]


def _covers(name: str, what: str, module: str, copies: bool = False) -> Program:
    return _counter(name, what, module, format="dlx", projects=True, copies=copies)


_PROGRAMS = (
    _debian("clasp", "enumerates models of clauses", enumerators.clasp),
    _debian("clasp-opb", "enumerates models of equations", enumerators.clasp, "clasp", "clasp",
            format="opb"),
    _debian("clingo", "enumerates answer sets", enumerators.clasp, "gringo", "clingo",
            module="clingo", format="asp"),
    _debian("picosat", "enumerates models of clauses", enumerators.picosat),
    _debian("cryptominisat", "enumerates models of clauses", enumerators.cryptominisat,
            executable="cryptominisat5"),
    _debian("cadical", "decides clauses and blocks", deciders.competition, projects=True),
    _debian("minisat", "decides clauses and blocks", deciders.minisat, projects=True),
    Program("kissat", "decides clauses and blocks",
            "build it from the sources of arminbiere/kissat and put it on the PATH",
            deciders.competition, "kissat", projects=True),
    _counter("d4", "counts models of clauses, projected", "py_d4", projects=True),
    _counter("ganak", "counts models of clauses, projected", "pyganak", projects=True),
    _counter("approxmc", "counts models of clauses up to a factor", "pyapproxmc",
             projects=True, approximate=True),
    _covers("xcover", "dancing cells on exact covers", "xcover"),
    _covers("exact-cover", "dancing links on exact covers", "exact_cover"),
    _covers("pyxcc", "dancing cells on exact covers", "pyxcc"),
    _covers("cp-sat", "constraints of exact covers", "ortools", copies=True),
)  # fmt: skip
PROGRAMS = {program.name: program for program in _PROGRAMS}


def chosen(names: str) -> list[Program]:
    """Return the programs of a list of names, or of ``all``.

    Raises:
        UnknownName: no program of that name.
        OptionError: an empty list.
        Missing: one that was named is not here, or of all not one is.
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
            raise UnknownName(
                f"no program '{name}'; the programs are {', '.join(PROGRAMS)}"
                + did_you_mean(name, [*PROGRAMS, ALL])
            )
        if PROGRAMS[name].command() is None:
            raise Missing(f"{name} is missing; get it with: {PROGRAMS[name].get}")
    return [PROGRAMS[name] for name in wanted]
