"""Diagrams that are kept in files, each sealed by a digest of its arrays.

They are in ``SATCAL_CACHE``, or in the user's cache directory. A cache that cannot be used is a
warning and no error, and a file that is damaged is replaced by whoever meets it.
"""

from __future__ import annotations

import enum
import hashlib
import io
import logging
import os
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import platformdirs

from satcal.diagram.graph import Diagram
from satcal.diagram.model import Array, Layout
from satcal.errors import FileTrouble, FormatError
from satcal.files import make_folder, write_bytes
from satcal.version import __version__

FORMAT = 2  # of a file; raise it when one of before would be read wrongly
ARRAYS = ("layer_start", "frontier", "remaining", "arc_start", "arc_child", "arc_option", "unit")
EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time a zip can hold: no clock in the file
FASTEST = 1  # higher levels of compression take longer than building the diagram anew
DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    KeyError,
    ValueError,
    EOFError,
    OSError,
    RuntimeError,  # a flag says that a member is encrypted, or packed in a way nobody knows
)
_log = logging.getLogger(__name__)


class Absence(enum.Enum):
    """Why there is no diagram: no file, or one that has to be replaced."""

    MISSING = "missing"
    DAMAGED = "damaged"


MISSING, DAMAGED = Absence.MISSING, Absence.DAMAGED


def cache_folder() -> Path:
    """The folder of the diagrams that are kept: ``SATCAL_CACHE``, or the user's."""
    return Path(os.environ.get("SATCAL_CACHE") or platformdirs.user_cache_dir("satcal"))


def cached_at(problem: Layout) -> Path:
    """The file in which a problem's diagram is kept, whether it is there or not."""
    return cache_folder() / f"diagram-{fingerprint(problem)[:32]}.zip"


def read(problem: Layout) -> Diagram | Absence:
    """A problem's diagram, or why there is none that can be believed."""
    path = cached_at(problem)
    try:
        return parse(path.read_bytes(), problem, str(path))
    except FileNotFoundError:
        return MISSING
    except OSError as error:
        _log.warning("the cache is not used: %s", error)
        return MISSING
    except FormatError as error:
        _log.warning("replacing a damaged file in the cache: %s", error)
        return DAMAGED


def write(diagram: Diagram) -> None:
    """Keep a diagram."""
    path = cached_at(diagram.problem)
    try:
        make_folder(path.parent)
        write_bytes(path, dump(diagram))
    except FileTrouble as error:
        _log.warning("the diagram is not cached: %s", error)


def fingerprint(problem: Layout) -> str:
    """SHA-256, in hexadecimal, of all that decides the arrays of a diagram."""
    # the version: a later one may mend what an earlier one built wrongly
    parts = [FORMAT, __version__, problem.cells]
    lists = [list(problem.copies), list(problem.item), list(problem.mask)]
    return hashlib.sha256(repr([*parts, *lists, problem.categories]).encode()).hexdigest()


def dump(diagram: Diagram) -> bytes:
    """A diagram as a zip of arrays; the same diagram, the same bytes."""
    out, members = io.BytesIO(), {}
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=FASTEST) as archive:
        for name in ARRAYS:
            # numpy would turn a list with an integer beyond int64 into uint64 or float64
            values = getattr(diagram, name)
            array = np.array(values, object) if name == "unit" else values
            if array.dtype == object:  # as texts: a file must not hold pickles
                array = array.astype(str)
            member = io.BytesIO()
            np.lib.format.write_array(member, array)
            members[name] = member.getvalue()
            info = zipfile.ZipInfo(f"{name}.npy", EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, members[name], compresslevel=FASTEST)
        archive.writestr(zipfile.ZipInfo("fingerprint", EPOCH), fingerprint(diagram.problem))
        archive.writestr(zipfile.ZipInfo("digest", EPOCH), _digest(diagram.problem, members))
    return out.getvalue()


def parse(data: bytes, problem: Layout, where: str) -> Diagram:
    """A problem's diagram from the bytes of a file.

    Raises:
        FormatError: damaged, of another version, or of another problem.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if archive.read("fingerprint").decode() != fingerprint(problem):
                raise FormatError(
                    f"{where}: a diagram of another puzzle or version; build it again"
                )
            members = {name: archive.read(f"{name}.npy") for name in ARRAYS}
            if archive.read("digest").decode() != _digest(problem, members):
                raise ValueError("its digest differs")
            arrays = {name: _array(member) for name, member in members.items()}
    except DAMAGE as error:
        raise FormatError(f"{where}: a damaged diagram ({error}); build it again") from error
    return Diagram(problem=problem, unit=arrays.pop("unit").tolist(), **arrays)


def _digest(problem: Layout, members: Mapping[str, bytes]) -> str:
    """SHA-256, in hexadecimal, of the problem and of every array, in the order of ``ARRAYS``."""
    digest = hashlib.sha256(fingerprint(problem).encode())
    for name in ARRAYS:
        digest.update(hashlib.sha256(members[name]).digest())
    return digest.hexdigest()


def _array(member: bytes) -> Array:
    array: Array = np.lib.format.read_array(io.BytesIO(member), allow_pickle=False)
    if array.dtype.kind == "U":
        return np.array([int(text) for text in array.tolist()], object)
    return array
