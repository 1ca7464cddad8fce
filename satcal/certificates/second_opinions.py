"""Second opinions on a search tree: by SAT checkers, and by a program that is proved in Coq.

A program accepts a proof only by its own words of acceptance: ``cake_lpr`` (Tan, Heule and Myreen)
ends with exit code 0 even when it fails. These proofs need unit propagation only, so ``drat-trim``
checks them without RAT: with RAT, a proof could delete clauses of the formula and then add a clause
that does not follow from it.
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
from typing import TYPE_CHECKING, NamedTuple

from satcal.certificates.sources import Source, format_reveal, open_source
from satcal.errors import CertificateRefused, Missing, Stopped, unknown
from satcal.proof.check import Certificate
from satcal.puzzle.model import name_reveal
from satcal.resources import limit_command

if TYPE_CHECKING:
    from satcal.certificates.lrat import Proof

SECONDS = 1_000_000  # of processor time of one run; --time-limit bounds the whole check


class Checker(NamedTuple):
    """A program on the PATH; its first arguments are the files of the formula and the proof.

    ``form`` is the form of the proof (``drup`` or ``lrat``), ``acceptance`` the line of standard
    output by which it accepts, ``refusal`` the pattern of a line by which it refuses.
    """

    form: str
    arguments: tuple[str, ...]
    acceptance: str
    refusal: str
    environment: Mapping[str, str] = {}


PROGRAMS = {
    "cake_lpr": Checker(
        "lrat",
        (),
        "s VERIFIED UNSAT",
        r"c (Checking failed|empty clause not derived|[Pp]arsing failed|Failed to parse).*",
        # MiB that it allocates at its start, by default 4,096 each; 512 of heap were enough for
        # 228 MB of LRAT
        {"CML_HEAP_SIZE": "2048", "CML_STACK_SIZE": "512"},
    ),
    "lrat-check": Checker("lrat", (), "c VERIFIED", r"c (failed|.*FAILED|NOT VERIFIED).*"),
    # "lrat-trim: error:" is about files and memory, any other message is a refusal
    "lrat-trim": Checker("lrat", (), "s VERIFIED", r"lrat-trim: (?!error: ).*"),
    # -f: forward, as the backward check ignores deletions of unit clauses; -U: without RAT
    "drat-trim": Checker(
        "drup",
        ("-f", "-U", "-t", str(SECONDS)),
        "s VERIFIED",
        "s (NOT VERIFIED|DERIVATION)",  # DERIVATION: no clause is empty
    ),
}
VERIFIED = "verified"
CHECKERS = (*PROGRAMS, VERIFIED)
PROOF_FORMATS = {"drup": (".cnf", ".drup"), "lrat": (".cnf", ".lrat"), "veripb": (".opb", ".pbp")}
"""The forms of a proof, each with the suffixes of its formula and of its lines."""


def parse_checkers(names: Sequence[str]) -> list[str]:
    """Return these names of checkers without duplicates.

    Raises:
        UnknownName: there is no checker of that name.
        Missing: a checker is not installed.
    """
    for name in names:
        if name not in CHECKERS:
            raise unknown("checker", name, CHECKERS)
        if name == VERIFIED:
            from satcal.counting import verified  # slow to import

            verified.program()
        elif not shutil.which(name):
            raise Missing(
                f"checker {name} is not on the PATH; put it there "
                "(docs/reference/certificates.md says what it must read)"
            )
    return list(dict.fromkeys(names))


def ask_checker(name: str, source: Source) -> None:
    """Have another checker check the trees of a certificate that satcal has accepted.

    Raises:
        CertificateRefused: the checker refuses a tree.
        Stopped: the checker gives no verdict.
    """
    from satcal.certificates.lrat import read_proofs  # slow to import

    if name == VERIFIED:
        ask_verified(source)
        return
    for reveal, proof in read_proofs(source):
        ask_program(name, proof, format_reveal(reveal))


def ask_verified(source: Source) -> None:
    """Have the program that is proved in Coq check the trees of a certificate.

    Raises:
        CertificateRefused: it refuses them, or finds other numbers.
        Stopped: it ended without a verdict.
    """
    from satcal.certificates.lrat import convert_puzzle
    from satcal.counting import verified

    with open_source(source) as stream:
        file = Certificate(stream)
        for group in file.groups():
            stated = group.stated_tilings
            puzzle = convert_puzzle(file.board.puzzle)
            counts = verified.prove_counts(puzzle, list(stated), bytes(group.tokens))
            for (reveal, tilings), count in zip(stated.items(), counts, strict=True):
                if count != tilings:
                    raise CertificateRefused(
                        f"{name_reveal(reveal)}: {tilings} tilings stated, but "
                        f"{verified.NAME} finds {count}"
                    )


def ask_program(name: str, proof: Proof, reveal: str) -> None:
    """Have a checker check the proof of a reveal, which is named in errors.

    Raises:
        CertificateRefused: the checker refuses the proof.
        Stopped: the checker gives no verdict.
    """
    program = PROGRAMS[name]
    try:
        with ExitStack() as stack:
            descriptors = []
            for lines in (proof.formula(program.form), proof.lines(program.form)):
                file = stack.enter_context(tempfile.TemporaryFile())  # gone when both processes end
                file.writelines(line.encode() for line in lines)
                file.seek(0)
                descriptors.append(file.fileno())
            paths = [f"/dev/fd/{descriptor}" for descriptor in descriptors]
            # it dies with this process, and the memory limit of this process holds for it
            result = subprocess.run(
                limit_command([name, *paths, *program.arguments], seconds=SECONDS),
                env={**program.environment, **os.environ},
                stdin=subprocess.DEVNULL,
                pass_fds=descriptors,
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
            )
    except OSError as error:
        raise Stopped(f"{reveal}: {name} cannot be run: {error.strerror or error}") from error
    if program.acceptance in result.stdout.splitlines():
        return
    output = [line for line in (result.stdout + result.stderr).splitlines() if line.strip()]
    for line in output:
        if re.fullmatch(program.refusal, line):
            raise CertificateRefused(f"{reveal}: {name} refuses it: {line[:200]}")
    code = result.returncode
    cause = signal.strsignal(-code) if code < 0 else f"exit code {code}"
    last_line = f": {output[-1][:200]}" if output else ""
    raise Stopped(
        f"{reveal}: {name} ended without a verdict ({cause}{last_line}); raise --memory-limit, or "
        "name another --checker"
    )
