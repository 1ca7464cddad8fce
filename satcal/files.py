"""Reading and writing of files, with errors for the user and without half-written files."""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import lzma
import os
import re
import shutil
import signal
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from satcal.errors import FileTrouble, FormatError, Missing, Stopped, TooLarge, printable
from satcal.processes import leave, parents_pipe, temporary_files
from satcal.toml import parse_toml

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

_OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".xz": lzma.open}
PACKAGE = Path(__file__).resolve().parent
PART = ".part"
"""The suffix of the parts of long work."""
DRAFT = ".satcal-"
"""The beginning of the names of drafts."""
LOCK_TRIES, LOCK_PAUSE = 5, 0.02
"""The attempts to lock a draft, and the seconds between them."""
DATABASE = b"SQLite format 3\0"
"""The first bytes of a SQLite database, which is never replaced, because work would be lost."""
MAX_TEXT = 4 * 1024 * 1024  # puzzles, claim files and answers of solvers are far smaller
TEMPORARY_ERRORS = {
    getattr(errno, name)
    for name in ("EACCES", "EDQUOT", "EFBIG", "EIO", "EMFILE", "ENFILE", "ENOSPC", "EPERM", "EROFS")
}
"""Errors of the system that do not depend on the input."""


@contextmanager
def failing(text: str) -> Iterator[None]:
    """Convert errors of the system in a block; their text begins with ``text``.

    Raises:
        Stopped: a full disk or missing permission, so that the command may succeed later.
        FileTrouble: any other reason.
    """
    try:
        yield
    except OSError as error:
        kind = Stopped if error.errno in TEMPORARY_ERRORS else FileTrouble
        raise kind(f"{text}: {error.strerror or error}") from error


def read_text(path: Path, kind: str, limit: int = MAX_TEXT) -> str:
    """Return the text of a UTF-8 file; ``.gz`` and ``.xz`` are decompressed.

    ``kind`` describes the file in errors, and ``limit`` is in bytes.

    Raises:
        FileTrouble: the file cannot be read.
        TooLarge: the file is larger than the limit.
        FormatError: the file is not UTF-8, or damaged.
    """
    name = f"{kind} {printable(path)}"
    with failing(name):
        try:
            with _OPENERS.get(path.suffix.lower(), open)(path, "rb") as stream:
                data: bytes = stream.read(limit + 1)
        except (EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError) as error:
            raise FormatError(f"{name}: damaged compressed file ({error})") from error
    if len(data) > limit:
        raise TooLarge(f"{name}: larger than {limit} bytes; is it the right file?")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise FormatError(
            f"{name}: line {line} is not UTF-8 text; save the file as UTF-8"
        ) from error


def read_bytes(path: Path, kind: str, limit: int = -1) -> bytes:
    """Return the first ``limit`` bytes of a file, by default all; raise FileTrouble on failure."""
    with failing(f"{kind} {printable(path)}"), open(path, "rb") as stream:
        return stream.read(limit)


