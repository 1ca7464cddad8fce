"""A pytest plugin that puts the tests in a random order: no test may need another before it.

The head of the report has the seed; ``--order N`` repeats it, and ``--order files`` keeps the order
of the files. Tests of one file stay together, because they share what their modules set up.
"""

from __future__ import annotations

import os
import random

import pytest

SEED = "SATCAL_TEST_ORDER"
"""The workers of pytest-xdist, which inherit it, have to collect in the same order."""
FILES = "files"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--order``."""
    parser.addoption("--order", metavar="N|files", help="the seed of the order of the tests")


def pytest_configure(config: pytest.Config) -> None:
    """Choose a seed, unless one is given."""
    given = config.getoption("--order")
    os.environ[SEED] = given or os.environ.get(SEED) or str(random.randrange(10**6))


def pytest_report_header() -> str:
    """Say in which order the tests run."""
    return f"order of the tests: --order {os.environ[SEED]}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Shuffle the files, and the tests of each."""
    seed = os.environ[SEED]
    if seed == FILES:
        return
    drawn = random.Random(seed)
    files = list(dict.fromkeys(item.path for item in items))
    drawn.shuffle(files)
    place = {path: number for number, path in enumerate(files)}
    drawn.shuffle(items)
    items.sort(key=lambda item: place[item.path])
