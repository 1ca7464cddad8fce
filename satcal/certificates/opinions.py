"""Second opinions on a search tree: by SAT checkers, and by a program that is proved in Coq.

A program has accepted a proof only if it says so in its own words: ``cake_lpr`` (Tan, Heule and
Myreen) ends with exit code 0 even when it fails. DRUP is held to unit propagation, which is all
that these proofs need: with RAT, a clause can be added after the deletion of what it rests on.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import NamedTuple

from satcal.certificates.lrat import Proof
from satcal.counting import verified
from satcal.errors import CertificateRefused, Missing, Stopped, unknown
from satcal.processes import limit_command
from satcal.puzzle.model import Puzzle, Reveal

SECONDS = 1_000_000  # of processor time of one replay; --time-limit bounds the whole check


class Checker(NamedTuple):
    """A program on the PATH that ``reads`` a form of proof, behind the formula.

    It ``accepts`` by a line of its standard output, and ``refuses`` by a pattern on any line.
    """

    reads: str
    arguments: tuple[str, ...]
    accepts: str
    refuses: str
    environment: Mapping[str, str] = {}


PROGRAMS = {
    "cake_lpr": Checker(
        "lrat",
        (),
        "s VERIFIED UNSAT",
        r"c (Checking failed|empty clause not derived|[Pp]arsing failed|Failed to parse).*",
        # MiB that it takes at once, 4096 each unless it is told; half a GiB did for 228 MB of LRAT
        {"CML_HEAP_SIZE": "2048", "CML_STACK_SIZE": "512"},
    ),
    "lrat-check": Checker("lrat", (), "c VERIFIED", r"c (failed|.*FAILED|NOT VERIFIED).*"),
    # "lrat-trim: error:" is about files and memory, all else is a refusal
    "lrat-trim": Checker("lrat", (), "s VERIFIED", r"lrat-trim: (?!error: ).*"),
    # -f: forward (backward, it believes deletions of units); -U: without RAT
    "drat-trim": Checker(
        "drup",
        ("-f", "-U", "-t", str(SECONDS)),
        "s VERIFIED",
        "s (NOT VERIFIED|DERIVATION)",  # no lemma is empty
    ),
}
VERIFIED = "verified"
CHECKERS = (*PROGRAMS, VERIFIED)


def parse_checkers(names: Sequence[str]) -> list[str]:
    """Return the checkers that are named, each once.

    Raises:
        UnknownName: there is no such checker.
        Missing: it is not installed.
    """
    for name in names:
        if name not in CHECKERS:
            raise unknown("checker", name, CHECKERS)
        if name == VERIFIED:
            verified.program()
        elif not shutil.which(name):
            raise Missing(
                f"checker {name} is not on the PATH; put it there "
                "(docs/reference/certificates.md says what it must read)"
            )
    return list(dict.fromkeys(names))


def ask_verified(puzzle: Puzzle, stated: Mapping[Reveal, int], tokens: bytes) -> None:
    """Have the program that is proved in Coq follow the trees of a group.

    Raises:
        CertificateRefused: it refuses them, or finds other numbers.
        Stopped: it ended without a verdict.
    """
    found = verified.prove_counts(puzzle, list(stated), tokens)
    for (reveal, tilings), number in zip(stated.items(), found, strict=True):
        if number != tilings:
            raise CertificateRefused(
                f"{' '.join(reveal) or 'the board'}: {tilings} tilings stated, but "
                f"{verified.NAME} finds {number}"
            )


def ask(name: str, proof: Proof, where: str) -> None:
    """Have a checker replay a proof.

    Raises:
        CertificateRefused: it refuses the proof.
        Stopped: it gives no verdict.
    """
    program = PROGRAMS[name]
    try:
        with ExitStack() as stack:
            numbers = []
            for lines in (proof.dimacs(), proof.lines(program.reads)):
                file = stack.enter_context(tempfile.TemporaryFile())  # it vanishes with its reader
                file.writelines(line.encode() for line in lines)
                file.seek(0)
                numbers.append(file.fileno())
            read = [f"/dev/fd/{descriptor}" for descriptor in numbers]
            # it dies with this process, whose bounds hold for it too
            done = subprocess.run(
                limit_command([name, *read, *program.arguments], seconds=SECONDS),
                env={**program.environment, **os.environ},
                stdin=subprocess.DEVNULL,
                pass_fds=numbers,
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
            )
    except OSError as error:
        raise Stopped(f"{where}: {name} cannot be run: {error.strerror or error}") from error
    if program.accepts in done.stdout.splitlines():
        return
    printed = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    for line in printed:
        if re.fullmatch(program.refuses, line):
            raise CertificateRefused(f"{where}: {name} refuses it: {line[:200]}")
    code = done.returncode
    how = signal.strsignal(-code) if code < 0 else f"exit code {code}"
    last = f": {printed[-1][:200]}" if printed else ""
    raise Stopped(
        f"{where}: {name} ended without a verdict ({how}{last}); raise --memory-limit, or name "
        "another --checker"
    )
