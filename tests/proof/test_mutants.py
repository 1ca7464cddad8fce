"""Mutants of the checkers: each is caught by some file, or lets nothing false through."""

from __future__ import annotations

import random

import pytest

from helpers import mutants

SPARED = {
    "it only changes a message": {
        "check: self._place += len(data): self._place += len(data) with Sub",
        "check: self._place = 0: 0 + 1",
        "check: without self._place += len(data)",
        'normal: line = text.count("\\n", 0, place) + 1: 0 + 1',
        'normal: line = text.count("\\n", 0, place) + 1: 1 + 1',
        "normal: line = text.count(\"\\n\", 0, place) + 1: text.count('\\n', 0, place) + 1 with Sub",  # noqa: E501
        "normal: same = next((n for n, (a, b) in enumerate(zip(line, wanted, strict=False)) if a != b), 0): 0 + 1",  # noqa: E501
        "normal: same = next((n for n, (a, b) in enumerate(zip(line, wanted, strict=False)) if a != b), 0): a != b with Eq",  # noqa: E501
        'normal: zip(text.split("\\n"), normal.split("\\n"), strict=False), start=1: 1 + 1',
        'stranger: need(frame == [0, 0, len(rows) - 1, len(rows[0]) - 1], f"piece {line[1]}: its frame"): 1 + 1 (3)',  # noqa: E501
        'stranger: need(squares and touch(squares), f"piece {line[1]}: its squares do not hang together"): 1 + 1',  # noqa: E501
        'walk: place = f"reveal {\' \'.join(self._stated.reveal)}: " if self._stated.reveal else "": if self._stated.reveal: always',  # noqa: E501
        'walk: place = f"reveal {\' \'.join(self._stated.reveal)}: " if self._stated.reveal else "": if self._stated.reveal: never',  # noqa: E501
    },
    "a bound on time or memory: the numbers are compared all the same": {
        "board: MAX_PLACEMENTS = 20_000  # what they exclude is a square of bits: 50 MB: 20000 + 1",
        "board: if len(self.placements) > MAX_PLACEMENTS:: if len(self.placements) > MAX_PLACEMENTS: never",  # noqa: E501
        "board: if len(self.placements) > MAX_PLACEMENTS:: len(self.placements) > MAX_PLACEMENTS with GtE",  # noqa: E501
        "board: without raise TooLarge(f'puzzle: it has more than {MAX_PLACEMENTS} placements')",
        "check: BLOCK = 65_536  # bytes that are read, or decompressed, at once: 65536 + 1",
        "check: MAX_LINE = 65_536  # bytes: 65536 + 1",
        "check: MAX_NODES = 20_000_000  # some minutes; whoever expects more says so: 20000000 + 1",
        "check: MAX_PUZZLE = 1_048_576  # bytes of its text: 1048576 + 1",
        "check: if most < 0:: if most < 0: never",
        "check: if nodes > max_nodes:: if nodes > max_nodes: never",
        "check: if nodes > max_nodes:: nodes > max_nodes with GtE",
        "check: if size > MAX_PUZZLE:: if size > MAX_PUZZLE: never",
        "check: if size > MAX_PUZZLE:: size > MAX_PUZZLE with GtE",
        "check: most -= len(data): most -= len(data) with Add",
        "check: nodes += within: nodes += within with Sub",
        "check: without file.refuse('the trees are too long for the number of nodes stated')",
        "check: without file.refuse(f'the puzzle has more than {MAX_PUZZLE} bytes')",
        "check: without most -= len(data)",
        "check: without nodes += within",
        "check: without raise TooLarge(f'certificate: it states more than {max_nodes:,} nodes; raise --max-nodes')",  # noqa: E501
        "check: yield Statement(text, puzzle, stated), _inflated(file, size, 2 * within): 2 + 1",
        "stranger: MAX_NODES = 20_000_000: 20000000 + 1",
        "stranger: data = reader.decompress(packed, most + 1): 1 + 1",
        "stranger: file, proved, nodes = io.BytesIO(data), [], 0: 0 + 1",
        "stranger: line = file.readline(65_536): 65536 + 1",
        'stranger: need(nodes <= max_nodes, f"more than {max_nodes} nodes are stated"): nodes <= max_nodes with Lt',  # noqa: E501
        'stranger: need(size <= 1 << 20, "a puzzle of more than 1 MiB"): 1 + 1',
        'stranger: need(size <= 1 << 20, "a puzzle of more than 1 MiB"): 20 + 1',
        'stranger: need(size <= 1 << 20, "a puzzle of more than 1 MiB"): size <= 1 << 20 with Lt',
        'stranger: need(total <= 20_000, "more than 20,000 placements"): 20000 + 1',
        'stranger: need(total <= 20_000, "more than 20,000 placements"): total <= 20000 with Lt',
        "stranger: nodes += sum(each[1] for each in stated.values()): 1 + 1",
        "stranger: nodes += sum(each[1] for each in stated.values()): nodes += sum((each[1] for each in stated.values())) with Sub",  # noqa: E501
        "stranger: total += len(placed): total += len(placed) with Sub",
        "stranger: total = 0: 0 + 1",
        "stranger: walk = Walk(Board(puzzle), inflated(packed, 2 * sum(each[1] for each in stated.values()))): 2 + 1",  # noqa: E501
        "stranger: without need(len(data) <= most, 'the trees are longer than their nodes can be')",
        "stranger: without need(nodes <= max_nodes, f'more than {max_nodes} nodes are stated')",
        "stranger: without need(self.nodes <= most, 'more nodes than are stated')",
        "stranger: without need(size <= 1 << 20, 'a puzzle of more than 1 MiB')",
        "stranger: without need(total <= 20000, 'more than 20,000 placements')",
        "stranger: without nodes += sum((each[1] for each in stated.values()))",
        "stranger: without total += len(placed)",
        "walk: if self._nodes == self._stated.nodes:: if self._nodes == self._stated.nodes: never",
        "walk: without self._refuse('its tree has more nodes than stated')",
    },
    "not asked by the walk, only by the maker or by what writes proofs for SAT checkers": {
        "board: fits &= self.leaves[placement]: fits &= self.leaves[placement] with BitOr",
        "board: if (piece := self.several[placement]) is not None:: (piece := self.several[placement]) is not None with Is",  # noqa: E501
        "board: if (piece := self.several[placement]) is not None:: if (piece := self.several[placement]) is not None: always",  # noqa: E501
        "board: if (piece := self.several[placement]) is not None:: if (piece := self.several[placement]) is not None: never",  # noqa: E501
        "board: return State(open_ & ~self.decides[placement], left, fits): open_ & ~self.decides[placement] with BitOr",  # noqa: E501
        "board: without fits &= self.leaves[placement]",
        "board: without left, fits = self.use(piece, left, fits)",
        "board: without open_, left, fits = state",
        "board: without self.names = [name for name, _, _ in pieces.values()]",
    },
    "another line refuses the same, or the changed one does nothing: the same files are accepted": {
        "board: every = (1 << len(self.placements)) - 1: 1 + 1 (2)",
        "board: every = (1 << len(self.placements)) - 1: 1 << len(self.placements) with RShift",
        "board: for _ in range(4):: 4 + 1",
        "board: height, width = (1 + max(axis) for axis in zip(*board, strict=True)): 1 + 1",
        "board: number_of: dict[Cell | int, int] = {}: Cell | int with BitAnd",
        "board: open_, fits = self.singles, (1 << len(self.placements)) - 1: 1 + 1 (2)",
        "board: open_, fits = self.singles, (1 << len(self.placements)) - 1: 1 << len(self.placements) with RShift",  # noqa: E501
        "board: self.several = [None if self.copies[n] == 1 else n for n, _ in self.placements]: if self.copies[n] == 1: never",  # noqa: E501
        "board: self.singles = (1 << len(number_of)) - 1 & ~self.cells: 1 + 1",
        "board: things: list[Cell | int] = [*self.puzzle.cells, *single]: Cell | int with BitAnd",
        "check: if reader.eof:: if reader.eof: never",
        "check: if self._stream.read(1):: 1 + 1",
        "check: statements += 1: 1 + 1",
        "check: statements += 1: statements += 1 with Sub",
        "check: without file.refuse('the trees take fewer bytes than stated')",
        "normal: fit and len(labels) > 0,: len(labels) > 0 with GtE",
        "normal: reached = todo.intersection((r + y, c + x) for r, c in reached for y, x in steps): c + x with Sub",  # noqa: E501
        "normal: reached = todo.intersection((r + y, c + x) for r, c in reached for y, x in steps): r + y with Sub",  # noqa: E501
        "normal: without _require(line == wanted, f'line {number}: {should}')",
        "stranger: for _ in range(4):: 4 + 1",
        "stranger: for left in range(1 + max(column for _, column in self.cells)):: 1 + 1",
        "stranger: for top in range(1 + max(row for row, _ in self.cells)):: 1 + 1",
        "stranger: found = len(self.lines) > 1 and re.fullmatch(pattern, self.lines.pop(0)): len(self.lines) > 1 with GtE",  # noqa: E501
        "stranger: if __name__ == \"__main__\":: if __name__ == '__main__': always",
        'stranger: need(0 < high < 128, f"node {self.nodes}: a token in a wrong form"): 0 < high < 128 with LtE (2)',  # noqa: E501
        'stranger: need(0 < high < 128, f"node {self.nodes}: a token in a wrong form"): 128 + 1',
        'stranger: need(0 < len(table) <= 64 and all(0 < len(row) <= 64 for row in table), "board: its size"): 0 < len(row) <= 64 with LtE',  # noqa: E501
        'stranger: need(0 < len(table) <= 64 and all(0 < len(row) <= 64 for row in table), "board: its size"): 0 < len(table) <= 64 with LtE',  # noqa: E501
        "stranger: number = (uncovered & -uncovered).bit_length() - 1 + steps: uncovered & -uncovered with BitOr",  # noqa: E501
        "stranger: without need(len(packed) == size, 'cut off within the trees')",
        "stranger: without need(len(text) == size, 'cut off within a puzzle')",
        "walk: if not 0 < more < 128:: 0 < more < 128 with LtE (2)",
        "walk: if not 0 < more < 128:: 128 + 1",
        "walk: named = (open_ & -open_).bit_length() - 1 + (token >> 1): open_ & -open_ with BitOr",
        "walk: self._stated = Stated((), 0, 0, 0): 0 + 1",
        "walk: self._stated = Stated((), 0, 0, 0): 0 + 1 (2)",
        "walk: self._stated = Stated((), 0, 0, 0): 0 + 1 (3)",
        "walk: self._tilings = self._nodes = self._marks = 0: 0 + 1",
        "walk: while True:: if True: always",
        "walk: without self._stated = Stated((), 0, 0, 0)",
        "walk: without self._tilings = self._nodes = self._marks = 0",
    },
    "it refuses more": {
        "check: while rest or full:: rest or full with And",
    },
}
"""The mutants that no file catches, by the reason why that is harmless."""
HARMLESS = frozenset().union(*SPARED.values())


def test_what_is_spared_is_a_mutant() -> None:
    assert {each.name for which in mutants.MODULES for each in mutants.every(which)} >= HARMLESS


@pytest.mark.parametrize("which", mutants.MODULES)
def test_some_mutants_are_caught(which: str) -> None:
    some = random.Random("mutants").sample(list(mutants.every(which)), 30)
    survivors = {each.name for each in some if mutants.survives(which, each)}
    assert survivors == HARMLESS & {each.name for each in some}


@pytest.mark.long
@pytest.mark.parametrize("which", mutants.MODULES)
def test_all_mutants_are_caught(which: str) -> None:
    survivors = {each.name for each in mutants.every(which) if mutants.survives(which, each)}
    assert survivors == HARMLESS & {each.name for each in mutants.every(which)}
