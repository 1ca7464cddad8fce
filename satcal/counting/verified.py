"""Counting by ``satcal-verified``, a program extracted from proofs in Coq (see ``theorem/``).

satcal writes the puzzle as text and reads the program's table; what the program says is the
number of tilings by the definition in ``theorem/Spec.v``, whatever satcal believes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from satcal.errors import BudgetExhausted, Disagreement, Missing, Stopped
from satcal.puzzle.model import Puzzle, Reveal
