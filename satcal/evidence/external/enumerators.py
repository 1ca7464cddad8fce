"""Programs that enumerate models: clasp, clingo, picosat and CryptoMiniSat.

Where a program takes a bound it is asked for one model more than there should be, so that one
that finds too many stops early, whatever the formula.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from satcal.errors import FormatError
from satcal.evidence.external.process import Limits, run
from satcal.evidence.external.questions import Question


def clasp(question: Question, command: Sequence[str], path: Path, limits: Limits) -> int:
    """Ask clasp or clingo, which say ``Models : 7``, or ``7+`` if there may be more.

    Exit codes are sums: 10 a model, 20 the search is complete, else its bound was reached.
    """
    bound = question.tilings + 1
    done = run([*command, "-n", str(bound), "-q", str(path)], limits, (10, 20, 30))
    found = re.search(r"^(?:c )?Models +: (\d+)(\+?)$", done.said, re.MULTILINE)
    if found is None or (found[2] and int(found[1]) < bound):
        raise FormatError("it did not say how many models there are")
    return int(found[1])


def picosat(question: Question, command: Sequence[str], path: Path, limits: Limits) -> int:
    """Ask picosat, which ends with ``s SOLUTIONS 7``."""
    done = run([*command, "--all", "-n", str(path)], limits, (10, 20))
    found = re.search(r"^s SOLUTIONS (\d+)\s*\Z", done.said, re.MULTILINE)
    if found is None:
        raise FormatError("it did not say how many solutions there are")
    return int(found[1])


def cryptominisat(question: Question, command: Sequence[str], path: Path, limits: Limits) -> int:
    """Ask CryptoMiniSat, which prints a status line for each model and one for their end."""
    bound = question.tilings + 1
    options = ["--verb", "0", "--printsol", "0", "--maxsol", str(bound)]
    done = run([*command, *options, str(path)], limits, (10, 20))
    status = re.findall(r"^s (\w+)$", done.said, re.MULTILINE)
    found = status.count("SATISFIABLE")
    ended = status[found:] == ["UNSATISFIABLE"] or (found == bound and not status[found:])
    if not ended:
        raise FormatError("it did not come to an end of its models")
    return found
