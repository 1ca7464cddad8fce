"""Programs that tests run."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from helpers.programs import need
from helpers.waiting import PATIENCE


def run(program: str, *arguments: str) -> str:
    """Return what a program prints."""
    need(program)
    command = [program, *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    return done.stdout


def ask_node(script: Path, question: dict[str, Any]) -> Any:
    """Return what a script of Node answers to a question; both are JSON."""
    need("node")
    done = subprocess.run(
        ["node", script],
        input=json.dumps(question),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert not done.returncode, done.stderr
    return json.loads(done.stdout)


Fake = Callable[[str, str], Path]
