"""Diagrams in files and in the user's cache: compact, versioned, refused when they do not fit."""

from __future__ import annotations

import hashlib
import io
import logging
import os
import zipfile
import zlib
from pathlib import Path

import numpy as np
import platformdirs

from satcal.diagram.model import Array, Diagram, Problem
from satcal.errors import FileTrouble, FormatError
from satcal.files import make_folder, write_bytes
from satcal.version import __version__

FORMAT = 1  # raise it when a file of before would be read wrongly
_ARRAYS = ("layer_start", "frontier", "remaining", "arc_start", "arc_child", "arc_option", "unit")
_LEVEL = 1  # of zlib: higher levels take longer than building the diagram anew
EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time a zip can hold: no clock in the file
# RuntimeError: a flag says that a member is encrypted, or packed in a way nobody knows
DAMAGE = (
    zipfile.BadZipFile, zlib.error, KeyError, ValueError, EOFError, OSError, RuntimeError
)  # fmt: skip
_log = logging.getLogger(__name__)


def fingerprint(problem: Problem) -> str:
    """Return SHA-256, in hexadecimal, of all that decides the arrays of a diagram."""
    # the version: a later one may mend what an earlier one built wrongly
    parts = [FORMAT, __version__, problem.cells]
    lists = [list(problem.copies), list(problem.item), list(problem.mask)]
    return hashlib.sha256(repr([*parts, *lists, problem.categories]).encode()).hexdigest()


def dump(diagram: Diagram) -> bytes:
    """Return a diagram as the bytes of a zip of arrays; the same diagram, the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as archive:
        archive.writestr(zipfile.ZipInfo("fingerprint", EPOCH), fingerprint(diagram.problem))
        for name in _ARRAYS:
            text = io.BytesIO()
            np.lib.format.write_array(text, _plain(getattr(diagram, name)))
            info = zipfile.ZipInfo(f"{name}.npy", EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, text.getvalue(), compresslevel=_LEVEL)
    return out.getvalue()


def _plain(values: Array | list[int]) -> Array:
    """Return an array, of Python integers as texts: a file must not hold pickles."""
    # numpy turns a list with an integer beyond int64 into uint64 or float64
    array = values if isinstance(values, np.ndarray) else np.array(values, object)
    return array.astype(str) if array.dtype == object else array


def parse(data: bytes, problem: Problem, where: str) -> Diagram:
    """Return the diagram of a problem from the bytes of a file.

    Raises:
        FormatError: damaged, of another version, or of another problem.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if archive.read("fingerprint").decode() != fingerprint(problem):
                raise FormatError(f"{where}: a diagram of another puzzle or version; build it anew")
            arrays = {name: _array(archive, name) for name in _ARRAYS}
    except DAMAGE as error:
        raise FormatError(f"{where}: a damaged diagram ({error}); build it anew") from error
    return Diagram(problem=problem, unit=arrays.pop("unit").tolist(), **arrays)


def _array(archive: zipfile.ZipFile, name: str) -> Array:
    stream = io.BytesIO(archive.read(f"{name}.npy"))
    array: Array = np.lib.format.read_array(stream, allow_pickle=False)
    if array.dtype.kind == "U":
        array = np.array([int(text) for text in array.tolist()], object)
    return array


def _path(problem: Problem) -> Path:
    """Return where a diagram is kept: ``SATCAL_CACHE``, else the user's cache directory."""
    folder = os.environ.get("SATCAL_CACHE") or platformdirs.user_cache_dir("satcal")
    return Path(folder, f"diagram-{fingerprint(problem)[:32]}.zip")


def recall(problem: Problem) -> Diagram | None:
    """Return the cached diagram of a problem; None if there is none, or none that can be read.

    Raises:
        FormatError: it is damaged; build it anew.
    """
    path = _path(problem)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        _log.warning("the cache is not used: %s", error)
        return None
    return parse(data, problem, str(path))


def remember(diagram: Diagram) -> None:
    """Keep a diagram in the cache; a cache that cannot be written is said, and no error."""
    path = _path(diagram.problem)
    try:
        make_folder(path.parent)
        write_bytes(path, dump(diagram))
    except FileTrouble as error:
        _log.warning("the diagram is not cached: %s", error)
