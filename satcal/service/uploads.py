"""Certificates that clients send: files beside the store until their verdict is there."""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Collection
from functools import partial
from pathlib import Path

import platformdirs
from starlette.types import Receive

from satcal.errors import OptionError, Stopped
from satcal.service.config import Limits
from satcal.service.limits import Shares, arriving
from satcal.store.location import Location


class Uploads:
    """The uploads that are on their way or wait for their verdict, by the names of their jobs.

    They are kept beside the file of a store, or among the user's data.
    """

    def __init__(self, store: Location, limits: Limits) -> None:
        if store.path is not None:
            self._folder = store.path.with_name(f"{store.path.name}.uploads")
        else:
            name = hashlib.sha256(store.url.encode()).hexdigest()[:16]
            self._folder = Path(platformdirs.user_data_dir("satcal"), f"{name}.uploads")
        self._limits = limits
        self._shares = Shares("bytes of certificates", limits.uploads)
        self._taken: dict[str, tuple[str, int]] = {}  # by whom, and how many bytes

    def path(self, name: str) -> Path:
        """Return the file of an upload, which may be gone."""
        return self._folder / name

    async def receive(self, name: str, client: str, body: Receive) -> None:
        """Write the body of a request to a file, part by part."""
        size = 0
        self._taken[name] = client, size
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with open(self.path(name), "xb", opener=partial(os.open, mode=0o600)) as file:
                async for part in arriving(body, self._limits.upload, self._limits.body_seconds):
                    self._shares.take(client, len(part))
                    size += len(part)
                    self._taken[name] = client, size
                    await asyncio.to_thread(file.write, part)
            if not size:
                raise OptionError("the body is empty; send the certificate's bytes")
        except BaseException as error:
            self.drop(name)
            if not isinstance(error, OSError):
                raise
            raise Stopped(f"the certificate cannot be kept: {error.strerror or error}") from error

    def drop(self, name: str) -> None:
        """Remove an upload, if there is one of this name."""
        if name in self._taken:
            self._shares.give(*self._taken.pop(name))
            self.path(name).unlink(missing_ok=True)

    def keep(self, names: Collection[str]) -> None:
        """Remove what the last server has left, but for the uploads of these names."""
        self._taken = dict.fromkeys(names, ("", 0))
        for file in self._folder.iterdir() if self._folder.is_dir() else ():
            if file.name not in names:
                file.unlink()
