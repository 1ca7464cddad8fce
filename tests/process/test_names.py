"""The table of the names of months and weekdays is what babel has."""

import subprocess
import sys
from pathlib import Path

import pytest

from satcal.puzzle.calendar import NAMES


def test_the_table_of_names_is_that_of_babel():
    """In an interpreter of its own: babel mixes up languages that others have loaded before."""
    pytest.importorskip("babel")
    code = "import sys; from tools.names import table; sys.stdout.buffer.write(table().encode())"
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, check=True)
    assert done.stdout == NAMES.read_bytes()
