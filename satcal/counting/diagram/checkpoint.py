"""How far a count by layers came, in the cache's folder: one that was stopped goes on there.

The states that wait between two layers are a cut (see :mod:`.layered`), so they are all that is
needed. They are written now and then, whole or not at all; so are the numbers of shares that
other processes have finished. Both are zips, whose check sums find damage, and are removed when
the count is done.
"""

from __future__ import annotations

import hashlib
import io
import logging
import shutil
import time
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import numpy as np

from satcal.counting.diagram.cache import DAMAGE, EPOCH, folder
from satcal.counting.diagram.merging import States
from satcal.counting.diagram.model import DiagramError
from satcal.counting.diagram.waiting import SPARE, Waiting
from satcal.errors import FileTrouble
from satcal.files import make_folder, write_bytes

EVERY = 10.0  # seconds between two checkpoints, at least
SHARE = 20  # writing takes no more than one part of the time in so many
_log = logging.getLogger(__name__)


class Checkpoint:
    """The states that wait in one count; ``name`` tells its problem and the form of its states."""

    def __init__(self, name: str) -> None:
        self._path = folder() / f"layers-{name}.zip"
        # one name for all runs: what a killed one left is written over, or removed in the end
        self._part = self._path.with_suffix(".part")
        self._next = time.monotonic() + EVERY

    def recall(self, waiting: Waiting) -> bool:
        """Let what was kept wait; return whether there was anything, and undamaged.

        Raises:
            DiagramError: the file cannot be read to its end, though a moment ago it could.
        """
        archive = _opened(self._path)
        if archive is None:
            return False
        with archive:
            try:
                for layer, states in _read(archive):
                    waiting.add(layer, states)
            except DAMAGE as error:  # some states wait already: they must not be counted twice
                raise DiagramError(f"checkpoint {self._path}: {error}; remove it") from error
        return True

    def offer(self, waiting: Waiting) -> None:
        """Write what waits, if it is time; where that fails it is said once, and no error."""
        begun = time.monotonic()
        if begun < self._next:
            return
        try:
            self._write(waiting)
        except (FileTrouble, OSError) as error:
            _log.warning("how far the count came is not kept: %s: %s", self._path, error)
            self._next = float("inf")
            return
        ended = time.monotonic()
        self._next = ended + max(EVERY, SHARE * (ended - begun))

    def _write(self, waiting: Waiting) -> None:
        make_folder(self._path.parent)
        if shutil.disk_usage(self._path.parent).free < waiting.nbytes + SPARE:
            raise OSError("the disk is full")
        try:
            with zipfile.ZipFile(self._part, "w") as archive:
                for number, (layer, states) in enumerate(waiting.blocks()):
                    _add(archive, f"{layer}/{number}", states)
            self._part.replace(self._path)
        except BaseException:
            _remove(self._part)
            raise

    def forget(self) -> None:
        """Remove the file: the count is done."""
        _remove(self._path)
        _remove(self._part)


class Tally:
    """The numbers of tilings of finished shares of one count.

    ``name`` as for a checkpoint; None: nothing is kept.
    """

    def __init__(self, name: str | None) -> None:
        self._path = folder() / f"shares-{name}.zip" if name else None
        self._found: dict[str, int] = {}
        archive = _opened(self._path) if self._path else None
        if archive is not None:
            with archive:
                self._found = {key: int(archive.read(key)) for key in archive.namelist()}

    def recall(self, share: Mapping[int, States]) -> int | None:
        """Return the number of a share; None if it was not finished."""
        return self._found.get(_digest(share))

    def keep(self, share: Mapping[int, States], tilings: int) -> None:
        """Write the number of a share that is finished; failing is said, and no error."""
        if self._path is None:
            return
        self._found[_digest(share)] = tilings
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            for key, number in self._found.items():
                archive.writestr(zipfile.ZipInfo(key, EPOCH), str(number))
        try:
            make_folder(self._path.parent)
            write_bytes(self._path, out.getvalue())
        except FileTrouble as error:
            _log.warning("a finished share is not kept: %s", error)

    def forget(self) -> None:
        """Remove the file: the count is done."""
        if self._path is not None:
            _remove(self._path)


def _remove(path: Path) -> None:
    # what stays is found by the same count, if anyone asks again, and by nothing else
    with suppress(OSError):
        path.unlink(missing_ok=True)


def _opened(path: Path) -> zipfile.ZipFile | None:
    """Return a file whose check sums all hold; None if there is none, or a damaged one."""
    try:
        archive = zipfile.ZipFile(path)
        if archive.testzip() is not None:
            raise zipfile.BadZipFile("it is damaged")
    except FileNotFoundError:
        return None
    except DAMAGE as error:
        _log.warning("what was kept of an earlier run is not used: %s: %s", path, error)
        return None
    return archive


def _add(archive: zipfile.ZipFile, name: str, states: States) -> None:
    # ways are below 2**32: half of their bytes need not be written
    small = states._replace(ways=states.ways.astype(np.uint32))
    for field, column in zip(States._fields, small, strict=True):
        info = zipfile.ZipInfo(f"{name}/{field}.npy", EPOCH)
        with archive.open(info, "w", force_zip64=True) as stream:
            np.lib.format.write_array(stream, column, allow_pickle=False)


def _read(archive: zipfile.ZipFile) -> Iterator[tuple[int, States]]:
    """Yield the states of a file with their layer, a block at a time."""
    names = archive.namelist()
    for place in range(0, len(names), len(States._fields)):
        columns = []
        for name in names[place : place + len(States._fields)]:
            with archive.open(name) as stream:
                columns.append(np.lib.format.read_array(stream, allow_pickle=False))
        bits, left, ways = columns
        yield int(name.partition("/")[0]), States(bits, left, ways.astype(np.uint64))


def _digest(share: Mapping[int, States]) -> str:
    found = hashlib.sha256()
    for layer, states in sorted(share.items()):
        found.update(f"{layer}:".encode())
        for column in states:
            found.update(f"{column.dtype.str} {column.shape}:".encode() + column.tobytes())
    return found.hexdigest()
