"""What the numbers of a run were compared with, and what came of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from satcal.counting.count import Comparison, Tally, compare, differences
from satcal.counting.outcomes import Status
from satcal.counting.settings import Question
from satcal.errors import Disagreement, exit_code
from satcal.published.own_tables import shipped_counts
from satcal.puzzle.model import Reveal

SHIPPED = "the shipped table"


@dataclass(frozen=True)
class Conclusion:
    """A run, the runs that counted again what it had counted, and the shipped table's numbers."""

    tally: Tally
    again: Sequence[Tally]
    shipped: Mapping[Reveal, int]

    @property
    def tallies(self) -> list[Tally]:
        """All runs, the one that was asked for first."""
        return [self.tally, *self.again]

    @cached_property
    def fresh(self) -> dict[Reveal, int]:
        """What the method itself has counted, now: what is recalled confirms nothing."""
        fresh = dict(self.tally.fresh)
        for tally in self.again:
            fresh |= tally.fresh if tally.method == self.tally.method else {}
        return fresh

    @property
    def compared(self) -> list[Comparison]:
        """The fresh counts beside those of each other method, and of the shipped table."""
        others = [tally for tally in self.again if tally.method != self.tally.method]
        compared = [
            compare(self.fresh, tally.method, tally.counts) for tally in others if tally.counts
        ]
        if self.shipped and self.fresh:
            compared.append(compare(self.fresh, SHIPPED, self.shipped))
        return compared

    @property
    def recalled_comparison(self) -> Comparison:
        """The counts from the store beside the shipped table's."""
        known = {reveal: self.tally.counts[reveal] for reveal in self.tally.recalled}
        return compare(known, SHIPPED, self.shipped)

    @cached_property
    def differences(self) -> list[str]:
        """A sentence for each reveal of which two sources have different counts."""
        return differences(
            [*(tally.by_source() for tally in self.tallies), {SHIPPED: self.shipped}]
        )

    @cached_property
    def failures(self) -> dict[str, list[Reveal]]:
        """The reveals of which a count failed, by what was said of them."""
        alike: defaultdict[str, list[Reveal]] = defaultdict(list)
        for tally in self.tallies:
            for reveal, outcome in tally.outcomes.items():
                if outcome.status is Status.ERROR:
                    alike[f"by {tally.method}: {outcome.message}"].append(reveal)
        return alike

    @property
    def unfinished(self) -> list[Tally]:
        """The runs that were to count again, and did not come to the end."""
        return [tally for tally in self.again if tally.missing]

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended one of the runs."""
        return any(tally.interrupted for tally in self.tallies)

    @property
    def code(self) -> int:
        """The exit code of what differs or failed; 0 if nothing did."""
        outcomes = [outcome for tally in self.tallies for outcome in tally.outcomes.values()]
        codes = [outcome.exit_code for outcome in outcomes if outcome.status is Status.ERROR]
        return exit_code([*([Disagreement.exit_code] if self.differences else []), *codes])


def conclude(question: Question, tally: Tally, again: Sequence[Tally]) -> Conclusion:
    """What is known at the end of a run; the shipped tables have nothing to say of conditions."""
    plain = not (question.demands or question.up_to_symmetry)
    shipped = shipped_counts(question.puzzle, tally.counts) if tally.counts and plain else {}
    return Conclusion(tally, again, shipped)
