"""Decoding: an external solver's answer to an export becomes verified tilings.

Read are the ``s`` and ``v`` lines of the SAT and pseudo-Boolean competitions (CaDiCaL,
clasp, also several answers of ``clasp -n 0``) and minisat's result file; other lines are
passed over. Rules: https://satcompetition.github.io/2024/output.html
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from satcal.encoding.formula import Satisfiability
from satcal.errors import BudgetExhausted, FormatError, NoTiling, Unsatisfiable
from satcal.proof.verifier import Verifier
from satcal.puzzle.demands import Demand, place
from satcal.puzzle.model import Label, Puzzle, Reveal, Tiling
from satcal.puzzle.placements import Cover, cover_of

MAX_ANSWER = 64 * 1024 * 1024  # bytes: `clasp -n 0` prints some 10 KB for each tiling


@dataclass(frozen=True)
class Decoded:
    """A tiling that a solver found, verified, and the reveal that it leaves."""

    reveal: Reveal
    tiling: Tiling


def decode(
    puzzle: Puzzle,
    reveal: Reveal | None,
    text: str,
    *,
    demands: Sequence[Demand] = (),
    where: str = "answer",
) -> list[Decoded]:
    """The different tilings of a solver's answer, in the order of the answer.

    ``puzzle``, ``reveal`` (None for the open formula) and ``demands`` are those of the
    export; ``where`` names the text in errors. In every format and encoding, variables 1
    to n are the options of the cover, so the answer is read without the formula. Raises
    FormatError for no answer, Unsatisfiable, NoTiling for a model that is no tiling, and
    BudgetExhausted for UNKNOWN.
    """
    cover = place(cover_of(puzzle, reveal), demands)
    answer = parse_answer(text, len(cover.options), where)
    says = f"{where}: the solver says {answer.verdict.value}:"
    of_what = " ".join([puzzle.name, *(reveal or ())])
    if answer.verdict is Satisfiability.UNSAT:
        raise Unsatisfiable(f"{says} {of_what} has no solution")
    if answer.verdict is Satisfiability.UNKNOWN:
        raise BudgetExhausted(
            f"{says} it stopped before it knew whether {of_what} has a tiling; give it more time"
        )
    decoded: dict[Decoded, None] = {}
    for number, model in enumerate(answer.models, start=1):
        which = f"{where}: model {number}" if len(answer.models) > 1 else where
        decoded.setdefault(_verified(cover, model, f"{which}: this is not a tiling"))
    return list(decoded)


def _verified(cover: Cover, model: frozenset[int], refusal: str) -> Decoded:
    chosen = [variable - 1 for variable in sorted(model)]
    tiling, reveal = cover.tiling(chosen), cover.reveal
    if reveal is None:
        options = [cover.options[index] for index in chosen]
        labels = [option for option in options if isinstance(option, Label)]
        for category in cover.puzzle.categories:
            texts = [label.text for label in labels if label.category == category]
            if len(texts) != 1:
                raise NoTiling(
                    f"{refusal}: it reveals {' and '.join(texts) or 'no label'} of the category "
                    f"{category}; was the open formula of this board exported?"
                )
        reveal = tuple(label.text for label in labels)
    fault = Verifier(cover.puzzle, reveal).fault(tiling)
    if fault:
        raise NoTiling(
            f"{refusal}: {fault}; was the formula exported for this board, reveal and --place?"
        )
    return Decoded(reveal, tiling)


@dataclass(frozen=True)
class SolverAnswer:
    """A verdict with its models, sets of true variables: some if it is SAT, else none."""

    verdict: Satisfiability
    models: tuple[frozenset[int], ...] = ()


# "c UNKNOWN" is how CaDiCaL ends at a limit; bare words are minisat's, in file and on screen
_LINES = {
    Satisfiability.SAT: ("s SATISFIABLE", "SAT", "SATISFIABLE"),
    Satisfiability.UNSAT: ("s UNSATISFIABLE", "UNSAT", "UNSATISFIABLE"),
    Satisfiability.UNKNOWN: ("s UNKNOWN", "c UNKNOWN", "INDET", "INDETERMINATE"),
}
_VERDICTS = {line: verdict for verdict, lines in _LINES.items() for line in lines}
_LITERAL = re.compile(r"-?x?[0-9]+", re.ASCII)
_HOW = (
    "save what a solver prints (`cadical FILE > ANSWER`, `clasp FILE > ANSWER`) or the result "
    "file of `minisat FILE ANSWER`"
)


def parse_answer(text: str, variables: int, where: str = "answer") -> SolverAnswer:
    """The answer in a solver's output; ``where`` names it in errors.

    A model holds those of the first ``variables`` variables that are true. Raises FormatError
    if the text is no answer, contradicts itself or is cut short.
    """
    reader = _Reader(where, variables)
    for number, line in enumerate(text.splitlines(), start=1):
        reader.read(number, line.strip())
    reader.end_model()
    verdict, models = reader.verdict, reader.models
    if verdict is None:
        lacking = "no status line such as 's SATISFIABLE', so this is not a solver's whole answer"
        reason = lacking if text.strip() else "it is empty"
        raise FormatError(f"{where}: {reason}; {_HOW}")
    if verdict is Satisfiability.SAT and not models:
        raise reader.fault(f"{verdict.value}, but no model follows; {_HOW}", reader.verdict_line)
    if verdict is not Satisfiability.SAT and models:
        raise reader.fault(
            f"a model, although line {reader.verdict_line} says {verdict.value}; is this "
            "the output of two runs?"
        )
    return SolverAnswer(verdict, tuple(models))


@dataclass
class _Reader:
    """Takes an answer line by line; ``model`` has the literals of one that has not ended."""

    where: str
    variables: int
    verdict: Satisfiability | None = None
    verdict_line: int = 0
    model_line: int = 0  # the last one with literals
    bare: bool = False  # after minisat's SAT, literals stand on lines of their own
    model: set[int] = field(default_factory=set)
    pseudo_boolean: bool = False  # literals such as -x17, whose model ends with its lines
    models: list[frozenset[int]] = field(default_factory=list)

    def fault(self, message: str, line: int | None = None) -> FormatError:
        return FormatError(f"{self.where}: line {line or self.model_line}: {message}")

    def read(self, number: int, line: str) -> None:
        if line == "v" or line.startswith("v "):
            self._literals(number, line[1:])
        elif line in _VERDICTS:
            self._verdict(number, line)
        elif self.bare and line:
            self._literals(number, line)
        elif line.startswith("s "):
            raise self.fault(
                f"'{line[:40]}' is not a status line; expected 's SATISFIABLE', "
                "'s UNSATISFIABLE' or 's UNKNOWN'",
                number,
            )
        elif line.startswith("p "):
            raise self.fault(f"this is a formula, not a solver's answer to it; {_HOW}", number)
        elif line:
            self.end_model()

    def _verdict(self, number: int, line: str) -> None:
        self.end_model()
        verdict = _VERDICTS[line]
        if self.verdict not in (None, verdict):
            raise self.fault(
                f"'{line}' contradicts line {self.verdict_line}; is this the output of two runs?",
                number,
            )
        self.verdict, self.verdict_line, self.bare = verdict, number, line == "SAT"

    def _literals(self, number: int, text: str) -> None:
        self.model_line, self.pseudo_boolean = number, "x" in text
        tokens = text.split()
        try:
            values = [int(token.replace("x", "")) for token in tokens]
        except ValueError:
            odd = next((token for token in tokens if not _LITERAL.fullmatch(token)), tokens[0])
            raise self.fault(
                f"'{odd[:40]}' is not a literal; a model is a list such as 1 -2 3 0"
            ) from None
        for value in values:
            if value:
                self.model.add(value)
            else:
                self._close_model()

    def end_model(self) -> None:
        """Take that no line of the current model follows."""
        if self.model and not self.pseudo_boolean:
            raise self.fault("the model does not end with 0; is the file cut short?")
        if self.model:
            self._close_model()

    def _close_model(self) -> None:
        model, self.model = self.model, set()
        for variable in range(1, self.variables + 1):
            signs = (variable in model) + (-variable in model)
            if signs == 2:
                both = f"{variable} and -{variable}"
                raise self.fault(f"the model has both {both}; are two answers mixed?")
            if not signs:
                raise self.fault(
                    f"the model has no value for variable {variable} of {self.variables}, not even "
                    "a negative number for false; is it the answer to this puzzle and reveal?"
                )
        self.models.append(frozenset(model.intersection(range(1, self.variables + 1))))
