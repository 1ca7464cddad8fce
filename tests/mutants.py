"""The trusted base with one of its checks removed, or one of its lines replaced.

A room is the package satcal.proof loaded anew: its modules know each other, and nothing else in
the process knows them. The errors are those of satcal, so that a refusal is a refusal.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType, SimpleNamespace
from typing import NamedTuple
from unittest import mock

from satcal import proof

MODULES = ("verifier", "formula", "replay", "archive", "certificate", "check")  # by their imports
REFUSALS = ("CertificateRefused", "TooLarge")


class Check(NamedTuple):
    """An ``if`` that refuses: where it is, and what it says, with {} for what is filled in."""

    module: str
    function: str
    message: str
    line: int


class Edit(NamedTuple):
    """A piece of a module's source, which is there just once, and what stands there instead."""

    module: str
    old: str
    new: str


@cache
def source(module: str) -> str:
    """Return the source of a module of the trusted base."""
    return Path(proof.__file__).with_name(f"{module}.py").read_text(encoding="utf-8")


@cache
def checks() -> tuple[Check, ...]:
    """Return every check of the trusted base, in the order of the sources."""
    return tuple(
        Check(module, function.name, said, node.lineno)
        for module in MODULES
        for function in ast.walk(ast.parse(source(module)))
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.If) and (said := _refusal(node, module)) is not None
    )


def handlers() -> list[tuple[str, str]]:
    """Return the module and the message of every refusal that translates another error."""
    return [
        (module, said)
        for module in MODULES
        for node in ast.walk(ast.parse(source(module)))
        if isinstance(node, ast.ExceptHandler)
        for inner in node.body
        if (said := _message(inner, module)) is not None
    ]


def refusals() -> Iterator[tuple[str, int]]:
    """Yield module and line of every place that refuses, wherever it stands."""
    for module in MODULES:
        for node in ast.walk(ast.parse(source(module))):
            if isinstance(node, ast.Raise) and _message(node, module) is not None:
                yield module, node.lineno


def _refusal(node: ast.If, module: str) -> str | None:
    return next((said for inner in node.body if (said := _message(inner, module))), None)


def _message(node: ast.stmt, module: str) -> str | None:
    if isinstance(node, ast.Raise):
        raised = isinstance(node.exc, ast.Call) and getattr(node.exc.func, "id", "")
        return _text(node.exc.args[0]) if raised in REFUSALS else None
    fault = module == "verifier" and isinstance(node, ast.Return)
    return _text(node.value) if fault and isinstance(node.value, ast.JoinedStr) else None


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join("{}" if isinstance(x, ast.FormattedValue) else _text(x) for x in node.values)
    return str(node.value) if isinstance(node, ast.Constant) else "{}"


def without(check: Check) -> SimpleNamespace:
    """Return a room in which that check is not made."""

    class Remove(ast.NodeTransformer):
        def visit_If(self, node: ast.If) -> ast.AST:
            self.generic_visit(node)
            if node.lineno == check.line and _refusal(node, check.module) is not None:
                node.test = ast.Constant(False)
            return node

    tree = ast.fix_missing_locations(Remove().visit(ast.parse(source(check.module))))
    return _room({check.module: tree})


def edited(edits: Sequence[Edit]) -> SimpleNamespace:
    """Return a room with pieces of its source replaced."""
    texts = {edit.module: source(edit.module) for edit in edits}
    for edit in edits:
        assert texts[edit.module].count(edit.old) == 1, f"{edit.module}: {edit.old}"
        texts[edit.module] = texts[edit.module].replace(edit.old, edit.new)
    return _room({module: ast.parse(text) for module, text in texts.items()})


@cache
def whole() -> SimpleNamespace:
    """Return a room with nothing changed."""
    return _room({})


def _room(trees: dict[str, ast.Module]) -> SimpleNamespace:
    names = {module: f"satcal.proof.{module}" for module in MODULES}
    found = SimpleNamespace()
    outside = {name: its for name, its in sys.modules.items() if name not in names.values()}
    with mock.patch.dict(sys.modules, outside, clear=True):
        for module, name in names.items():
            its = sys.modules[name] = ModuleType(name)
            code = _compiled(module)
            if module in trees:
                code = compile(trees[module], f"{module}.py, changed", "exec")
            exec(code, its.__dict__)
            setattr(found, module, its)
    return found


@cache
def _compiled(module: str) -> CodeType:
    return compile(source(module), f"{module}.py", "exec")
