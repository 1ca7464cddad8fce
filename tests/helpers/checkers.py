"""Checkers and a counter that share no line with satcal: of docs/, one for LRAT, one for VeriPB."""

import hashlib
import importlib.util
import io
import json
import re
import subprocess
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

from helpers.programs import need
from satcal.errors import CertificateRefused, TooLarge
from satcal.proof.check import check
from satcal.proof.normal import digest
from satcal.site.page import page_files

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"stranger_{name}", DOCS / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECK = load("check")
COUNT = load("count")


@dataclass
class Verdict:
    """What a checker says: accepted, refused or not checked, and why; and what is proved."""

    word: str
    digest: str = ""
    tilings: dict[tuple[str, ...], int] = field(default_factory=dict)
    reason: str = field(default="", compare=False)
    lines: list[str] = field(default_factory=list, compare=False)


def stranger(data: bytes, wanted: str | None = None) -> Verdict:
    """Return what docs/check.py says."""
    try:
        puzzle, proved = CHECK.check(io.BytesIO(data), wanted and wanted.partition("\n")[2])
    except CHECK.Stop as stop:
        return Verdict(CHECK.VERDICTS[stop.args[0]], reason=stop.args[1])
    except (UnicodeDecodeError, zlib.error) as error:
        return Verdict("refused", reason=str(error))
    return Verdict("accepted", hashlib.sha256(puzzle.unnamed.encode()).hexdigest(), proved)


def trusted(data: bytes, wanted: str | None = None) -> Verdict:
    """Return what satcal's own checker says."""
    try:
        proved = check(io.BytesIO(data), wanted)
    except CertificateRefused as error:
        return Verdict("refused", reason=str(error))
    except TooLarge as error:
        return Verdict("not checked", reason=str(error))
    return Verdict("accepted", digest(proved.text), dict(proved.tilings))


def ask_page(script: str, *words: Path | str) -> Any:
    """Return what a script of tests/proof prints, which imports the page's checker."""
    need("node")
    with TemporaryDirectory() as place:
        checker = Path(place, "check.mjs")
        checker.write_bytes(page_files()["check.js"])
        done = subprocess.run(
            ["node", ROOT / "tests" / "proof" / f"{script}.mjs", checker.as_uri(), *words],
            capture_output=True,
            text=True,
            check=True,
        )
    return json.loads(done.stdout)


def page(folder: Path) -> dict[str, Verdict]:
    """Return what the page's checker says about the certificates of a folder."""
    return {
        name: Verdict(word, digest, {tuple(labels): int(n) for labels, n in proved}, *rest)
        for name, word, digest, proved, *rest in ask_page("check", folder)
    }


def replay(dimacs: str, lrat: str) -> int:
    """Return the number of lemmas of a proof that refutes the formula.

    A second replayer: LRAT without RAT, over sets of literals. It reads the standard files alone:
    pairs that exclude each other are clauses like all others.

    Raises:
        ValueError, KeyError: a file is not in its form, or a lemma does not follow from its hints.
    """
    head, *rows = (line for line in dimacs.splitlines() if not line.startswith("c "))
    p, cnf, variables, many = head.split()
    if (p, cnf) != ("p", "cnf") or len(rows) != int(many):
        raise ValueError("no DIMACS file")
    clauses = {number: _clause(row.split(), variables) for number, row in enumerate(rows, start=1)}
    last, lemmas, refuted = len(clauses), 0, False
    for line in lrat.splitlines():
        first, *words = line.split()
        number = int(first)
        if words[0] == "d":
            for gone in words[1:-1]:
                del clauses[int(gone)]
            continue
        if refuted:
            raise ValueError(f"a lemma comes after the empty clause: {line}")
        if number <= last:
            raise ValueError(f"the numbers do not ascend: {line}")
        end = words.index("0") + 1
        lemma = _clause(words[:end], variables)
        _follow(clauses, lemma, [int(word) for word in words[end:-1]], line)
        clauses[number] = lemma
        last, lemmas, refuted = number, lemmas + 1, not lemma
    if not refuted:
        raise ValueError("the empty clause is not derived")
    return lemmas


