"""Files, with errors that a user can act on; nothing half-written is left."""

from __future__ import annotations

import errno
import fcntl
import gzip
import hashlib
import io
import lzma
import os
import re
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import satcal.toml as toml
from satcal.errors import FileTrouble, FormatError, Missing, Stopped, TooLarge, printable
from satcal.processes import temporary_files

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

PACKED = (".zip", ".bz2", ".zst", ".7z", ".lz4", ".br", ".tar", ".tgz")
_OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".xz": lzma.open}
PACKAGE = Path(__file__).resolve().parent
MAX_TEXT = 4 * 1024 * 1024  # a puzzle, a claim file or a solver's answer is far below this
STOPPING = {
    getattr(errno, name)
    for name in ("EACCES", "EDQUOT", "EFBIG", "EIO", "EMFILE", "ENFILE", "ENOSPC", "EPERM", "EROFS")
}
"""What the system refuses although the input is right."""


@contextmanager
def failing(text: str) -> Iterator[None]:
    """Turn what the system refuses into an error that begins with a text.

    Raises:
        Stopped: a full disk, or a missing right: the same command may succeed later.
        FileTrouble: any other reason.
    """
    try:
        yield
    except OSError as error:
        kind = Stopped if error.errno in STOPPING else FileTrouble
        raise kind(f"{text}: {error.strerror or error}") from error
    except ValueError as error:
        # the system's only complaint of that kind: a NUL, or what its encoding does not have
        if not isinstance(error, UnicodeEncodeError) and "null" not in str(error):
            raise
        raise FileTrouble(f"{text}: its name has a character that no file name can have") from error
    except RuntimeError as error:  # of Path.resolve, before Python 3.13
        raise FileTrouble(f"{text}: {os.strerror(errno.ELOOP)}") from error


def read_text(path: Path, what: str, limit: int = MAX_TEXT) -> str:
    """Return the text of a UTF-8 file; ``.gz`` and ``.xz`` are decompressed.

    Raises FileTrouble, TooLarge beyond the limit, or FormatError if it is not UTF-8.
    """
    name = f"{what} {printable(path)}"
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


def read_bytes(path: Path, what: str, limit: int = -1) -> bytes:
    """Return the first bytes of a file, by default all; raise FileTrouble if that fails."""
    with failing(f"{what} {printable(path)}"), open(path, "rb") as stream:
        return stream.read(limit)


