"""Programs that decide a formula: cadical, kissat and minisat.

With a blocking clause for each tiling that satcal knows there must be no model left, and
without the last of these clauses just that tiling must come back. The first says that satcal
has every tiling, the second that its formula admits them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from satcal.encoding.solver_output import SolverAnswer, Verdict, parse_answer
from satcal.errors import BudgetExhausted, Disagreement, FormatError
from satcal.evidence.external.process import Limits, run
from satcal.evidence.external.questions import Question

Decide = Callable[[Path, int], SolverAnswer]
EXIT_CODES = {Verdict.SAT: 10, Verdict.UNSAT: 20, Verdict.UNKNOWN: 0}


def competition(question: Question, command: Sequence[str], path: Path, limits: Limits) -> int:
    """Ask a solver that prints the lines of the SAT competition: cadical, kissat."""

    def decide(formula: Path, variables: int) -> SolverAnswer:
        done = run([*command, "-q", str(formula)], limits, (0, 10, 20))
        return _checked(parse_answer(done.said, variables), done.code)

    return _with_blocks(question, path, decide)


def minisat(question: Question, command: Sequence[str], path: Path, limits: Limits) -> int:
    """Ask minisat, which writes a file of two lines."""
    result = path.with_suffix(".result")

    def decide(formula: Path, variables: int) -> SolverAnswer:
        done = run([*command, "-verb=0", str(formula), str(result)], limits, (0, 10, 20))
        said = result.read_text("utf-8", "replace") if result.exists() else ""
        result.unlink(missing_ok=True)
        return _checked(parse_answer(said, variables), done.code)

    return _with_blocks(question, path, decide)


def _checked(answer: SolverAnswer, code: int) -> SolverAnswer:
    """Return an answer that can be believed.

    Raises:
        FormatError: the exit code says something else.
        BudgetExhausted: the solver gave up.
    """
    if code != EXIT_CODES[answer.verdict]:
        raise FormatError(f"it says {answer.verdict.value} and ends with exit code {code}")
    if answer.verdict is Verdict.UNKNOWN:
        raise BudgetExhausted("it says UNKNOWN")
    return answer


def _with_blocks(question: Question, path: Path, decide: Decide) -> int:
    text, models = path.read_text(), question.models
    if len(models) != question.tilings:
        raise Disagreement(f"satcal lists {len(models):,} tilings and counts {question.tilings:,}")
    shown = len(question.whole.options)
    path.write_text(blocked(text, models))
    further = decide(path, shown)
    if further.models:
        raise Disagreement(
            f"it finds a model besides the {len(models):,} tilings: {_named(question, further)}"
        )
    if models:
        path.write_text(blocked(text, models[:-1]))
        last = decide(path, shown)
        if last.models != (models[-1],):
            found = _named(question, last) if last.models else "none"
            raise Disagreement(f"the last tiling is to be its only model, but it finds {found}")
    return len(models)


def blocked(text: str, models: Sequence[frozenset[int]]) -> str:
    """Return a DIMACS formula with a clause more for each model: not all of these options."""
    head = re.search(r"^p cnf (\d+) (\d+)$", text, re.MULTILINE)
    if head is None:
        raise FormatError("the formula has no line 'p cnf'")
    size = f"p cnf {head[1]} {int(head[2]) + len(models)}"
    clauses = "".join(" ".join(str(-n) for n in sorted(model)) + " 0\n" for model in models)
    return text[: head.start()] + size + text[head.end() :] + clauses


def _named(question: Question, answer: SolverAnswer) -> str:
    tiling = question.whole.tiling(number - 1 for number in answer.models[0])
    return " ".join(map(str, tiling))
