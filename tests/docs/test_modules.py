"""The examples in the docstrings of a module run, and print what they say."""

from __future__ import annotations

import doctest
import importlib

import pytest

from docs.pages import DOCS, ROOT

SOURCES = [*(ROOT / "satcal").rglob("*.py"), *(DOCS / "_extensions").glob("*.py")]
WITH_EXAMPLES = sorted(path for path in SOURCES if ">>> " in path.read_text("utf-8"))


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_examples_of_a_module_run(path, in_process):
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    results = doctest.testmod(importlib.import_module(name))
    assert results.attempted > 0
    assert results.failed == 0
