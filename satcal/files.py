"""Files, with errors that a user can act on; nothing half-written is left."""

from __future__ import annotations

import errno
import gzip
import io
import lzma
import os
import re
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol, TextIO

import satcal.toml as toml
from satcal.errors import FileTrouble, FormatError, Missing, TooLarge, quoted

PACKED = (".zip", ".bz2", ".zst", ".7z", ".lz4", ".br", ".tar", ".tgz")
_OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".xz": lzma.open}
PACKAGE = Path(__file__).resolve().parent
MAX_TEXT = 4 * 1024 * 1024  # a puzzle, a claim file or a solver's answer is far below this
BLOCK = 1024 * 1024  # bytes of what is packed at a time


@contextmanager
def failing(text: str) -> Iterator[None]:
    """Turn what the system refuses into an error that begins with a text."""
    try:
        yield
    except OSError as error:
        raise FileTrouble(f"{text}: {error.strerror or error}") from error
    except ValueError as error:
        # the system's only complaint of that kind: a NUL, or what its encoding does not have
        if not isinstance(error, UnicodeEncodeError) and "null" not in str(error):
            raise
        raise FileTrouble(f"{text}: its name has a character that no file name can have") from error
    except RuntimeError as error:  # of Path.resolve, before Python 3.13
        raise FileTrouble(f"{text}: {os.strerror(errno.ELOOP)}") from error


def read_text(path: Path, what: str, limit: int = MAX_TEXT) -> str:
    """The text of a UTF-8 file; ``.gz`` and ``.xz`` are decompressed.

    Raises FileTrouble, TooLarge beyond the limit, or FormatError if it is not UTF-8.
    """
    name = f"{what} {quoted(path)}"
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


def read_bytes(path: Path, what: str, most: int = -1) -> bytes:
    """The bytes of a file, at most so many; raises FileTrouble for more."""
    with failing(f"{what} {quoted(path)}"), open(path, "rb") as stream:
        return stream.read(most)


