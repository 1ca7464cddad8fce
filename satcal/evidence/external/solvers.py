"""How each program is called, within what limits, and how its answer is read.

Some *enumerate* models. Where one takes a bound it is asked for one model more than there should
be, so that one that finds too many stops early, whatever the formula.

Others *decide*: with a blocking clause for each tiling that satcal knows there must be no model
left, and without the last of these clauses just that tiling must come back. The first says that
satcal has every tiling, the second that its formula admits them.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from math import ceil
from pathlib import Path
from typing import NamedTuple

from satcal.encoding.decode import SolverAnswer, parse_answer
from satcal.encoding.formula import Verdict
from satcal.errors import BudgetExhausted, Disagreement, FormatError
from satcal.evidence.external.questions import Question
from satcal.processes import limited

EXIT_CODES = {Verdict.SAT: 10, Verdict.UNSAT: 20, Verdict.UNKNOWN: 0}
TOLD = 300  # characters of a program's complaint that are worth repeating


class Limits(NamedTuple):
    """What one run may cost: ``seconds`` of wall time, bytes of ``memory`` and of ``output``.

    An approximate count may be wrong by a factor of 1 + ``tolerance``.
    """

    seconds: float = 60.0
    memory: int = 8 * 2**30  # of addresses: d4 reserves 4 GB at once, and uses little of them
    output: int = 64 * 2**20
    tolerance: float = 0.8  # what ApproxMC's authors take where they measure it


def run(command: Sequence[str], limits: Limits, endings: Sequence[int]) -> tuple[int, str]:
    """Run a program without input; return its exit code, one of ``endings``, and its output.

    Raises BudgetExhausted if it takes too long, and FormatError if it ends in another way:
    by a signal, by too much output, or because it cannot start.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        # processor time too: it ends what outlives a satcal that was killed
        bounded = limited(command, limits.memory, limits.output, ceil(limits.seconds) + 1)
        process = subprocess.Popen(
            bounded, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
        )
        try:
            code = process.wait(limits.seconds)
        except subprocess.TimeoutExpired as late:
            raise BudgetExhausted(f"stopped after {limits.seconds:g} s") from late
        finally:  # whatever ends the wait, the whole process group ends with it
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        texts = []
        for stream in (out, err):
            stream.seek(0)
            # garbage is for its reader to refuse; the limit bounds how much there is
            texts.append(stream.read().decode("utf-8", "replace"))
    if code not in endings:
        how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        lines = [line.strip() for text in texts for line in text.splitlines() if line.strip()]
        told = f": {lines[-1][:TOLD]}" if lines else ""
        raise FormatError(f"{Path(command[0]).name} ended with {how}{told}")
    return code, texts[0]


def package(question: Question, command: Sequence[str], path: Path, limits: Limits) -> int:
    """Ask a package from PyPI, which writes its number into a file."""
    answer = path.with_suffix(".answer")
    run([*command, str(path), str(answer), str(limits.tolerance)], limits, (0,))
    text = answer.read_text("utf-8", "replace") if answer.exists() else ""
    if not re.fullmatch(r"[0-9]{1,4000}\n", text):
        raise FormatError("it did not say how many there are")
    return int(text)


def clasp(question: Question, command: Sequence[str], path: Path, limits: Limits) -> int:
    """Ask clasp or clingo. Exit codes are sums: 10 a model, 20 complete."""
    bound = question.tilings + 1
    endings = (10, 20, 30) if len(command) == 1 else (0,)  # `python -m clingo` says nothing by it
    _, text = run([*command, "-n", str(bound), "-q", str(path)], limits, endings)
    return clasp_models(text, bound)


def clasp_models(text: str, bound: int) -> int:
    """Return how many models clasp says there are: ``7``, or ``7+`` at its bound."""
    models = re.search(r"^(?:c )?Models +: (\d+)(\+?)$", text, re.MULTILINE)
    if models is None or (models[2] and int(models[1]) < bound):
        raise FormatError("it did not say how many models there are")
    return int(models[1])


