"""Mutants of a checker: one condition, operator, constant or statement changed in its source.

    PYTHONPATH=tests python -m helpers.mutants proof|stranger

lists the mutants that no file catches.

A mutant is caught when it says of some file of a corpus something else than the checker does: a
true file, a vector, or a forger's. The stranger's checker is run as a program, so that what it
prints and its exit code count. What is listed lets nothing false through, or is judged in
``SPARED`` of tests/proof/test_mutants.py.
"""

from __future__ import annotations

import ast
import copy
import io
import re
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from types import CodeType, ModuleType
from typing import NamedTuple

from helpers.forger import Forger, bases
from proof import make_vectors
from satcal.errors import SatcalError

ROOT = Path(__file__).parents[2]
MODULES = {
    "proof": [
        ROOT / "satcal" / "proof" / f"{name}.py" for name in ("normal", "board", "walk", "check")
    ],
    "stranger": [ROOT / "docs" / "check.py"],
}
FORGED = 600
SECONDS = 0.5  # of CPU for a file; the checkers take less than a hundredth of it
SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.Mult: ast.Add,
}
PATTERNS: list[tuple[str, Callable[[re.Match[str]], str]]] = [
    (r"\[0-9\]", lambda found: r"\d"),
    (r"\[1-9\]", lambda found: "[0-9]"),
    (r"\{0,(\d+)\}", lambda found: f"{{0,{int(found[1]) + 1}}}"),
    (r"(?<=[\])\]])\*\+", lambda found: "++"),
    (r"(?<=[\])\]])\+\+", lambda found: "*+"),
    (r"\[\^([^\]]+)\]", lambda found: "."),
]
"""What is changed in a regular expression."""
Verdict = Callable[[bytes], object]


class Mutant(NamedTuple):
    """A changed module; its name has the line or the statement, and what was changed.

    Where several have the same, ``(2)`` and so on tell them apart.
    """

    name: str
    path: Path
    tree: Callable[[], ast.Module]


def mutants(path: Path) -> Iterator[Mutant]:
    """Yield each mutant of a module."""
    source = path.read_text(encoding="utf-8")
    original, lines = ast.parse(source), ["", *source.splitlines()]
    module = "stranger" if path in MODULES["stranger"] else path.stem
    named: Counter[str] = Counter()
    for number, node in enumerate(ast.walk(original)):
        for what, change in _changes(node):
            line = lines[getattr(node, "lineno", 0)].strip()
            name = f"{module}: {what if what.startswith('without') else f'{line}: {what}'}"
            named[name] += 1
            again = f" ({named[name]})" if named[name] > 1 else ""
            yield Mutant(name + again, path, partial(_changed, original, number, change))


def _changed(original: ast.Module, number: int, change: Callable[..., None]) -> ast.Module:
    """A module with a change in one of its nodes."""
    tree = copy.deepcopy(original)
    change([*ast.walk(tree)][number])
    return ast.fix_missing_locations(tree)


def _changes(node: ast.AST) -> Iterator[tuple[str, Callable[..., None]]]:
    """Yield what can be changed in a node."""
    if isinstance(node, ast.Compare):
        for at, op in enumerate(node.ops):
            if new := SWAPPED.get(type(op)):
                yield (
                    f"{ast.unparse(node)} with {new.__name__}",
                    lambda n, at=at, new=new: n.ops.__setitem__(at, new()),
                )
    elif isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign):
        if new := SWAPPED.get(type(node.op)):
            yield (
                f"{ast.unparse(node)} with {new.__name__}",
                lambda n, new=new: setattr(n, "op", new()),
            )
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield f"{node.value} + 1", lambda n: setattr(n, "value", n.value + 1)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        for old, new in PATTERNS:
            for at, found in enumerate(re.finditer(old, node.value)):
                text = node.value[: found.start()] + new(found) + node.value[found.end() :]
                yield (
                    f"{found[0]!r} as {new(found)!r}, {at}",
                    lambda n, text=text: setattr(n, "value", text),
                )
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield (
            f"if {ast.unparse(node.test)}: never",
            lambda n: setattr(n, "test", ast.Constant(False)),
        )
        yield (
            f"if {ast.unparse(node.test)}: always",
            lambda n: setattr(n, "test", ast.Constant(True)),
        )
    for field in ("body", "orelse"):
        statements = getattr(node, field, None)
        if not isinstance(statements, list) or isinstance(node, ast.Module | ast.ClassDef):
            continue
        for at, statement in enumerate(statements):
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                continue  # a docstring
            if isinstance(statement, ast.Expr | ast.Assign | ast.AugAssign | ast.Raise):
                yield (
                    f"without {ast.unparse(statement)}",
                    lambda n, at=at, field=field: getattr(n, field).__setitem__(at, ast.Pass()),
                )


