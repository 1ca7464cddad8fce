"""The version of satcal, and the digest of the sources that decide its numbers."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

__version__ = "0.1.0"
DECIDING = ("puzzle", "encoding", "counting", "diagram")
"""The rooms whose code decides a number."""


@cache
def sources_digest(package: Path = Path(__file__).parent) -> str:
    """Return a digest of the source files that decide a number, read once per process.

    Whatever is kept for later, or asked of another process, is kept and asked under it: a number of
    other code is not taken for one of this code.
    """
    digest = hashlib.sha256(__version__.encode())
    for room in DECIDING:
        for path in sorted((package / room).glob("*.py")):
            source = path.read_bytes()
            digest.update(f"\n{room}/{path.name} {len(source)}\n".encode() + source)
    return digest.hexdigest()[:32]