def read_toml(path: Path, what: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """Return the table of a TOML file; raise as :func:`read_text`."""
    return toml.parse(read_text(path, what), printable(path), parse_float=parse_float)


def compress(path: Path, data: bytes) -> bytes:
    """Return bytes packed as the file's name asks: gzip, xz or not at all.

    Raises:
        FormatError: another compression.
    """
    suffix = path.suffix.lower()
    if suffix in PACKED:
        raise FormatError(
            f"{printable(path)}: satcal compresses to .gz and .xz only; end the file's name in one "
            "of these"
        )
    if suffix == ".gz":
        packer = zlib.compressobj(zlib.Z_BEST_COMPRESSION, wbits=16 + zlib.MAX_WBITS)  # no time
        return packer.compress(data) + packer.flush()
    return lzma.compress(data) if suffix == ".xz" else data


def check_output(path: Path, force: bool = False) -> None:
    """Check, before any work is done for it, that a file can be made here.

    Raises:
        FileTrouble: it is there and ``force`` is not given, or it is a folder.
    """
    name = printable(path)
    with failing(f"{name}: cannot be written"):  # such as a name that is too long
        if path.is_dir():
            raise FileTrouble(f"{name}: cannot be written: it is a folder; name a file in it")
        if path.is_file() and not force:
            raise FileTrouble(f"{name} exists already; add --force to replace it")


class Draft(io.FileIO):
    """A file beside the place that it will take; it is also the lock of that place.

    Its name follows from the target's, so that a second writer meets it.
    """

    def __init__(self, target: Path) -> None:
        name = hashlib.sha256(os.fsencode(target.name)).hexdigest()[:16]
        self.path = target.with_name(f".satcal-{name}")
        self.trouble = f"{printable(target)}: cannot be written"
        while True:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            super().__init__(descriptor, "r+b")
            self.name = str(self.path)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                self.close()
                raise Stopped(
                    f"another process is writing {printable(target)}; wait for it"
                ) from error
            # else the one who had it before has just renamed or removed it
            with suppress(FileNotFoundError):
                if os.path.samestat(os.stat(self.path), os.fstat(descriptor)):
                    break
            self.close()
        self.truncate(0)  # a process that was killed may have left something
        temporary_files.add(str(self.path))

    def write(self, data: Buffer, /) -> int:
        """Write bytes; raise Stopped if the disk is full."""
        with failing(self.trouble):
            return super().write(data)

    def discard(self) -> None:
        """Remove the file, unless it was renamed, and unlock its place."""
        with suppress(OSError):
            if os.path.samestat(os.stat(self.path), os.fstat(self.fileno())):
                os.unlink(self.path)
        temporary_files.discard(str(self.path))
        self.close()


@contextmanager
def locking(target: Path) -> Iterator[Draft]:
    """Be the only writer of a file or folder in a block; make the folders above it.

    Raises:
        Stopped: another process is writing it, or a right is missing.
    """
    with failing(f"{printable(target)}: cannot be written"):
        # what a link points to is written, and the link stays
        resolved = target.resolve()
        resolved.parent.mkdir(parents=True, exist_ok=True)
        draft = Draft(resolved)
    try:
        yield draft
    finally:
        draft.discard()


@contextmanager
def drafting(path: Path, force: bool = False) -> Iterator[BinaryIO]:
    """Give a file that takes the place of ``path`` at the end of the block, whole.

    After an error or Ctrl-C it is gone, and what was there before stays. What is replaced keeps its
    mode. A device or pipe, such as /dev/stdout, is written at the end.

    Raises:
        FileTrouble: as :func:`check_output`.
        Stopped: another process is writing the file, the disk is full, or a right is missing.
    """
    check_output(path, force)
    if path.exists() and not path.is_file():
        with tempfile.TemporaryFile() as kept:
            yield kept
            kept.seek(0)
            with failing(f"{printable(path)}: cannot be written"), open(path, "wb") as device:
                shutil.copyfileobj(kept, device)
        return
    with locking(path) as draft:
        stream = io.BufferedRandom(draft)
        yield stream
        stream.flush()
        check_output(path, force)  # others may have made it meanwhile
        with failing(draft.trouble):
            target = path.resolve()
            os.umask(umask := os.umask(0))
            mode = target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~umask
            os.fchmod(draft.fileno(), mode)
            os.replace(draft.path, target)


def write_bytes(path: Path, data: bytes, force: bool = True) -> None:
    """Write a file whole; raise as :func:`drafting`."""
    with drafting(path, force) as stream:
        stream.write(data)


def name_of_file(puzzle: str, parts: Iterable[str]) -> str:
    """Return the name of a file about a part of a puzzle; other parts have another name."""
    escaped = (re.sub(r"[^\w.+]", lambda mark: f"%{ord(mark[0]):02X}", part) for part in parts)
    return "-".join([re.sub(r"[^\w.+-]+", "_", puzzle)[:60], *escaped])


def data_folder(name: str, package: Path = PACKAGE) -> Path:
    """Return a folder of data of the wheel or the checkout; raise Missing if it is not there."""
    # the wheel's own copy first: beside a package stand the folders of others
    for folder in (package / name, package.parent / name):
        if folder.is_dir():
            return folder
    raise Missing(
        f"the folder {package / name} is missing; reinstall satcal, or run it from a checkout"
    )


def make_folder(path: Path, mode: int = 0o777) -> None:
    """Make a folder and those above it, if they are not there; raise as :func:`failing`."""
    with failing(f"{printable(path)}: cannot be made"):
        path.mkdir(mode, parents=True, exist_ok=True)
