"""A run and its store: nothing is counted again, what is finished is stored at once.

A store that fails while a run counts costs the run nothing: it goes on, says so once, and ends
with exit code 3, unless the store comes back in time.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from satcal.counting.settings import Settings
from satcal.errors import Disagreement, StoreError, StoreUnavailable
from satcal.puzzle.model import Puzzle, Reveal
from satcal.store.keys import Method, conditions_key, method_key, reveal_key
from satcal.store.location import Location

if TYPE_CHECKING:
    from satcal.store.results import Store

PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)  # seconds: a server that is restarted is back within them
LONGEST_PAUSE = 60.0  # while there is something to count: an attempt may take ten seconds


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@dataclass
class Keeper:
    """What a run needs of a store, which is opened when it is first asked.

    Trouble with a ``required`` store ends a run that has not begun, and is exit code 3 for one
    that has; with another it is only reported.
    """

    location: Location | None
    origin: str = ""  # the board as the user named it: a changed file is noticed by it
    fresh: bool = False  # count everything again, whatever is stored
    required: bool = True
    quiet: bool = False  # tell only of trouble

    def __post_init__(self) -> None:
        self._store: Store | None = None
        self._failed = False
        self._contradictions: set[str] = set()
        self._waiting: list[tuple[str, str, str, Method, dict[str, int]]] = []
        self._tries, self._next_try = 0, 0.0

    def recall(
        self, puzzle: Puzzle, reveals: Sequence[Reveal], settings: Settings
    ) -> dict[Reveal, int]:
        """Return the reveals that need no counting, and say how many they are.

        No connection is open afterwards: worker processes may be forked. Raises a StoreError
        for a required store that cannot be used.
        """
        if self.location is None or self._failed:
            return {}
        from satcal.store.results import Store

        begun = self._store is not None
        try:
            store = self._store or Store(self.location)
            with store:
                if not begun:
                    store.check_whole()
                    self._note_change(store, puzzle)
                known = {} if self.fresh else self._known(store, puzzle, reveals, settings)
        except StoreError as error:
            if self.required and not begun:
                raise
            self._give_up(error)
            return {}
        self._store = store
        if known and not self.quiet:
            _say(
                f"{settings.method}: {len(known):,} of {len(reveals):,} taken from the store "
                "(--fresh counts them again)"
            )
        return known

    def _note_change(self, store: Store, puzzle: Puzzle) -> None:
        if not self.origin:
            return
        before = store.last_digest(self.origin, puzzle.digest, puzzle.name)
        if before and before != puzzle.digest:
            _say(
                f"{puzzle.name} has changed since its last run (digest {puzzle.digest[:12]}, "
                f"before {before[:12]}): it is counted afresh; the old counts stay stored"
            )

    def _known(
        self, store: Store, puzzle: Puzzle, reveals: Sequence[Reveal], settings: Settings
    ) -> dict[Reveal, int]:
        method = method_key(settings)
        stored = store.recall(puzzle.digest, conditions_key(puzzle, settings), method)
        known: dict[Reveal, int] = {}
        for reveal in reveals:
            key = reveal_key(reveal)
            numbers = stored.get(key, [])
            if len(numbers) == 1:
                known[reveal] = numbers[0]
            elif numbers:
                listed = " and ".join(f"{number:,}" for number in sorted(numbers))
                self._report(f"{puzzle.name} {key or 'the board'}: {listed} by {method}")
        return known

    def record(self, puzzle: Puzzle, settings: Settings, counts: Mapping[Reveal, int]) -> None:
        """Store exact counts at once; trouble is reported, and ends storing, not counting.

        Counts wait for a server that is away.
        """
        if self._failed or self._store is None or not counts:
            return
        keyed = {reveal_key(reveal): tilings for reveal, tilings in counts.items()}
        conditions = conditions_key(puzzle, settings)
        self._waiting.append((puzzle.digest, puzzle.name, conditions, method_key(settings), keyed))
        if time.monotonic() >= self._next_try:
            self._store_waiting()

    def _store_waiting(self) -> None:
        """Store what waits; a store that is away is asked again later, and later."""
        while self._store and self._waiting:
            try:
                contradictions = self._store.record(*self._waiting[0])
            except StoreUnavailable as error:
                if not self._tries:
                    _say(f"{error}\ncounting goes on; what is finished waits to be stored")
                self._next_try = time.monotonic() + min(PAUSES[0] * 2**self._tries, LONGEST_PAUSE)
                self._tries += 1
                return
            except StoreError as error:
                self._give_up(error)
                return
            del self._waiting[0]
            for each in contradictions:
                self._report(str(each))
            if self._tries and not self._waiting:
                _say("the store is back: what waited is stored")
                self._tries = 0

    def finish(self) -> int:
        """Store what still waits, with patience; return the exit code: 1 for a contradiction,
        3 if something could not be stored."""
        for pause in PAUSES:
            if not self._waiting:
                break
            time.sleep(pause)
            self._store_waiting()
        if self._waiting:
            lost = sum(len(keyed) for *_, keyed in self._waiting)
            self._failed = True
            _say(f"{lost:,} finished counts are not stored: run the same command again later")
            self._waiting.clear()
        if self._contradictions:
            return Disagreement.exit_code
        return StoreError.exit_code if self._failed and self.required else 0

    def _report(self, text: str) -> None:
        if text not in self._contradictions:
            self._contradictions.add(text)
            _say(f"CONTRADICTION {text}; both are kept, `satcal store check` lists them")

    def _give_up(self, error: StoreError) -> None:
        self._failed = True
        self._waiting.clear()
        _say(f"{error}\nnothing more is stored; counting goes on")

    def close(self) -> None:
        """Close the store; what waited is tried once more."""
        if self._store is not None:
            self._store_waiting()
            self._store.close()
