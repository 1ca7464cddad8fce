"""What a solver prints, read: a verdict and its models.

Read are the ``s`` and ``v`` lines of the SAT, MaxSAT and pseudo-Boolean competitions, also of
whole enumerations (``cryptominisat5 --maxsol``, ``picosat --all``, ``clasp -n 0``), minisat's
result file, and the answer sets of clingo. Other lines are passed over.
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
# "c UNKNOWN" is how CaDiCaL ends at a limit; bare words are minisat's, and clingo's
_LINES = {
    Satisfiability.SAT: ("s SATISFIABLE", "SAT", "SATISFIABLE"),
    Satisfiability.UNSAT: ("s UNSATISFIABLE", "UNSAT", "UNSATISFIABLE"),
    Satisfiability.UNKNOWN: (
        *("s UNKNOWN", "s INDETERMINATE", "c UNKNOWN"),
        *("INDET", "INDETERMINATE", "UNKNOWN"),
    ),
}
_VERDICTS = {line: verdict for verdict, lines in _LINES.items() for line in lines}
_LITERAL = re.compile(r"-?x?[0-9]{1,9}", re.ASCII)
_ATOM = re.compile(r"place\(([0-9]{1,9})\)\.?", re.ASCII)
_NUMBER = re.compile(r"(?:s SOLUTIONS|(?:[c%] )?Models +:) ([0-9]+)", re.ASCII)


@dataclass(frozen=True)
class SolverAnswer:
    """A verdict with its models, sets of true variables: some if it is SAT, else none.

    ``complete`` says that the solver claims to have printed every model.
    """

    verdict: Satisfiability
    models: tuple[frozenset[int], ...] = ()
    complete: bool = False


def parse_answer(
    text: str, options: int, variables: int | None = None, where: str = "answer"
) -> SolverAnswer:
    """Return the answer in a solver's output; ``where`` names it in errors.

    A model holds those of the first ``options`` variables that are true; what it does not name is
    false. ``variables`` are those of the formula, if they are known.

    Raises:
        FormatError: the text is not an answer, contradicts itself, is cut short, or has a literal
            that the formula does not have.
    """
    reader = _Reader(where, options, variables)
    for number, line in enumerate(text.splitlines(), start=1):
        reader.read(number, line.strip())
    reader.end_model()
    verdict = reader.verdict
    if verdict is None:
        lacking = "no status line such as 's SATISFIABLE', so this is not a solver's whole answer"
        reason = lacking if text.strip() else "it is empty"
        raise FormatError(f"{where}: {reason}; {HOW}")
    if verdict is Satisfiability.SAT and not reader.models:
        raise reader.fault(f"{verdict.value}, but no model follows; {HOW}", reader.verdict_line)
    return SolverAnswer(verdict, tuple(reader.models), reader.complete)


@dataclass
class _Reader:
    """Takes an answer line by line; ``model`` has the literals of one that has not ended."""

    where: str
    options: int
    variables: int | None
    verdict: Satisfiability | None = None
    verdict_line: int = 0
    model_line: int = 0  # the last one with literals
    bare: bool = False  # after minisat's SAT, literals stand on lines of their own
    model: set[int] = field(default_factory=set)
    ends_with_lines: bool = False  # a pseudo-Boolean model, of literals such as -x17
    models: list[frozenset[int]] = field(default_factory=list)
    complete: bool = False

    def fault(self, message: str, line: int | None = None) -> FormatError:
        return FormatError(f"{self.where}: line {line or self.model_line}: {message}")

    def read(self, number: int, line: str) -> None:
        words = line.split()
        if line in _VERDICTS:
            self.end_model()
            self.take_verdict(number, _VERDICTS[line])
            self.bare = line == "SAT"
        elif number_of_all := _NUMBER.fullmatch(line):
            self.end_model()
            # of equations clasp prints the last model only
            self.complete = int(number_of_all[1]) == len(self.models) > 0
        elif words[:1] == ["v"]:
            self.take_literals(number, words[1:])
        elif self.bare and words:
            self.take_literals(number, words)
        elif words and all(map(_ATOM.fullmatch, words)):
            self.model_line = number
            self.close_model({int(found[1]) for found in map(_ATOM.fullmatch, words) if found})
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
        """Take a verdict; UNSAT behind models says that there are no more, UNKNOWN nothing."""
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
        """Take the literals of a line; a lone word of 0 and 1 has the value of each variable."""
        self.model_line = number
        least = max(2, self.variables or self.options)
        if len(words) == 1 and not self.model and re.fullmatch(f"[01]{{{least},}}", words[0]):
            self.close_model({at for at, value in enumerate(words[0], start=1) if value == "1"})
            return
        self.ends_with_lines = any("x" in word for word in words)
        for word in words:
            if not _LITERAL.fullmatch(word):
                raise self.fault(
                    f"'{word[:40]}' is not a literal; a model is a list such as 1 -2 3 0"
                )
            if literal := int(word.replace("x", "")):
                self.model.add(literal)
            else:
                self.end_model(closed=True)

    def end_model(self, closed: bool = False) -> None:
        """End the current model, which needs a 0 unless it ends with its lines."""
        if not self.model and not closed:
            return
        if not closed and not self.ends_with_lines:
            raise self.fault("the model does not end with 0; is the file cut short?")
        model, self.model = self.model, set()
        self.close_model(model)

    def close_model(self, model: set[int]) -> None:
        """Keep a model; raise FormatError if it cannot be one of the formula."""
        if self.verdict is Satisfiability.UNSAT or self.complete:
            raise self.fault(
                f"a model, although line {self.verdict_line} says that there is none, or no other; "
                "is this the output of two runs?"
            )
        contradictory = min((value for value in model if value > 0 and -value in model), default=0)
        if contradictory:
            raise self.fault(
                f"the model has both {contradictory} and -{contradictory}; are two answers mixed?"
            )
        beyond = max(map(abs, model), default=0)
        if self.variables is not None and beyond > self.variables:
            raise self.fault(
                f"{beyond} is beyond the formula's {self.variables} variables; is it the answer "
                "to this formula?"
            )
        self.models.append(frozenset(v for v in model if 0 < v <= self.options))
