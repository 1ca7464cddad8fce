"""Programs that tests run."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from helpers.programs import need


def run(*command: str) -> str:
    """Return what a program prints."""
    if command[0] != sys.executable:
        need(command[0])
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    return done.stdout


Fake = Callable[[str, str], Path]
