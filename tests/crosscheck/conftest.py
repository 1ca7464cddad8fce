"""Programs that misbehave on purpose: shell scripts on a PATH of the test's own."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def nothing_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without any external program, but those that misbehave."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
