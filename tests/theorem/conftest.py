"""The extracted program, where it is there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from programs import need

from satcal.counting.verified import NAME

THEOREM = Path(__file__).parents[2] / "theorem"


@pytest.fixture(scope="session")
def program() -> Iterator[str]:
    """Return the path of ``satcal-verified`` and let satcal find it, or skip the test."""
    built = THEOREM / "build" / NAME
    found = str(built) if built.is_file() else os.environ.get("SATCAL_VERIFIED")
    found = found or shutil.which(NAME)
    if not found:
        need("coqc", "ocamlopt")
        pytest.skip(f"{NAME} is not built: make theorem")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SATCAL_VERIFIED", found)
        yield found
