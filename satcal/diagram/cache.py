"""A cache of diagrams in files: a digest, then the compressed arrays.

They are in ``SATCAL_CACHE``, or in the user's cache directory. The name of a file is a digest of
the puzzle and of the sources that affect a number, so a diagram of other code is never read. A
damaged file is removed, and written again when its diagram is built. If the cache cannot be used,
a warning is logged. Beyond ``MAX_FOLDER`` bytes, the files that were not used for longest are
removed.

>>> from satcal.diagram.build import build
>>> square = ExactCover(cells=4, copies=[2], item=[0] * 4, mask=[0b0011, 0b1100, 0b0101, 0b1010])
>>> parse(dump(build(square)), square, "diagram").nodes
4
"""

from __future__ import annotations

import hashlib
import io
import logging
import os
import zlib
from contextlib import suppress
from pathlib import Path

import numpy as np
import platformdirs

from satcal.diagram.graph import Diagram
from satcal.diagram.model import Array, ExactCover
from satcal.errors import FileTrouble, FormatError, Stopped
from satcal.files import make_folder, read_bytes, write_bytes
from satcal.version import sources_digest

MAX_BYTES = 2**32
"""Bytes of a file, and of the arrays in it; the largest of the library has 30 million."""
ARRAYS = ("layer_start", "frontier", "remaining", "arc_start", "arc_child", "arc_option", "unit")
DIGEST = hashlib.sha256
FASTEST = 1  # higher levels of compression take longer than building the diagram
MAX_FOLDER = 10**9
"""Limit on the bytes of all files; the diagrams of the whole library have 90 million."""
_log = logging.getLogger(__name__)


def cache_folder() -> Path:
    """Return the folder of the cache: ``SATCAL_CACHE``, or the user's cache directory.

    Raises:
        FileTrouble: the user has no home directory.
    """
    if folder := os.environ.get("SATCAL_CACHE"):
        return Path(folder)
    try:
        return Path(platformdirs.user_cache_dir("satcal"))
    except RuntimeError as error:
        raise FileTrouble("there is no home directory; set HOME or SATCAL_CACHE") from error


def cache_path(problem: ExactCover) -> Path:
    """Return the path of a problem's file, which need not exist."""
    return cache_folder() / f"diagram-{fingerprint(problem)[:32]}"


def read(problem: ExactCover) -> Diagram | None:
    """Return a problem's diagram, or None if the cache has none that is undamaged."""
    try:
        path = cache_path(problem)
        if not path.exists():
            return None
        diagram = parse(read_bytes(path, "diagram", MAX_BYTES), problem, str(path))
        with suppress(OSError):  # the cache may be read-only
            os.utime(path)
    except (OSError, MemoryError, FileTrouble, Stopped) as error:
        _log.warning("the cache is not used: %s", error or "out of memory")
        return None
    except FormatError as error:
        _log.warning("removing a damaged file from the cache: %s", error)
        with suppress(OSError):
            path.unlink()
        return None
    return diagram


def write(diagram: Diagram) -> None:
    """Write a diagram into the cache."""
    try:
        path = cache_path(diagram.problem)
        make_folder(path.parent)
        write_bytes(path, dump(diagram))
        prune(path.parent)
    except (FileTrouble, Stopped) as error:
        _log.warning("the diagram is not cached: %s", error)


def prune(folder: Path) -> None:
    """Remove the diagrams that were not used for longest until ``MAX_FOLDER`` bytes are left."""
    found = []
    for path in folder.glob("diagram-*"):
        with suppress(OSError):  # another process may remove it, or it is a broken link
            status = path.stat()
            found.append((status.st_mtime_ns, status.st_size, path))
    left = sum(size for _, size, _ in found)
    for _, size, path in sorted(found):
        if left <= MAX_FOLDER:
            break
        with suppress(OSError):
            path.unlink()
        left -= size


def fingerprint(problem: ExactCover) -> str:
    """Return the SHA-256, in hexadecimal, of everything on which a diagram's arrays depend."""
    lists = [list(problem.copies), list(problem.item), list(problem.mask)]
    parts = [sources_digest(), problem.cells, *lists, problem.categories]
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def dump(diagram: Diagram) -> bytes:
    """Return a diagram as bytes; the same diagram gives the same bytes."""
    out = io.BytesIO()
    for name in ARRAYS:
        # numpy would turn a list with an integer beyond int64 into uint64 or float64
        values = getattr(diagram, name)
        array = np.array(values, object) if name == "unit" else values
        if array.dtype == object:  # as texts, because pickles can run code
            array = array.astype(str)
        np.lib.format.write_array(out, array)
    packed = zlib.compress(out.getbuffer(), FASTEST)
    return _digest(diagram.problem, packed) + packed


def parse(data: bytes, problem: ExactCover, where: str) -> Diagram:
    """Return a problem's diagram from bytes, whose arrays have at most ``MAX_BYTES``.

    Raises:
        FormatError: the file, named ``where``, is damaged, too large, or of another problem.
    """
    digest, packed = data[: DIGEST().digest_size], data[DIGEST().digest_size :]
    if digest != _digest(problem, packed):
        raise FormatError(f"{where}: a damaged diagram, or of another puzzle; build it again")
    unpacking = zlib.decompressobj()
    stream = io.BytesIO(unpacking.decompress(packed, MAX_BYTES))
    if not unpacking.eof:
        raise FormatError(f"{where}: its arrays are too large; build it again")
    arrays = {name: _read_array(stream) for name in ARRAYS}
    return Diagram(problem=problem, unit=arrays.pop("unit").tolist(), **arrays)


def _digest(problem: ExactCover, packed: bytes) -> bytes:
    """Return the digest of the problem and of its compressed arrays."""
    return DIGEST(fingerprint(problem).encode() + packed).digest()


def _read_array(stream: io.BytesIO) -> Array:
    array: Array = np.lib.format.read_array(stream, allow_pickle=False)
    if array.dtype.kind == "U":
        return np.array([int(text) for text in array.tolist()], object)
    return array
