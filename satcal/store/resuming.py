"""A run and its store: nothing is counted again, what is finished is stored at once.

A store that fails while a run counts costs the run nothing: it goes on, says so once, and ends
with exit code 3. A server that is away has three tries to be back.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import sleep
from typing import TYPE_CHECKING

from satcal.counting.settings import Method, Question
from satcal.errors import Disagreement, StoreError, StoreUnavailable
from satcal.puzzle.model import Puzzle, Reveal
from satcal.store.keys import MethodKey, conditions_key, method_key, reveal_key
from satcal.store.location import Location

if TYPE_CHECKING:
    from satcal.store.results import Store

PAUSES = (1.0, 20.0)  # seconds between three tries: a server that is restarted is back by then
_log = logging.getLogger(__name__)


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
    say: Callable[[str], None] = _log.warning  # takes trouble, in words
    note: Callable[[str], None] = _log.info  # takes the other news

    def __post_init__(self) -> None:
        self._store: Store | None = None
        self._failed = False
        self._contradictions: set[str] = set()

    def recall(self, question: Question, method: Method) -> dict[Reveal, int]:
        """The counts of the reveals that need no counting; says how many they are.

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
                    store.check_undamaged()
                    self._note_change(store, question.puzzle)
                known = {} if self.fresh else self._known(store, question, method)
        except StoreError as error:
            if self.required and not begun:
                raise
            self._give_up(error)
            return {}
        self._store = store
        if known:
            self.note(
                f"{method.name}: {len(known):,} of {len(question.reveals):,} taken from the store "
                "(--fresh counts them again)"
            )
        return known

    def _note_change(self, store: Store, puzzle: Puzzle) -> None:
        if not self.origin:
            return
        before = store.last_digest(self.origin, puzzle.digest, puzzle.name)
        if before and before != puzzle.digest:
            self.say(
                f"{puzzle.name} has changed since its last run (digest {puzzle.digest[:12]}, "
                f"before {before[:12]}): it is counted again; the old counts are kept"
            )

    def _known(self, store: Store, question: Question, method: Method) -> dict[Reveal, int]:
        puzzle, counter = question.puzzle, method_key(method)
        stored = store.recall(puzzle.digest, conditions_key(question), counter)
        known: dict[Reveal, int] = {}
        for reveal in question.reveals:
            key = reveal_key(reveal)
            numbers = stored.get(key, [])
            if len(numbers) == 1:
                known[reveal] = numbers[0]
            elif numbers:
                listed = " and ".join(f"{number:,}" for number in sorted(numbers))
                self._report(f"{puzzle.name} {key or 'the board'}: {listed} by {counter}")
        return known

    def record(self, question: Question, method: Method, counts: Mapping[Reveal, int]) -> None:
        """Store exact counts at once; trouble is reported, and ends storing, not counting.

        A server that is away has three tries.
        """
        if self._failed or self._store is None or not counts:
            return
        keyed = {reveal_key(reveal): tilings for reveal, tilings in counts.items()}
        key = (conditions_key(question), method_key(method))
        try:
            contradictions = self._store_now(question.puzzle, *key, keyed)
        except StoreError as error:
            self._give_up(error)
            return
        for contradiction in contradictions:
            self._report(contradiction)

    def _store_now(
        self, puzzle: Puzzle, conditions: str, method: MethodKey, counts: Mapping[str, int]
    ) -> list[str]:
        """Store counts by reveal's key; return what they contradict, or raise a StoreError."""
        assert self._store
        known = (puzzle.digest, puzzle.name, conditions, method, counts)
        for pause in PAUSES:
            try:
                return self._store.record(*known)
            except StoreUnavailable as error:
                self.say(f"{error}\ntrying again in {pause:g} s")
                self._failed = True  # should Ctrl-C end the pause
                sleep(pause)
                self._failed = False
        return self._store.record(*known)

    def finish(self) -> int:
        """The exit code: 1 for a contradiction, 3 if something could not be stored."""
        if self._contradictions:
            return Disagreement.exit_code
        return StoreError.exit_code if self._failed and self.required else 0

    def _report(self, text: str) -> None:
        if text not in self._contradictions:
            self._contradictions.add(text)
            self.say(f"CONTRADICTION {text}; both are kept, `satcal store check` lists them")

    def _give_up(self, error: StoreError) -> None:
        self._failed = True
        self.say(f"{error}\nnothing more will be stored; counting continues")

    def close(self) -> None:
        """Close the store."""
        if self._store is not None:
            self._store.close()
