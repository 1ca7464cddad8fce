"""A run's use of a store, which may fail without harm to the run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from satcal.errors import StoreError, StoreForeign
from satcal.puzzle.model import Reveal
from satcal.store.database import Key, Store, open_store

T = TypeVar("T")


class StoreSession:
    """A store that is asked before a run and told of each result; its failure is warned of once.

    What could not be stored is tried again at the end. ``where`` is as for :func:`open_store`.
    """

    def __init__(self, where: str, warn: Callable[[str], None]) -> None:
        self.contradictions: list[str] = []
        self._where, self._warn = where, warn
        self._failed = False
        self._unsaved: list[tuple[Key, Reveal, int]] = []
        self._store: Store | None = None

    def _try(self, work: Callable[[Store], T]) -> T | None:
        """Return what a use of the store returns, or None if the store fails."""
        try:
            self._store = self._store or open_store(self._where)
            return work(self._store)
        except StoreForeign:  # a wrong name, which the user corrects before anything runs
            raise
        except StoreError as error:
            if not self._failed:
                self._warn(f"{error}; counting goes on, and what is counted is printed")
            self._failed = True
            return None

    def recall(self, key: Key, reveals: Sequence[Reveal]) -> dict[Reveal, int]:
        """Return what the store knows, or nothing if it fails."""
        return self._try(lambda store: store.recall(key, reveals)) or {}

    def put(self, key: Key, reveal: Reveal, tilings: int) -> None:
        """Store a count now, or at the end if the store fails."""
        found = None
        if not self._failed:
            found = self._try(lambda store: store.put(key, {reveal: tilings}))
        if found is None:
            self._unsaved.append((key, reveal, tilings))
        else:
            self.contradictions += found

    def finish(self) -> int:
        """Try again what could not be stored, close the store, and return how much is lost."""
        for key in dict.fromkeys(key for key, _, _ in self._unsaved):
            counts = {reveal: number for own, reveal, number in self._unsaved if own == key}
            found = self._try(partial(Store.put, key=key, counts=counts))
            if found is None:
                break
            self.contradictions += found
            self._unsaved = [entry for entry in self._unsaved if entry[0] != key]
        if self._store:
            self._store.close()
        return len(self._unsaved)
