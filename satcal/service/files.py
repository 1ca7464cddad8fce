"""Files that are made and compressed once and sent often. The workers make some of them."""

from __future__ import annotations

import gzip
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

MAX_CACHED = 64 * 2**20
"""Limit on the bytes of the cached files; the one that was not read for the longest time goes."""
MAX_FILES = 1000
"""Limit on their number, because what was asked takes room as well: it has the text of a board."""
MIN_GAIN = 0.9
"""A file that gzip makes hardly smaller, such as a picture, is sent as it is."""


class StoredFile(NamedTuple):
    """A file; ``is_packed`` is whether ``data`` is compressed by gzip."""

    data: bytes
    is_packed: bool

    def encode(self, accepted: str) -> tuple[bytes, dict[str, str]]:
        """Return the bytes and headers for a client with this Accept-Encoding."""
        if not self.is_packed:
            return self.data, {}
        headers = {"Vary": "Accept-Encoding"}
        if takes_gzip(accepted):
            return self.data, headers | {"Content-Encoding": "gzip"}
        return gzip.decompress(self.data), headers


def pack_file(data: bytes) -> StoredFile:
    """Return a file, compressed if that makes it smaller."""
    packed = gzip.compress(data, 6, mtime=0)
    return (
        StoredFile(packed, True) if len(packed) < MIN_GAIN * len(data) else StoredFile(data, False)
    )


def takes_gzip(accepted: str) -> bool:
    """Return whether a client with this Accept-Encoding takes gzip.

    >>> [takes_gzip(text) for text in ("gzip, br", "br;q=1, *", "gzip; q=0.0", "x-gzip", "")]
    [True, True, False, False, False]
    >>> [takes_gzip(text) for text in ("*, gzip;q=0", "*;q=0, gzip", "gzip;q=0.5")]
    [False, True, True]
    """
    weights = {}
    for part in accepted.lower().split(","):
        coding, _, weight = part.partition(";")
        weights[coding.strip()] = "".join(weight.split())
    return weights.get("gzip", weights.get("*", "q=0")).rstrip("0.") != "q="


class FileCache:
    """The files, by what was asked."""

    def __init__(self) -> None:
        self._files: OrderedDict[tuple[object, ...], StoredFile] = OrderedDict()
        self._size = 0

    def find(self, key: tuple[object, ...]) -> StoredFile | None:
        """Return a file, or None."""
        if key in self._files:
            self._files.move_to_end(key)
        return self._files.get(key)

    def pack(self, name: str, make: Callable[[], bytes]) -> StoredFile:
        """Return a compressed file; make it if it is missing."""
        if (file := self.find((name,))) is None:
            self.add((name,), file := pack_file(make()))
        return file

    def add(self, key: tuple[object, ...], file: StoredFile) -> None:
        """Keep a file, and remove others if it needs their room."""
        if key not in self._files:
            self._files[key] = file
            self._size += len(file.data)
        while self._size > MAX_CACHED or len(self._files) > MAX_FILES:
            _, oldest = self._files.popitem(last=False)
            self._size -= len(oldest.data)
