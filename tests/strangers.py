"""The programs of docs/, as modules: a checker and a counter that share no line with satcal."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

DOCS = Path(__file__).parent.parent / "docs"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"stranger_{name}", DOCS / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECK = load("check")
COUNT = load("count")


def accepts(data: bytes) -> list[tuple[str, tuple[str, ...], int]] | None:
    """What the stranger's checker has proved: names, reveals, tilings; None if it refuses."""
    try:
        proved: list[tuple[str, tuple[str, ...], int]] = CHECK.check(data)
    except (CHECK.Refused, UnicodeDecodeError):
        return None
    return proved