def _clause(words: list[str], variables: str) -> frozenset[int]:
    *literals, zero = map(int, words)
    if zero or any(not 0 < abs(literal) <= int(variables) for literal in literals):
        raise ValueError(f"no clause: {words}")
    return frozenset(literals)


def _follow(
    clauses: dict[int, frozenset[int]], lemma: frozenset[int], hints: list[int], line: str
) -> None:
    false = set(lemma)
    for position, hint in enumerate(hints, start=1):
        left = clauses[hint] - false
        if not left and position == len(hints):
            return
        if len(left) != 1:
            raise ValueError(f"hint {hint} leaves {len(left)} literals: {line}")
        false |= {-literal for literal in left}
    raise ValueError(f"no hint is false: {line}")


def enumerated(opb: str, proof: str) -> int:
    """Return the number of solutions that a proof for VeriPB lists, and shows to be all.

    Propagation of sums of literals with coefficient 1, as ``version 3.0`` of the format has them
    in these proofs: each constraint is literals and how many of them must hold at least.

    Raises:
        ValueError, KeyError: a file is not in its form, or a step does not follow.
    """
    database, listed = _at_least(opb), 0
    numbers = len(database)
    head, formula, *steps, output, conclusion, end = proof.splitlines()
    if [head, formula, output, end] != [
        "pseudo-Boolean proof version 3.0",
        f"f {numbers} ;",
        "output NONE ;",
        "end pseudo-Boolean proof ;",
    ]:
        raise ValueError("no proof of version 3.0 of this formula")
    for step in steps:
        rule, *words = step.removesuffix(" ;").split()
        if rule == "del":
            for word in words[1:]:
                del database[int(word)]
            continue
        literals = [_literal(word) for word in words if "x" in word]
        numbers += 1
        if rule == "solx":
            true = _propagate(database, set(literals))
            if true is None or any(len(true & of) < bound for of, bound in database.values()):
                raise ValueError(f"not another solution: {step}")
            every = {abs(literal) for of, _ in database.values() for literal in of}
            database[numbers] = frozenset(-v if v in true else v for v in every), 1
            listed += 1
        elif rule == "rup" and words[-2:] == [">=", "1"]:
            if _propagate(database, {-literal for literal in literals}) is not None:
                raise ValueError(f"it does not follow: {step}")
            database[numbers] = frozenset(literals), 1
        else:
            raise ValueError(f"no step: {step}")
    if database[numbers] != (frozenset(), 1):
        raise ValueError("no contradiction")
    if conclusion != f"conclusion ENUMERATION_COMPLETE {listed} : {numbers} ;":
        raise ValueError(f"{listed} are listed: {conclusion}")
    return listed


def _literal(word: str) -> int:
    return int(word.replace("~", "-").replace("x", ""))


def _at_least(opb: str) -> dict[int, tuple[frozenset[int], int]]:
    """Return the constraints of OPB by number; an equation is two."""
    found: list[tuple[frozenset[int], int]] = []
    first, *lines = (line for line in opb.splitlines() if not line.startswith("*"))
    preserved = set(map(_literal, first.removeprefix("preserved:").removesuffix(";").split()))
    for line in lines:
        of = frozenset(map(int, re.findall(r"[+]1 x([0-9]+)", line)))
        relation, bound = line.removesuffix(" ;").split()[-2:]
        found.append((of, int(bound)))
        if relation == "=":
            found.append((frozenset(-v for v in of), len(of) - int(bound)))
        if not of <= preserved:
            raise ValueError(f"a variable that no solution tells: {line}")
    return dict(enumerate(found, start=1))


def _propagate(
    database: dict[int, tuple[frozenset[int], int]], true: set[int]
) -> frozenset[int] | None:
    """Return all literals that follow, or None if they contradict each other."""
    before = -1
    while before < len(true):
        before = len(true)
        for of, bound in database.values():
            free = {literal for literal in of if -literal not in true}
            if len(free) < bound:
                return None
            if len(free) == bound:
                true |= free
    return frozenset(true)
