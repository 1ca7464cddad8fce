"""What tests of loading share: a good puzzle file, and what a bad one is answered with."""

from __future__ import annotations

from pathlib import Path

import pytest

from satcal.errors import SatcalError
from satcal.puzzle.loading import load

GOOD = '''
name = "good"
board = """
a   a   b
*   *   b
.   *   *
"""
[categories]
x = ["a", "b"]
[pieces]
P = """
##
##
.#
"""
A = { shape = "#", copies = 1 }
'''


def refused(board: str | Path, **options: str) -> SatcalError:
    with pytest.raises(SatcalError) as caught:
        load(str(board), **options)
    assert caught.value.exit_code == 2
    return caught.value
