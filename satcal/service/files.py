"""Files that are made and compressed once and sent often. The workers make some of them."""

from __future__ import annotations

import gzip
from collections import OrderedDict
from collections.abc import Callable

MAX_CACHED = 64 * 2**20
"""Limit on the bytes of the cached files; the one that was not read for the longest time goes."""
MAX_FILES = 1000
"""Limit on their number, because what was asked takes room as well: it has the text of a board."""


def pack(data: bytes) -> bytes:
    """Return a file compressed by gzip."""
    return gzip.compress(data, 6, mtime=0)


class FileCache:
    """The packed files, by what was asked."""

    def __init__(self) -> None:
        self._files: OrderedDict[tuple[object, ...], bytes] = OrderedDict()
        self._size = 0

    def find(self, key: tuple[object, ...]) -> bytes | None:
        """Return a file, or None."""
        if key in self._files:
            self._files.move_to_end(key)
        return self._files.get(key)

    def pack(self, name: str, make: Callable[[], bytes]) -> bytes:
        """Return a packed file; make it if it is missing."""
        if (file := self.find((name,))) is None:
            self.add((name,), file := pack(make()))
        return file

    def add(self, key: tuple[object, ...], file: bytes) -> None:
        """Keep a file, and remove others if it needs their room."""
        if key not in self._files:
            self._files[key] = file
            self._size += len(file)
        while self._size > MAX_CACHED or len(self._files) > MAX_FILES:
            _, oldest = self._files.popitem(last=False)
            self._size -= len(oldest)