def read_toml(path: Path, kind: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """Return the table of a TOML file; raise as :func:`read_text`."""
    return parse_toml(read_text(path, kind), printable(path), parse_float=parse_float)


def compress(path: Path, data: bytes) -> bytes:
    """Return bytes, compressed by gzip or xz if the name of the file ends in .gz or .xz."""
    suffix = path.suffix.lower()
    if suffix == ".gz":
        # zlib writes no timestamp
        compressor = zlib.compressobj(zlib.Z_BEST_COMPRESSION, wbits=16 + zlib.MAX_WBITS)
        return compressor.compress(data) + compressor.flush()
    return lzma.compress(data) if suffix == ".xz" else data


def check_output(path: Path, force: bool = False) -> None:
    """Check that a file can be written, before the work for it begins.

    Raises:
        FileTrouble: the file exists and ``force`` is false, or it is a folder.
    """
    name = printable(path)
    with failing(f"{name}: cannot be written"):  # for example, the name is too long
        if path.is_dir():
            raise FileTrouble(f"{name}: cannot be written: it is a folder; name a file in it")
        if path.is_file() and not force:
            raise FileTrouble(f"{name} exists already; add --force to replace it")
        if path.is_file():
            with open(path, "rb") as file:
                if file.read(len(DATABASE)) == DATABASE:
                    raise FileTrouble(f"{name} is a database, such as a store; name another file")


def lock_file(descriptor: int, *, shared: bool = False, wait: bool = False) -> None:
    """Lock an open file until it is closed; Windows has no shared locks.

    Raises:
        OSError: another process has locked it.
    """
    try:
        import fcntl
    except ImportError:
        if sys.platform == "win32" and not shared:
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        return
    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    fcntl.flock(descriptor, kind if wait else kind | fcntl.LOCK_NB)


def open_locked(path: Path) -> int | None:
    """Create and lock a file; return its descriptor, or None if another process has locked it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
    with suppress(BlockingIOError, PermissionError, FileNotFoundError):
        lock_file(descriptor)
        # the former owner may have renamed or removed the file before we locked it
        if os.path.samestat(os.stat(path), os.fstat(descriptor)):
            return descriptor
    os.close(descriptor)
    return None


@cache
def remove_drafts(folder: Path) -> None:
    """Remove the drafts that killed processes left in a folder, once per process."""
    for path in folder.glob(f"{DRAFT}*"):
        with suppress(OSError):  # a missing right
            if (descriptor := open_locked(path)) is not None:
                path.unlink()
                os.close(descriptor)


class Draft(io.FileIO):
    """A temporary file beside its target, and the lock of the target."""

    path: Path
    error_text: str

    def write(self, data: Buffer, /) -> int:
        """Write bytes; raise Stopped if the disk is full."""
        with failing(self.error_text):
            return super().write(data)


@contextmanager
def locking(target: Path) -> Iterator[Draft]:
    """Lock a file or folder for writing in a block; create its parent folders.

    The name of the draft is a function of the target, so that a second writer finds it.

    Raises:
        Stopped: another process is writing the target, or permission is missing.
    """
    text = f"{printable(target)}: cannot be written"
    with failing(text):
        # follow a symbolic link, so that the link stays
        resolved = Path(os.path.realpath(target))  # no error for a loop of links
        resolved.parent.mkdir(parents=True, exist_ok=True)
        remove_drafts(resolved.parent)
        name = hashlib.sha256(os.fsencode(resolved.name)).hexdigest()[:16]
        path = resolved.with_name(f"{DRAFT}{name}")
        for _ in range(LOCK_TRIES):
            if (descriptor := open_locked(path)) is not None:
                break
            time.sleep(LOCK_PAUSE)  # a process may be looking whether the file was left
        else:
            raise Stopped(f"another process is writing {printable(target)}; wait for it")
    temporary_files.add(str(path))
    if parents_pipe:  # a child otherwise ends without a handler
        signal.signal(signal.SIGTERM, leave)
    draft = Draft(descriptor, "r+b")
    draft.path, draft.error_text = path, text
    try:
        draft.truncate(0)  # a killed process may have left data
        yield draft
    finally:
        with suppress(OSError, ValueError):  # it was renamed, or is closed
            if os.path.samestat(os.stat(path), os.fstat(draft.fileno())):
                if sys.platform == "win32":
                    draft.close()
                os.unlink(path)
        temporary_files.discard(str(path))
        if parents_pipe and not temporary_files:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
        draft.close()


@contextmanager
def drafting(path: Path, force: bool = False) -> Iterator[BinaryIO]:
    """Yield a temporary file that replaces ``path`` at the end of the block.

    After an error or Ctrl-C, the old file stays. A replaced file keeps its mode. A device or pipe,
    such as /dev/stdout, is written at the end.

    Raises:
        FileTrouble: as in :func:`check_output`.
        Stopped: another process is writing the file, the disk is full, or permission is missing.
    """
    check_output(path, force)
    if path.exists() and not path.is_file():
        with tempfile.TemporaryFile() as buffer:
            yield buffer
            buffer.seek(0)
            with failing(f"{printable(path)}: cannot be written"), open(path, "wb") as device:
                shutil.copyfileobj(buffer, device)
        return
    with locking(path) as draft:
        stream = io.BufferedRandom(draft)
        yield stream
        stream.flush()
        check_output(path, force)  # another process may have created it
        with failing(draft.error_text):
            target = Path(os.path.realpath(path))
            os.umask(umask := os.umask(0))
            mode = target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~umask
            os.chmod(draft.path, mode)
            if sys.platform == "win32":  # it renames no open file
                draft.close()
            os.replace(draft.path, target)


def write_bytes(path: Path, data: bytes, force: bool = True) -> None:
    """Write a file completely or not at all; raise as :func:`drafting`."""
    with drafting(path, force) as stream:
        stream.write(data)


def make_once(folder: Path | None, key: str, make: Callable[[], bytes]) -> bytes:
    """Return a part of long work; a folder keeps it under a digest of its key.

    So work that is repeated after it was stopped goes on with the parts that it has made.
    """
    if folder is None:
        return make()
    path = folder / f"{hashlib.sha256(key.encode()).hexdigest()}{PART}"
    if not path.exists():
        write_bytes(path, make())
    return read_bytes(path, "part")


def remove_parts(folder: Path) -> None:
    """Remove the parts that are kept in a folder, and the folder if it is then empty."""
    for part in folder.glob(f"*{PART}"):
        part.unlink()
    with suppress(OSError):
        folder.rmdir()


def make_file_name(puzzle: str, parts: Iterable[str]) -> str:
    """Return a file name of a puzzle's name and other parts, such as labels.

    Different parts give different names.
    """
    escaped = (re.sub(r"[^\w.+]", lambda match: f"%{ord(match[0]):02X}", part) for part in parts)
    return "-".join([re.sub(r"[^\w.+-]+", "_", puzzle)[:60], *escaped])


def data_folder(name: str, package: Path = PACKAGE) -> Path:
    """Return a data folder of the wheel or the checkout; raise Missing if there is none."""
    # first in the package: the folders beside an installed package belong to others
    for folder in (package / name, package.parent / name):
        if folder.is_dir():
            return folder
    raise Missing(
        f"the folder {package / name} is missing; reinstall satcal, or run it from a checkout"
    )


def make_folder(path: Path, mode: int = 0o777) -> None:
    """Create a folder and its parents if they are missing; raise as :func:`failing`."""
    with failing(f"{printable(path)}: cannot be made"):
        path.mkdir(mode, parents=True, exist_ok=True)