def read_toml(path: Path, what: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """The table of a TOML file; raises as :func:`read_text`."""
    return toml.parse(read_text(path, what), quoted(path), parse_float=parse_float)


class _Packer(Protocol):
    """What packs bytes part by part."""

    def compress(self, data: bytes, /) -> bytes: ...

    def flush(self) -> bytes: ...


def _packer(path: Path) -> _Packer | None:
    """What packs as a file's name asks: gzip, xz or, None, not at all; or FormatError."""
    suffix = path.suffix.lower()
    if suffix in PACKED:
        raise FormatError(
            f"{quoted(path)}: satcal compresses to .gz and .xz only; end the file's name in one of "
            "these"
        )
    if suffix == ".gz":
        return zlib.compressobj(zlib.Z_BEST_COMPRESSION, wbits=16 + zlib.MAX_WBITS)  # no time in it
    return lzma.LZMACompressor() if suffix == ".xz" else None


def compress(path: Path, data: bytes) -> bytes:
    """Bytes as a file's name asks for them: gzip, xz or plain; raises FormatError for others."""
    packer = _packer(path)
    return packer.compress(data) + packer.flush() if packer else data


def check_output(path: Path, force: bool = False) -> None:
    """Raise FileTrouble if a file cannot be made here, before any work is done for it.

    One that is there is replaced by ``force`` only.
    """
    name = quoted(path)
    with failing(f"{name}: cannot be written"):  # such as a name that is too long
        check_links(path)
        if path.is_dir():
            raise FileTrouble(f"{name}: cannot be written: it is a folder; name a file in it")
        if not path.exists():
            check_folder(path.parent, f"{name}: cannot be written: ")
        elif path.is_file() and not force:
            raise FileTrouble(f"{name} exists already; remove it or pass --force")


def check_links(path: Path) -> None:
    """Raise the OSError of symbolic links that lead to one another; others may lead nowhere."""
    try:
        path.stat()
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise


def check_folder(path: Path, what: str = "") -> None:
    """Raise FileTrouble, which begins with ``what``, for a folder that is not there."""
    with failing(f"{what}folder {quoted(path)}"):
        check_links(path)
    if not path.is_dir():
        way = "it is a file" if path.exists() else "make it first"
        raise FileTrouble(f"{what}there is no folder {quoted(path)}; {way}")


def write_bytes(path: Path, data: bytes, force: bool = True) -> None:
    """Write a file whole, beside its place and then renamed, or raise FileTrouble.

    One that is replaced keeps its mode.
    """
    _write(path, [data], force)


def _write(path: Path, parts: Iterable[bytes], force: bool) -> None:
    check_output(path, force)
    with failing(f"{quoted(path)}: cannot be written"):
        if _is_device(path):
            with open(path, "wb") as device:
                device.writelines(parts)
            return
        draft = _Draft(path)
        try:
            draft.stream.writelines(parts)
            draft.rename()
        finally:
            draft.discard()


@contextmanager
def printing(path: Path, force: bool, done: Callable[[int], None]) -> Iterator[TextIO]:
    """Give a text stream to a draft beside the file, which takes its place at the end.

    After an error or Ctrl-C, what was already printed is kept, as with ``>``; if nothing was
    printed, there is no file. The file is compressed as its name asks, and a device is written,
    only at the end: Ctrl-C may come between any two steps of a packer. ``done`` is called with the
    number of bytes printed.

    Raises:
        FormatError: another compression.
        FileTrouble: the file cannot be made, before anything is printed; or cannot be written.
    """
    packer, device, trouble = _packer(path), _is_device(path), f"{quoted(path)}: cannot be written"
    check_output(path, force)
    with failing(trouble):
        draft = _Draft(Path(tempfile.gettempdir(), path.name) if device else path)
    printed = io.TextIOWrapper(draft.stream, "utf-8")
    try:
        try:
            yield printed
        finally:
            with failing(trouble):
                printed.flush()
                size = draft.stream.tell()
                if size and (packer or device):
                    _write(path, _packed(draft.parts(), packer), force)
                elif size:
                    check_output(path, force)  # others may have written it meanwhile
                    draft.rename()
            if size:
                done(size)
    finally:
        draft.discard()


def _packed(parts: Iterable[bytes], packer: _Packer | None) -> Iterator[bytes]:
    for part in parts:
        yield packer.compress(part) if packer else part
    if packer:
        yield packer.flush()


def _is_device(path: Path) -> bool:
    """Whether there is a pipe or device, such as /dev/stdout, which cannot be replaced."""
    with failing(f"{quoted(path)}: cannot be written"):
        return path.exists() and not path.is_file()


class _Draft:
    """A file beside the place that it will take; raises OSError."""

    def __init__(self, path: Path) -> None:
        self._target = path.resolve()  # what a link points to is written, and the link stays
        handle, self._name = tempfile.mkstemp(dir=self._target.parent, prefix=".satcal-")
        self.stream = os.fdopen(handle, "w+b")

    def parts(self) -> Iterator[bytes]:
        """Read it from the beginning."""
        self.stream.seek(0)
        while part := self.stream.read(BLOCK):
            yield part

    def rename(self) -> None:
        """Take the place; a file that is replaced keeps its mode."""
        self.stream.close()
        os.umask(umask := os.umask(0))
        # mkstemp's 0600 would surprise whoever shares a new file
        there = self._target.exists()
        os.chmod(self._name, self._target.stat().st_mode & 0o7777 if there else 0o666 & ~umask)
        os.replace(self._name, self._target)

    def discard(self) -> None:
        """Leave no trace, unless it was renamed."""
        with suppress(OSError):  # such as of a full disk, which was said
            self.stream.close()
        with suppress(FileNotFoundError):
            os.unlink(self._name)


def name_of_file(puzzle: str, parts: Iterable[str]) -> str:
    """The name of a file about a part of a puzzle; other parts have another name."""
    escaped = (re.sub(r"[^\w.+]", lambda mark: f"%{ord(mark[0]):02X}", part) for part in parts)
    return "-".join([re.sub(r"[^\w.+-]+", "_", puzzle)[:60], *escaped])


def shipped(name: str, package: Path = PACKAGE) -> Path:
    """A folder of data that the wheel carries and a checkout has; raises Missing if none."""
    # the wheel's own copy first: beside a package stand the folders of others
    for folder in (package / name, package.parent / name):
        if folder.is_dir():
            return folder
    raise Missing(
        f"the folder {package / name} is missing; reinstall satcal, or run it from a checkout"
    )


def make_folder(path: Path, mode: int = 0o777) -> None:
    """Make a folder and those above it, if they are not there; or raise FileTrouble."""
    with failing(f"{quoted(path)}: cannot be made"):
        path.mkdir(mode, parents=True, exist_ok=True)
