"""How each program is called, within what limits, and how its answer is read.

Some *enumerate* models. If a program accepts a limit, it is asked for one model more than satcal
counts, so that a wrong formula cannot keep it busy for long.

Others *decide*: with a blocking clause for each tiling that satcal knows there must be no model
left, and without the last of these clauses just that tiling must come back. The first shows that
satcal missed no tiling, the second that the formula admits at least the last one.
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

from satcal.encoding.answer import SolverAnswer, parse_answer
from satcal.encoding.decode import decode
from satcal.encoding.formula import Satisfiability
from satcal.errors import BudgetExhausted, Disagreement, FormatError, NoTiling
from satcal.external.questions import Question
from satcal.processes import limit_command

EXIT_CODES = {Satisfiability.SAT: 10, Satisfiability.UNSAT: 20, Satisfiability.UNKNOWN: 0}
PROBLEM = re.compile(r"^p cnf (\d+) (\d+)$", re.MULTILINE)
ANSWER = "{answer}"  # in a command, the file to which its answer goes
TOLD = 300  # characters of a program's complaint that are worth repeating


class Bounds(NamedTuple):
    """What one run may cost: ``seconds`` of wall time, bytes of ``memory`` and of ``output``."""

    seconds: float = 60.0
    memory: int = 8 * 2**30  # address space: d4 reserves 4 GB at the start and uses little
    output: int = 64 * 2**20


def run(command: Sequence[str], limits: Bounds, endings: Sequence[int]) -> tuple[int, str]:
    """Run a program without input; return its exit code, one of ``endings``, and its output.

    Raises:
        BudgetExhausted: it takes too long.
        FormatError: it ends in another way: by a signal, by too much output, or it cannot start.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        # CPU time too, so that the program ends even if satcal itself was killed
        bounded = limit_command(command, limits.memory, limits.output, ceil(limits.seconds) + 1)
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
            # the parser refuses garbage; the limit bounds how much there is
            texts.append(stream.read().decode("utf-8", "replace"))
    if code not in endings:
        how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        lines = [line.strip() for text in texts for line in text.splitlines() if line.strip()]
        reason = f": {lines[-1][:TOLD]}" if lines else ""
        raise FormatError(f"{Path(command[0]).name} ended with {how}{reason}")
    return code, texts[0]


def ask_package(question: Question, command: Sequence[str], path: Path, limits: Bounds) -> int:
    """Ask a package from PyPI, which writes its number into a file."""
    answer = path.with_suffix(".answer")
    run([*command, str(path), str(answer)], limits, (0,))
    text = answer.read_text("utf-8", "replace") if answer.exists() else ""
    if not re.fullmatch(r"[0-9]{1,4000}\n", text):
        raise FormatError("it did not write a number of tilings")
    return int(text)


def ask_clasp(question: Question, command: Sequence[str], path: Path, limits: Bounds) -> int:
    """Ask clasp or clingo. The exit code is a sum: 10 for a model, 20 if complete."""
    bound = question.tilings + 1
    endings = (10, 20, 30) if len(command) == 1 else (0,)  # python -m clingo: always 0
    _, text = run([*command, "-n", str(bound), "-q", str(path)], limits, endings)
    return clasp_models(text, bound)


def clasp_models(text: str, bound: int) -> int:
    """Return the number of models that clasp reports: ``7``, or ``7+`` at its bound."""
    models = re.search(r"^(?:c )?Models +: (\d+)(\+?)$", text, re.MULTILINE)
    if models is None or (models[2] and int(models[1]) < bound):
        raise FormatError("it did not print a number of models")
    return int(models[1])


def ask_competition(question: Question, command: Sequence[str], path: Path, limits: Bounds) -> int:
    """Ask a solver that prints the lines of the SAT competition, ``s`` and ``v``.

    In its command ``{}`` is the formula's file. If it has ``{answer}``, the solver writes
    its answer to that file, as minisat does.
    """
    result = path.with_suffix(".result")
    files = {"{}": str(path), ANSWER: str(result)}
    words = [files.get(word, word) for word in command]

    def ask() -> tuple[int, str]:
        result.unlink(missing_ok=True)
        code, text = run(words, limits, tuple(EXIT_CODES.values()))
        if ANSWER in command:
            text = result.read_text("utf-8", "replace") if result.exists() else ""
        return code, text

    return _with_blocks(question, path, ask)


def _with_blocks(question: Question, path: Path, ask: Callable[[], tuple[int, str]]) -> int:
    formula, models = path.read_text(), question.models
    if len(models) != question.tilings:
        raise Disagreement(f"satcal lists {len(models):,} tilings and counts {question.tilings:,}")
    further = _answer(question, path, block_models(formula, models), ask)
    if further.models:
        found = _format_model(question, further)
        raise Disagreement(f"it finds a model besides the {len(models):,} tilings: {found}")
    if models:
        last = _answer(question, path, block_models(formula, models[:-1]), ask)
        if last.models != (models[-1],):
            other = _format_model(question, last) if last.models else "none"
            raise Disagreement(
                "with all other tilings excluded it should find the last one only, but it finds "
                f"{other}"
            )
    return len(models)


def _answer(
    question: Question, path: Path, formula: str, ask: Callable[[], tuple[int, str]]
) -> SolverAnswer:
    """Return what a solver says of a formula; raise BudgetExhausted for UNKNOWN."""
    path.write_text(formula)
    code, text = ask()
    if not text.strip():
        raise FormatError("it printed nothing; expected an s line and v lines")
    variables = int(PROBLEM.findall(formula)[0][0])
    answer = parse_answer(text, len(question.cover.options), variables)
    for model in answer.models:
        try:
            decode(question.cover, model)
        except NoTiling as error:
            raise FormatError(str(error)) from error
    if code != EXIT_CODES[answer.verdict]:
        raise FormatError(f"it says {answer.verdict.value} and ends with exit code {code}")
    if answer.verdict is Satisfiability.UNKNOWN:
        raise BudgetExhausted("it says UNKNOWN")
    return answer


def _format_model(question: Question, answer: SolverAnswer) -> str:
    """Return the first model of an answer as placements."""
    options = (variable - 1 for variable in answer.models[0])
    return " ".join(map(str, question.cover.tiling(options)))


def block_models(formula: str, models: Sequence[frozenset[int]]) -> str:
    """Return a DIMACS formula with a clause against each of these models."""
    head = PROBLEM.search(formula)
    if head is None:
        raise FormatError("the formula has no line 'p cnf'")
    size = f"p cnf {head[1]} {int(head[2]) + len(models)}"
    clauses = "".join(" ".join(str(-n) for n in sorted(model)) + " 0\n" for model in models)
    return formula[: head.start()] + size + formula[head.end() :] + clauses