def checker(which: str, mutant: Mutant | None = None) -> Verdict:
    """What a checker, or its mutant, says of a file: what it proves, or that it refuses."""
    trees = [mutant.tree() if mutant and mutant.path == p else _tree(p) for p in MODULES[which]]
    codes = [compile(tree, str(p), "exec") for tree, p in zip(trees, MODULES[which], strict=True)]
    return _ours(codes) if which == "proof" else _program(*codes)


def _ours(codes: Sequence[CodeType]) -> Verdict:
    """The modules of the trusted base, which import each other."""
    kept = {name: module for name, module in sys.modules.items() if name.startswith("satcal.proof")}
    try:
        for path, code in zip(MODULES["proof"], codes, strict=True):
            name = f"satcal.proof.{path.stem}"
            module = sys.modules[name] = ModuleType(name)
            exec(code, module.__dict__)
    finally:
        sys.modules.update(kept)

    def proved(data: bytes) -> object:
        found = module.check(io.BytesIO(data))
        try:
            asked: object = module.check(io.BytesIO(data), make_vectors.three().text).sha256
        except SatcalError as error:
            asked = type(error).__name__
        return found.text, module.digest(found.text), dict(found.tilings), found.nodes, asked

    return proved


def _program(code: CodeType) -> Verdict:
    """Return a program that is given one file: what it prints, and its exit code."""
    three = make_vectors.three().text.encode()

    def run(data: bytes) -> object:
        told: list[object] = []
        names = {
            "__name__": "stranger",
            "open": lambda name, _: io.BytesIO(data if name == "FILE" else three),
            "print": lambda *words, **_: told.append(words),
        }
        exec(code, names)
        main = names["main"]
        codes = [main("FILE"), main("FILE", "PUZZLE")]  # type: ignore[operator]
        return codes if codes[0] else (codes, told)

    return run


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def said(verdict: Verdict, data: bytes) -> object:
    """What a checker says of a file; a crash is a refusal that a user would report."""
    try:
        return verdict(data)
    except SatcalError as error:
        return type(error).__name__
    except (Exception, Late):  # of a mutant
        return "crashed"


@cache
def corpus() -> list[bytes]:
    """True files, the vectors, and a forger's."""
    forger = Forger(99)
    forged = [forger.forge()[1] for _ in range(FORGED)]
    return [*make_vectors.files().values(), *bases()[:25], *forged]


@cache
def expected(which: str) -> list[object]:
    """What the checker itself says of each file."""
    return [said(checker(which), data) for data in corpus()]


def every(which: str) -> Iterator[Mutant]:
    """Yield the mutants of all modules of a checker."""
    for path in MODULES[which]:
        yield from mutants(path)


def survives(which: str, mutant: Mutant) -> bool:
    """Whether a mutant says of each file what the checker says, and as soon."""
    signal.signal(signal.SIGVTALRM, _late)
    try:
        verdict = checker(which, mutant)
        return all(
            _in_time(verdict, data) == true
            for data, true in zip(corpus(), expected(which), strict=True)
        )
    except (Exception, Late, SystemExit):  # it cannot even be loaded, or runs at once
        return False


def _in_time(verdict: Verdict, data: bytes) -> object:
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        return said(verdict, data)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


class Late(BaseException):
    """A mutant does not end, which is noticed, too; the checker cannot catch it."""


def _late(*_: object) -> None:
    raise Late


if __name__ == "__main__":
    for each in every(sys.argv[1]):
        if survives(sys.argv[1], each):
            print(each.name, flush=True)
