"""The use of a store by a run, which continues if the store fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import methodcaller
from typing import TypeVar

from satcal.errors import StoreDamaged, StoreError, StoreForeign
from satcal.puzzle.model import Reveal
from satcal.puzzle.rows import Selection
from satcal.store.counts import Key, question_key
from satcal.store.opening import Store, open_store

T = TypeVar("T")


class StoreSession:
    """A store whose failure does not stop a run; the user is warned once.

    Counts that could not be stored are stored at the end. ``location`` is as in :func:`open_store`.
    """

    def __init__(self, location: str, warn: Callable[[str], None]) -> None:
        self.contradictions: list[str] = []
        self.was_damaged = False
        self._location, self._warn = location, warn
        self._has_failed = False
        self._unsaved: dict[Key, dict[Reveal, int]] = {}
        self._store: Store | None = None

    def _try(self, work: Callable[[Store], T]) -> T | None:
        """Return the result of a function of the store, or None if the store fails."""
        try:
            self._store = self._store or open_store(self._location)
            return work(self._store)
        except StoreForeign:  # a wrong name, which the user can correct
            raise
        except StoreError as error:
            if not self._has_failed:
                self._warn(f"{error}; counting goes on, and what is counted is printed")
            self._has_failed = True
            self.was_damaged |= isinstance(error, StoreDamaged)
            return None

    def make_key(self, selection: Selection, method: str) -> Key:
        """Return the key of the counts of a selection by the method with that key."""
        question = question_key(selection.puzzle, selection.place)
        return Key(selection.puzzle.digest, question, method)

    def recall(self, key: Key, reveals: Sequence[Reveal]) -> dict[Reveal, int]:
        """Return the stored counts, or none if the store fails."""
        return self._try(lambda store: store.recall(key, reveals)) or {}

    def put(self, key: Key, reveal: Reveal, tilings: int) -> None:
        """Store a count now, or at the end if the store has failed."""
        self._unsaved.setdefault(key, {})[reveal] = tilings
        if not self._has_failed:
            self._save()

    def _save(self) -> None:
        for key in list(self._unsaved):
            contradictions = self._try(methodcaller("put", key, self._unsaved[key]))
            if contradictions is None:
                return
            self.contradictions += contradictions
            del self._unsaved[key]

    def finish(self) -> int:
        """Retry the failed counts and close the store; return how many counts are lost."""
        self._save()
        if self._store:
            self._store.close()
        return sum(map(len, self._unsaved.values()))
