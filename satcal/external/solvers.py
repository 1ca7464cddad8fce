"""The calls of external programs, within limits, and the parsing of their answers.

clasp and clingo *enumerate* models. They are asked for one model more than satcal counts, so that
a wrong formula cannot keep them busy for long.

SAT solvers *decide*, in two calls. With a blocking clause for each tiling that satcal finds, the
formula must have no model: satcal missed no tiling. Without the last of these clauses, the model
must be the last tiling: the formula admits at least this one. A program that answers the formula
itself with a number, as in the model counting competition, is a counter, and not asked again.
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

from satcal.encoding.answer import SolverAnswer, parse_answer, parse_count
from satcal.encoding.decode import decode
from satcal.encoding.formula import Satisfiability
from satcal.errors import BudgetExhausted, Disagreement, FormatError, NoTiling
from satcal.external.questions import Question
from satcal.resources import limit_command

EXIT_CODES = {Satisfiability.SAT: 10, Satisfiability.UNSAT: 20, Satisfiability.UNKNOWN: 0}
PROBLEM = re.compile(r"^p cnf (\d+) (\d+)$", re.MULTILINE)
ANSWER = "{answer}"  # in a command, the file to which its answer goes
MAX_REASON = 300  # characters of a program's own error message in satcal's


class Budget(NamedTuple):
    """The limits of one run: ``seconds`` of wall time, bytes of ``memory`` and of ``output``."""

    seconds: float = 60.0
    memory: int = 8 * 2**30  # address space: d4 reserves 4 GB at the start and uses little
    output: int = 64 * 2**20


def run(command: Sequence[str], limits: Budget, exit_codes: Sequence[int]) -> tuple[int, str]:
    """Run a program without input; return its exit code, one of ``exit_codes``, and its output.

    Raises:
        BudgetExhausted: it takes too long.
        FormatError: it cannot start, or ends by a signal or with another exit code.
    """
    name = Path(command[0]).name
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        # a limit of CPU time ends the program even if satcal itself was killed
        command = limit_command(command, limits.memory, limits.output, ceil(limits.seconds) + 1)
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
        )
        try:
            code = process.wait(limits.seconds)
        except subprocess.TimeoutExpired as timeout:
            raise BudgetExhausted(f"stopped after {limits.seconds:g} s") from timeout
        finally:  # also after Ctrl-C, no process of the group is left
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        texts = []
        for stream in (out, err):
            stream.seek(0)
            # text that is not UTF-8 is replaced here and refused by the parser
            texts.append(stream.read().decode("utf-8", "replace"))
    if code not in exit_codes:
        cause = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        lines = [line.strip() for text in texts for line in text.splitlines() if line.strip()]
        reason = f": {lines[-1][:MAX_REASON]}" if lines else ""
        raise FormatError(f"{name} ended with {cause}{reason}")
    return code, texts[0]


def ask_package(question: Question, command: Sequence[str], path: Path, limits: Budget) -> int:
    """Ask a package from PyPI, which writes its number into a file."""
    answer = path.with_suffix(".answer")
    run([*command, str(path), str(answer)], limits, (0,))
    text = answer.read_text("utf-8", "replace") if answer.exists() else ""
    if not re.fullmatch(r"[0-9]{1,4000}\n", text):
        raise FormatError("it did not write a number of tilings")
    return int(text)


def ask_clasp(question: Question, command: Sequence[str], path: Path, limits: Budget) -> int:
    """Ask clasp or clingo. The exit code is a sum: 10 for a model, 20 if complete."""
    max_models = question.tilings + 1
    exit_codes = (10, 20, 30) if len(command) == 1 else (0,)  # python -m clingo: always 0
    _, text = run([*command, "-n", str(max_models), "-q", str(path)], limits, exit_codes)
    return parse_clasp(text, max_models)


def parse_clasp(text: str, max_models: int) -> int:
    """Return the number of models that clasp reports: ``7``, or ``7+`` if it stopped early.

    It may stop early after ``max_models`` only; an answer with fewer is refused.
    """
    match = re.search(r"^(?:c )?Models +: (\d+)(\+?)$", text, re.MULTILINE)
    if match is None or (match[2] and int(match[1]) < max_models):
        raise FormatError("it did not print a number of models")
    return int(match[1])


def ask_competition(question: Question, command: Sequence[str], path: Path, limits: Budget) -> int:
    """Ask a solver that prints the lines of the SAT or of the model counting competition.

    In its command, ``{}`` is the formula's file. If it contains ``{answer}``, the solver writes
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

    number = parse_count(ask()[1])
    return _count_by_blocking(question, path, ask) if number is None else number


def _count_by_blocking(question: Question, path: Path, ask: Callable[[], tuple[int, str]]) -> int:
    """Return the number of tilings by the two calls that the module describes."""
    formula, models = path.read_text(), question.models
    if len(models) != question.tilings:
        raise Disagreement(f"satcal lists {len(models):,} tilings and counts {question.tilings:,}")
    answer = _solve(question, path, block_models(formula, models), ask)
    if answer.models:
        model = _format_model(question, answer)
        raise Disagreement(f"it finds a model besides the {len(models):,} tilings: {model}")
    if models:
        answer = _solve(question, path, block_models(formula, models[:-1]), ask)
        if answer.models != (models[-1],):
            model = _format_model(question, answer) if answer.models else "none"
            raise Disagreement(
                "with all other tilings excluded it should find the last one only, but it finds "
                f"{model}"
            )
    return len(models)


def _solve(
    question: Question, path: Path, formula: str, ask: Callable[[], tuple[int, str]]
) -> SolverAnswer:
    """Return a solver's answer to a formula; raise BudgetExhausted for UNKNOWN."""
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
    """Return a DIMACS formula with a blocking clause for each of these models."""
    clauses = "".join(" ".join(str(-n) for n in sorted(model)) + " 0\n" for model in models)

    def count_clauses(line: re.Match[str]) -> str:
        return f"p cnf {line[1]} {int(line[2]) + len(models)}"

    return PROBLEM.sub(count_clauses, formula, count=1) + clauses