def picosat(question: Question, command: Sequence[str], path: Path, limits: Limits) -> int:
    """Ask picosat, which ends with ``s SOLUTIONS 7``."""
    _, text = run([*command, "--all", "-n", str(path)], limits, (10, 20))
    solutions = re.search(r"^s SOLUTIONS (\d+)\s*\Z", text, re.MULTILINE)
    if solutions is None:
        raise FormatError("it did not say how many solutions there are")
    return int(solutions[1])


def cryptominisat(question: Question, command: Sequence[str], path: Path, limits: Limits) -> int:
    """Ask CryptoMiniSat, which prints a status line for each model and the end."""
    bound = question.tilings + 1
    options = ["--verb", "0", "--printsol", "0", "--maxsol", str(bound)]
    _, text = run([*command, *options, str(path)], limits, (10, 20))
    status = re.findall(r"^s (\w+)$", text, re.MULTILINE)
    models = status.count("SATISFIABLE")
    if status[models:] != ["UNSATISFIABLE"] and (models != bound or status[models:]):
        raise FormatError("it did not come to an end of its models")
    return models


def competition(question: Question, command: Sequence[str], path: Path, limits: Limits) -> int:
    """Ask a solver that prints the lines of the SAT competition: cadical, kissat."""
    return _with_blocks(question, path, lambda: run([*command, "-q", str(path)], limits, ENDINGS))


def minisat(question: Question, command: Sequence[str], path: Path, limits: Limits) -> int:
    """Ask minisat, which writes a file of two lines."""
    result = path.with_suffix(".result")

    def ask() -> tuple[int, str]:
        result.unlink(missing_ok=True)
        code, _ = run([*command, "-verb=0", str(path), str(result)], limits, ENDINGS)
        return code, result.read_text("utf-8", "replace") if result.exists() else ""

    return _with_blocks(question, path, ask)


ENDINGS = tuple(EXIT_CODES.values())


def _with_blocks(question: Question, path: Path, ask: Callable[[], tuple[int, str]]) -> int:
    formula, models = path.read_text(), question.models
    if len(models) != question.tilings:
        raise Disagreement(f"satcal lists {len(models):,} tilings and counts {question.tilings:,}")

    def model_beside(known: Sequence[frozenset[int]]) -> SolverAnswer:
        path.write_text(blocked(formula, known))
        code, text = ask()
        answer = parse_answer(text, len(question.whole.options))
        if code != EXIT_CODES[answer.verdict]:
            raise FormatError(f"it says {answer.verdict.value} and ends with exit code {code}")
        if answer.verdict is Verdict.UNKNOWN:
            raise BudgetExhausted("it says UNKNOWN")
        return answer

    def named(answer: SolverAnswer) -> str:
        options = (number - 1 for number in answer.models[0])
        return " ".join(map(str, question.whole.tiling(options)))

    further = model_beside(models)
    if further.models:
        raise Disagreement(
            f"it finds a model besides the {len(models):,} tilings: {named(further)}"
        )
    if models:
        last = model_beside(models[:-1])
        if last.models != (models[-1],):
            other = named(last) if last.models else "none"
            raise Disagreement(f"the last tiling is to be its only model, but it finds {other}")
    return len(models)


def blocked(formula: str, models: Sequence[frozenset[int]]) -> str:
    """Return a DIMACS formula with a clause against each of these models."""
    head = re.search(r"^p cnf (\d+) (\d+)$", formula, re.MULTILINE)
    if head is None:
        raise FormatError("the formula has no line 'p cnf'")
    size = f"p cnf {head[1]} {int(head[2]) + len(models)}"
    clauses = "".join(" ".join(str(-n) for n in sorted(model)) + " 0\n" for model in models)
    return formula[: head.start()] + size + formula[head.end() :] + clauses
