"""The trusted base with one of its checks removed, or one of its lines replaced.

A room is the package satcal.proof loaded anew: its modules know each other, and nothing else in
the process knows them. The errors are those of satcal, so that a refusal is a refusal.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType, SimpleNamespace
from typing import NamedTuple
from unittest import mock

from satcal import proof

FOLDER = Path(proof.__file__).parent
MODULES = ("verifier", "formula", "replay", "archive", "certificate", "check")  # by their imports
REFUSALS = ("CertificateRefused", "TooLarge")


class Check(NamedTuple):
    """What refuses: where it is, and its message, with {} for what is filled in."""

    module: str
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
    return (FOLDER / f"{module}.py").read_text(encoding="utf-8")


@cache
def refusing(kind: type[ast.AST]) -> tuple[Check, ...]:
    """Return each statement of a kind that refuses, or that has in its body what does."""
    return tuple(
        Check(module, message, node.lineno)
        for module in MODULES
        for node in ast.walk(ast.parse(source(module)))
        if isinstance(node, kind)
        for statement in getattr(node, "body", [node])
        if (message := _message(statement, module)) is not None
    )


def _message(node: ast.AST, module: str) -> str | None:
    """Return the message of a statement that refuses."""
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        return _text(node.exc.args[0]) if getattr(node.exc.func, "id", "") in REFUSALS else None
    fault = module == "verifier" and isinstance(node, ast.Return)
    return _text(node.value) if fault and isinstance(node.value, ast.JoinedStr) else None


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join("{}" if isinstance(x, ast.FormattedValue) else _text(x) for x in node.values)
    return str(node.value) if isinstance(node, ast.Constant) else "{}"


def check_of(message: str) -> Check:
    """Return the only check whose message contains this."""
    (check,) = (check for check in refusing(ast.If) if message in check.message)
    return check


def without(check: Check) -> SimpleNamespace:
    """Return a room in which that check is not made."""
    tree = ast.parse(source(check.module))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and node.lineno == check.line:
            node.test = ast.copy_location(ast.Constant(False), node.test)
    return _room({check.module: tree})


def replaced(edits: Sequence[Edit]) -> SimpleNamespace:
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
    room = SimpleNamespace()
    others = {x: module for x, module in sys.modules.items() if not x.startswith("satcal.proof.")}
    with mock.patch.dict(sys.modules, others, clear=True):
        for module in MODULES:
            name = f"satcal.proof.{module}"
            loaded = sys.modules[name] = ModuleType(name)
            changed = module in trees and compile(trees[module], f"{module}.py, changed", "exec")
            exec(changed or _compiled(module), loaded.__dict__)
            setattr(room, module, loaded)
    return room


@cache
def _compiled(module: str) -> CodeType:
    return compile(source(module), str(FOLDER / f"{module}.py"), "exec")  # as coverage knows it
