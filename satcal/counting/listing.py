"""The method ``listing``: list all tilings of all reveals that are asked for, from two ends.

Theory of operation. Take the cells of the board in an order, say by diagonals, and cut the order in
two. Every tiling then consists of a *front*, its options that have a cell before the cut, and
a *back*, the others. (The options are the placements, and the labels that stay uncovered.) A front
covers all cells before the cut and some behind it, its *overhang*. A back covers all other cells
behind the cut. So a front and a back make a tiling if they complete each other: the back leaves
just the overhang, and together they use each piece as often as it has copies.

Fronts are listed from the first cell of the order to the cut, backs from the last cell to the cut
(:mod:`.halves`). There are far fewer of either than partial tilings in a search from one end to the
other: on rhombus, 9 million rows instead of 227 million. A single empty cell prunes most of those
that nothing completes, and a back is dropped when no front has its overhang in just its gaps.
Then both lists are joined: backs are sorted by the state that completes them, and each front looks
its state up. Every pair is one tiling.

No two partial tilings are ever merged, so nothing here is an idea of the diagram: the methods share
the puzzle, its placements and the orders among which each chooses.

What is listed is checked, in blocks: the options of each tiling are disjoint, cover every cell and
use every item up; no two tilings are equal; and each placement that occurs is accepted once by
:mod:`satcal.proof.verifier`, from the drawings.

>>> from satcal.puzzle.loading import load
>>> Listing().counts(load("a-puzzle-a-day"), [("Oct", "6"), ("Dec", "25")], (), Meter())
{('Oct', '6'): 7, ('Dec', '25'): 92}
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from satcal.counting.halves import (
    WORD,
    WORD_BITS,
    Array,
    CellOrder,
    Fields,
    Half,
    Sample,
    Sieve,
    distinct,
    mirror,
)
from satcal.counting.method import Meter, Method, key_of
from satcal.errors import BudgetExhausted, Disagreement, TooLarge
from satcal.proof.verifier import Verifier
from satcal.puzzle.model import Label, Placement, Puzzle, Reveal, Tiling
from satcal.puzzle.placed import check_uncovered, cover_with
from satcal.puzzle.placements import Cover, enumerate_orders, keep
from satcal.puzzle.shapes import adjacent_pairs
from satcal.resources import memory_to_use

CUT = 0.4
"""The share of the cells before the cut: with its overhang, a front covers about half the board."""
ROW_BYTES = 20
"""Bytes per row of both halves at the peak, measured; the join adds a few blocks."""
BLOCK = 1 << 17  # tilings that are checked together
MAX_ROWS = 2**31 - 1
NONE = np.zeros(0, WORD)


@dataclass(frozen=True)
class Listing(Method):
    """Count by listing all tilings of all reveals.

    More than ``max_rows`` partial tilings in both halves, by an estimate, are refused.
    ``memory_limit`` is in bytes.
    """

    memory_limit: int | None = None
    max_rows: int | None = None
    name = "listing"
    one_by_one = False

    def key(self) -> str:
        """Return the key under which counts are stored; memory does not change it."""
        return key_of(self.name)

    def prepare(
        self, puzzle: Puzzle, reveals: Sequence[Reveal], place: Sequence[Placement], meter: Meter
    ) -> Lists:
        """Return the lists, not yet grown, after an estimate of their size.

        Raises:
            BudgetExhausted: there are more than ``max_rows``.
            TooLarge: the lists do not fit into memory, or a state into a word.
        """
        meter.check()
        lists = Lists(puzzle, reveals, place)
        limit = memory_to_use() if self.memory_limit is None else self.memory_limit
        try:
            lists.check_size(limit)
        except TooLarge as error:
            if self.max_rows is None:
                raise
            raise BudgetExhausted(str(error)) from error
        if self.max_rows is not None and lists.estimate > self.max_rows:
            raise BudgetExhausted(f"listing takes about {lists.estimate:,} partial tilings")
        return lists

    def tilings(
        self, puzzle: Puzzle, reveal: Reveal, place: Sequence[Placement], meter: Meter
    ) -> Iterator[Tiling]:
        """Yield each tiling of a reveal once, checked."""
        lists = self.prepare(puzzle, [reveal], place, meter)
        for options, _ in lists.blocks(meter):
            for row in options.tolist():
                yield lists.cover.tiling(row)
                meter.check()

    def counts(
        self, puzzle: Puzzle, reveals: Sequence[Reveal], place: Sequence[Placement], meter: Meter
    ) -> dict[Reveal, int]:
        """Return the number of tilings of each reveal.

        Raises:
            TooLarge: the lists do not fit into memory, or a state into a word.
            Disagreement: something that is listed is not a tiling, or is listed twice.
        """
        lists = self.prepare(puzzle, reveals, place, meter)
        counts = np.zeros(len(reveals), np.int64)
        for _, which in lists.blocks(meter):
            counts += np.bincount(which, minlength=len(reveals))
            meter.found += len(which)
        return dict(zip(reveals, counts.tolist(), strict=True))


class Lists:
    """The tilings of some reveals of a puzzle that contain ``place``, as arrays.

    Raises:
        PlacementError: a piece lies on a label that a reveal leaves uncovered, or on another.
    """

    def __init__(
        self, puzzle: Puzzle, reveals: Sequence[Reveal], place: Sequence[Placement] = ()
    ) -> None:
        check_uncovered(puzzle, reveals, place)
        self.puzzle, self.reveals = puzzle, list(dict.fromkeys(reveals))
        self.cover = restrict_to(puzzle, self.reveals, place)
        self.copies = [item.copies for item in self.cover.items]
        self.fields = Fields(self.copies)
        self.cut = round(CUT * len(self.cover.cells))

    @cached_property
    def estimate(self) -> int:
        """About how many rows both halves will have, from the puzzle alone."""
        sizes = []
        for half in self.halves(Sample):
            half.grow(lambda rows: None)
            sizes.append(half.size)
        return sum(sizes)

    def check_size(self, limit: int | None) -> None:
        """Raise TooLarge if the lists would take more than ``limit`` bytes."""
        needed = ROW_BYTES * self.estimate
        if self.estimate > MAX_ROWS or (limit is not None and needed > limit):
            raise TooLarge(
                f"listing {self.puzzle.name}: about {self.estimate:,} partial tilings take "
                f"{needed / 1e6:,.0f} MB; count fewer dates, or use --method diagram"
            )

    @cached_property
    def line(self) -> CellOrder:
        """The cells in the order, of those that fit into a word, in which fronts overhang least."""
        cover = self.cover
        index = {cell: number for number, cell in enumerate(cover.cells)}
        sizes = [len(option.cells) for option in cover.options]
        covered = np.array([index[cell] for option in cover.options for cell in option.cells], int)
        begins = np.cumsum([0, *sizes])[:-1]
        best: list[int] = []
        least = (0, 0)
        for order in enumerate_orders(cover.cells):
            rank = np.argsort(order)
            ranks = rank[covered]
            first, last = np.minimum.reduceat(ranks, begins), np.maximum.reduceat(ranks, begins)
            is_across = (first < self.cut) & (self.cut <= last)
            overhang = distinct(ranks[np.repeat(is_across, sizes) & (ranks >= self.cut)])
            cost = len(overhang), int(is_across.sum())
            fits = (last - first).max(initial=0) + 1 + self.fields.bits <= WORD_BITS
            if fits and (not best or cost < least):
                best, least = rank.tolist(), cost
        if not best:
            raise TooLarge(
                f"listing {self.puzzle.name}: a state has more than {WORD_BITS} bits; "
                "use --method diagram"
            )
        rank_at = {cell: best[number] for cell, number in index.items()}
        pairs = ((rank_at[a], rank_at[b]) for a, b in adjacent_pairs(cover.cells))
        neighbours = [(min(pair), max(pair)) for pair in pairs]
        options = [
            (item, [rank_at[cell] for cell in option.cells])
            for item, option in zip(cover.item_of, cover.options, strict=True)
        ]
        return CellOrder(len(cover.cells), neighbours, self.fields, options)

    def halves(self, kind: type[Half]) -> Iterator[Half]:
        """Yield the fronts, and the backs when the fronts have grown."""
        line, cut = self.line, self.cut
        options = range(len(line.options))
        fronts = [option for option in options if line.first[option] < cut]
        overhang = 0
        for option in fronts:
            overhang |= line.mask[option] >> cut
        width = overhang.bit_length()
        front = kind(line, fronts, cut, cut)
        yield front
        rest = None
        if kind is Half:  # a sample of fronts would drop backs that others complete
            low = WORD(front.low)
            windows = [distinct(states >> low) for states, _ in front.grown]
            rest = mirror(distinct(np.concatenate([NONE, *windows])), width) << low
        base = line.cells - cut - width
        gaps = {base + width - 1 - bit for bit in range(width) if overhang >> bit & 1}
        backs = [option for option in options if line.first[option] >= cut]
        yield kind(line.mirrored(), backs, line.cells - cut, base, gaps, rest)

    def blocks(self, meter: Meter) -> Iterator[tuple[Array, Array]]:
        """Yield the tilings in blocks, checked: options of the cover [n, k], and reveals [n].

        A reveal is its index. Rows of a block are in the order of the join.
        """
        rows, halves = 0, []
        for half in self.halves(Half):
            report = partial(self.report, meter, rows, max(1, self.estimate))
            half.grow(report)
            rows += half.size
            halves.append(half)
        meter.add(nodes=rows)
        checks = Checks(self.cover)
        for block in self.join(*halves):
            meter.step(rows, rows, "tilings")
            checks.check(block[0])
            yield block
        checks.check_distinct()

    @staticmethod
    def report(meter: Meter, before: int, total: int, rows: int) -> None:
        """Report the rows of both halves."""
        done = before + rows
        meter.step(min(done, total), total, f"{done:,} partial tilings")

    def join(self, front: Half, back: Half) -> Iterator[tuple[Array, Array]]:
        """Yield the tilings of the reveals in blocks of about ``BLOCK``."""
        sieve = Sieve([states for states, _ in front.grown])
        completed, back_rows = select(back, sieve, partial(self.complete, back))
        order = np.argsort(completed, kind="stable")
        completed, back_rows = completed[order], back_rows[order]
        states, front_rows = select(front, Sieve([completed]))
        labels = [[o.text] if isinstance(o, Label) else [] for o in self.cover.options]
        rank = np.array([*(self.rank(*texts) for texts in labels), 0])
        front_rank, back_rank = rank_of(front, front_rows, rank), rank_of(back, back_rows, rank)
        asked = np.array([self.rank(*reveal) for reveal in self.reveals])
        by_rank = np.argsort(asked)
        first = np.searchsorted(completed, states)
        number = np.searchsorted(completed, states, "right") - first
        total = np.cumsum(number)
        begin = 0
        while begin < len(states):
            before = int(total[begin - 1]) if begin else 0
            end = max(begin + 1, int(np.searchsorted(total, before + BLOCK, "right")))
            part = slice(begin, end)
            fronts = np.repeat(np.arange(begin, end), number[part])
            start = first[part] - (total[part] - number[part] - before)
            backs = np.arange(len(fronts)) + np.repeat(start, number[part])
            begin = end
            ranks = front_rank[fronts] + back_rank[backs]
            at = np.searchsorted(asked, ranks, sorter=by_rank)
            which = by_rank[np.minimum(at, len(by_rank) - 1)]
            pairs = np.flatnonzero(asked[which] == ranks)
            columns = front.path(front_rows[fronts[pairs]])
            columns += back.path(back_rows[backs[pairs]])
            if len(pairs):
                # the path of a row that is shorter than others is padded by -1
                options = np.sort(np.array(columns).T)[:, -sum(self.copies) :]
                yield options, which[pairs]

    def complete(self, back: Half, states: Array) -> Array:
        """Return, for each back, the state of the fronts that it makes tilings with."""
        low, gaps = WORD(back.low), back.end - back.base
        copies, window = WORD((1 << back.low) - 1), WORD((1 << gaps) - 1)
        # a front covers the gaps of the back, and uses the other copies
        front = mirror(~(states >> low) & window, gaps) << low
        front |= WORD(self.fields.start + self.fields.full) - (states & copies)
        return front

    def rank(self, *texts: str) -> int:
        """Return what labels add to the rank of a reveal among all; 0 if a single one is listed."""
        rank, stride = 0, 1
        if self.cover.reveal is None:
            for labels in reversed(list(self.puzzle.categories.values())):
                rank += sum(stride * labels.index(text) for text in texts if text in labels)
                stride *= len(labels)
        return rank


def restrict_to(puzzle: Puzzle, reveals: Sequence[Reveal], place: Sequence[Placement]) -> Cover:
    """Return the cover of one reveal, or the open cover without the labels of other reveals."""
    if len(reveals) == 1:
        return cover_with(puzzle, reveals[0], place)
    cover = cover_with(puzzle, None, place)
    texts = {text for reveal in reveals for text in reveal}
    return keep(cover, [isinstance(o, Placement) or o.text in texts for o in cover.options])


def select(
    half: Half, sieve: Sieve, convert: Callable[[Array], Array] = lambda states: states
) -> tuple[Array, Array]:
    """Return the converted states that pass, and their rows; the half keeps its tree only."""
    states, rows = [NONE], [NONE.astype(np.int32)]
    while half.grown:  # pop, so that the memory of each block is freed
        block, block_rows = half.grown.pop()
        block = convert(block)
        kept = sieve.find(block)
        states.append(block[kept])
        rows.append(block_rows[kept])
    return np.concatenate(states), np.concatenate(rows)


def rank_of(half: Half, rows: Array, rank: Array) -> Array:
    """Return the sum of the ranks of the options of each row."""
    total = np.zeros(len(rows), np.int64)
    for options in half.path(rows):
        total += rank[options]
    return total


class Checks:
    """The checks of listed tilings, from the cells of the options alone."""

    def __init__(self, cover: Cover) -> None:
        self.cover = cover
        bit = {cell: divmod(index, WORD_BITS) for index, cell in enumerate(cover.cells)}
        words = -(-len(cover.cells) // WORD_BITS)
        self.masks = np.zeros((words, len(cover.options)), WORD)
        for number, option in enumerate(cover.options):
            for cell in option.cells:
                word, index = bit[cell]
                self.masks[word, number] |= WORD(1 << index)
        self.areas = np.array([len(option.cells) for option in cover.options])
        self.item_of = np.array(cover.item_of, np.int16)
        self.items = np.repeat(np.arange(len(cover.items)), [item.copies for item in cover.items])
        generator = random.Random(0)
        self.numbers = np.array([generator.getrandbits(WORD_BITS) for _ in cover.options], WORD)
        self.fingerprints: list[Array] = []
        self.verifier = Verifier(cover.puzzle, ())
        self.is_checked = np.zeros(len(cover.options), bool)

    def check(self, options: Array) -> None:
        """Check a block of tilings.

        Raises:
            Disagreement: one is not a tiling.
        """
        covered = np.zeros((len(self.masks), len(options)), WORD)
        for column in options.T:
            covered |= self.masks[:, column]
        cells = len(self.cover.cells)
        is_exact = np.bitwise_count(covered).sum(axis=0) == cells
        is_exact &= self.areas[options].sum(axis=1) == cells
        is_exact &= (np.sort(self.item_of[options]) == self.items).all(axis=1)
        if not is_exact.all():
            text = " ".join(map(str, self.cover.tiling(options[np.argmin(is_exact)].tolist())))
            raise Disagreement(f"listing: not a tiling: {text}")
        with np.errstate(over="ignore"):
            self.fingerprints.append(self.numbers[options].sum(axis=1))
        occurs = np.zeros(len(self.is_checked), bool)
        for column in options.T:
            occurs[column] = True
        for number in np.flatnonzero(occurs & ~self.is_checked).tolist():
            option = self.cover.options[number]
            if isinstance(option, Placement) and (fault := self.verifier.find_misfit(option)):
                raise Disagreement(f"listing: not a placement: {fault}")
        self.is_checked |= occurs

    def check_distinct(self) -> None:
        """Raise Disagreement if two tilings are equal.

        They would have one fingerprint. Of ten million different tilings, two have one with a
        probability of 3 in a million.
        """
        fingerprints = np.sort(np.concatenate([NONE, *self.fingerprints]))
        if (fingerprints[1:] == fingerprints[:-1]).any():
            raise Disagreement("listing: a tiling is listed twice")
