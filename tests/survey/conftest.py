from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from satcal.cli.main import run


@dataclass
class Said:
    code: int
    out: str
    err: str


@pytest.fixture
def satcal(capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Run a command line in this process."""

    def call(*arguments: str) -> Said:
        code = run(list(arguments))
        said = capsys.readouterr()
        return Said(code, said.out, said.err)

    return call
