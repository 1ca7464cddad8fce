"""The parser of solvers' output: a verdict and its models.

It reads the ``s`` and ``v`` lines of the SAT, MaxSAT and pseudo-Boolean competitions, also with
several models (``cryptominisat5 --maxsol``, ``picosat --all``, ``clasp -n 0``), minisat's result
file, and the answer sets of clingo. It ignores other lines.
Rules: https://satcompetition.github.io/2024/output.html

>>> text = "s SATISFIABLE" + chr(10) + "v 1 -2 0" + chr(10) + "s UNSATISFIABLE"
>>> parse_answer(text, 2)
SolverAnswer(verdict=<Satisfiability.SAT: 'SATISFIABLE'>, models=(frozenset({1}),), complete=True)
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from satcal.encoding.formula import Satisfiability
from satcal.errors import FormatError

MAX_ANSWER = 64 * 1024 * 1024  # bytes: `clasp -n 0` prints some 10 KB for each tiling
HOW = (
    "save what a solver prints (`cadical FILE > ANSWER`, `clasp FILE > ANSWER`) or the result "
    "file of `minisat FILE ANSWER`"
)
# "c UNKNOWN" is CaDiCaL's line at a limit; words without "s" are minisat's and clingo's
_UNKNOWN = ("s UNKNOWN", "s INDETERMINATE", "c UNKNOWN", "INDET", "INDETERMINATE", "UNKNOWN")
_VERDICTS = (
    dict.fromkeys(("s SATISFIABLE", "SAT", "SATISFIABLE"), Satisfiability.SAT)
    | dict.fromkeys(("s UNSATISFIABLE", "UNSAT", "UNSATISFIABLE"), Satisfiability.UNSAT)
    | dict.fromkeys(_UNKNOWN, Satisfiability.UNKNOWN)
)
_LITERAL = re.compile(r"-?x?[0-9]{1,9}", re.ASCII)
_ATOM = re.compile(r"place\(([0-9]{1,9})\)\.?", re.ASCII)
_COUNT = re.compile(r"c s exact arb int ([0-9]{1,4000})", re.ASCII)
_NUMBER = re.compile(r"(?:s SOLUTIONS|(?:[c%] )?Models +:) ([0-9]+)", re.ASCII)


@dataclass(frozen=True)
class SolverAnswer:
    """A verdict with its models, which are sets of true variables; only SAT has models.

    ``complete`` tells whether the solver claims to have printed every model.
    """

    verdict: Satisfiability
    models: tuple[frozenset[int], ...] = ()
    complete: bool = False


def parse_answer(
    text: str, options: int, variables: int | None = None, where: str = "answer"
) -> SolverAnswer:
    """Return the answer in a solver's output; ``where`` names it in errors.

    A model has the true ones among the first ``options`` variables; a variable without a literal is
    false. ``variables`` is the number of variables of the formula, or None if it is not known.

    Raises:
        FormatError: the text is not an answer, contradicts itself, is cut short, or has a literal
            beyond the variables.
    """
    reader = _Reader(where, options, variables)
    for number, line in enumerate(text.splitlines(), start=1):
        reader.read(number, line.strip())
    reader.end_model()
    verdict = reader.verdict
    if verdict is None:
        reason = "no status line such as 's SATISFIABLE', so this is not a solver's whole answer"
        reason = reason if text.strip() else "it is empty"
        raise FormatError(f"{where}: {reason}; {HOW}")
    if verdict is Satisfiability.SAT and not reader.models:
        raise reader.fault(f"{verdict.value}, but no model follows; {HOW}", reader.verdict_line)
    return SolverAnswer(verdict, tuple(reader.models), reader.complete)


def parse_count(text: str) -> int | None:
    """Return the number in a model counter's answer, or None if it has none.

    Raises:
        FormatError: the answer contradicts itself.
    """
    lines = [line.strip() for line in text.splitlines()]
    counts = {int(match[1]) for match in map(_COUNT.fullmatch, lines) if match}
    if not counts:
        return None
    verdicts = {_VERDICTS[line] for line in lines if line in _VERDICTS}
    expected = Satisfiability.SAT if max(counts) else Satisfiability.UNSAT
    if len(counts) > 1 or verdicts - {expected}:
        raise FormatError("its lines 's ...' and 'c s exact arb int ...' contradict each other")
    return counts.pop()


@dataclass
class _Reader:
    """The state of reading line by line; ``model`` has the literals of the unfinished model."""

    where: str
    options: int
    variables: int | None
    verdict: Satisfiability | None = None
    verdict_line: int = 0
    model_line: int = 0  # the last line with literals
    has_bare_literals: bool = False  # after minisat's SAT, lines of literals have no "v"
    model: set[int] = field(default_factory=set)
    ends_without_zero: bool = False  # a pseudo-Boolean model, with literals such as -x17
    models: list[frozenset[int]] = field(default_factory=list)
    complete: bool = False

    def fault(self, message: str, line: int | None = None) -> FormatError:
        return FormatError(f"{self.where}: line {line or self.model_line}: {message}")

    def read(self, number: int, line: str) -> None:
        words = line.split()
        if line in _VERDICTS:
            self.end_model()
            self.take_verdict(number, _VERDICTS[line])
            self.has_bare_literals = line == "SAT"
        elif match := _NUMBER.fullmatch(line):
            self.end_model()
            announced, found = int(match[1]), len(self.models)
            if announced != found:
                raise self.fault(
                    f"it announces {announced} models and has {found}; is it cut short? (clasp "
                    "prints only the last model of an .opb: leave out -n 0)",
                    number,
                )
            self.complete = found > 0
        elif words[:1] == ["v"]:
            self.take_literals(number, words[1:])
        elif self.has_bare_literals and words:
            self.take_literals(number, words)
        elif words and all(map(_ATOM.fullmatch, words)):
            self.model_line = number
            self.add_model({int(match[1]) for match in map(_ATOM.fullmatch, words) if match})
        elif line.startswith("s "):
            raise self.fault(
                f"'{line[:40]}' is not a status line; expected 's SATISFIABLE', "
                "'s UNSATISFIABLE' or 's UNKNOWN'",
                number,
            )
        elif line.startswith("p "):
            raise self.fault(f"this is a formula, not a solver's answer to it; {HOW}", number)
        elif line:
            self.end_model()

    def take_verdict(self, number: int, verdict: Satisfiability) -> None:
        """Take a verdict; after models, UNSAT means that they are complete, UNKNOWN nothing."""
        if self.models and verdict is not Satisfiability.SAT:
            self.complete |= verdict is Satisfiability.UNSAT
            self.verdict = Satisfiability.SAT
        elif self.verdict in (None, verdict):
            self.verdict = verdict
        else:
            raise self.fault(
                f"{verdict.value} contradicts line {self.verdict_line}; is this the output of two "
                "runs?",
                number,
            )
        self.verdict_line = number

    def take_literals(self, number: int, words: list[str]) -> None:
        """Take the literals of a line."""
        self.model_line = number
        self.ends_without_zero = any("x" in word for word in words)
        for word in words:
            if not _LITERAL.fullmatch(word):
                raise self.fault(
                    f"'{word[:40]}' is not a literal; a model is a list such as 1 -2 3 0"
                )
            if literal := int(word.replace("x", "")):
                self.model.add(literal)
            else:
                self.end_model(has_zero=True)

    def end_model(self, has_zero: bool = False) -> None:
        """End the current model, which needs a 0 unless it is pseudo-Boolean."""
        if not self.model and not has_zero:
            return
        if not has_zero and not self.ends_without_zero:
            raise self.fault("the model does not end with 0; is the file cut short?")
        model, self.model = self.model, set()
        self.add_model(model)

    def add_model(self, model: set[int]) -> None:
        """Add a model; raise FormatError if it cannot be one of the formula."""
        if self.verdict is Satisfiability.UNSAT or self.complete:
            raise self.fault(
                f"a model, although line {self.verdict_line} says that there is none, or no other; "
                "is this the output of two runs?"
            )
        variable = min((value for value in model if value > 0 and -value in model), default=0)
        if variable:
            raise self.fault(
                f"the model has both {variable} and -{variable}; are two answers mixed?"
            )
        variable = max(map(abs, model), default=0)
        if self.variables is not None and variable > self.variables:
            raise self.fault(
                f"{variable} is beyond the formula's {self.variables} variables; is it the answer "
                "to this formula?"
            )
        self.models.append(frozenset(v for v in model if 0 < v <= self.options))
