"""``--statistics``: what each method did, on standard error."""

from __future__ import annotations

import satcal as api
from satcal.counting.search import Search
from satcal.counting.settings import WORK
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.puzzle.placements import cover

DEC_25 = ("Dec", "25")
HEAD = ["method", "seconds", *" ".join(WORK).split()]


def told(text: str) -> dict[str, list[str]]:
    """Return the rows of the table of work, by method, without the seconds."""
    lines = [line.split() for line in text.splitlines()]
    return {words[0]: words[2:] for words in lines[lines.index(HEAD) + 1 :]}


def test_count_and_solve_tell_the_work_of_each_method(satcal):
    puzzle = api.load("a-puzzle-a-day")
    search = Search(cover(puzzle, DEC_25))
    assert len(list(search.tilings())) == 92
    assert search.visited <= search.tried + 1  # the empty board is visited, and tried by nobody
    done = [f"{number:,}" for number in search.work.values()]
    nodes = PuzzleDiagram.build(puzzle, [DEC_25]).diagram.nodes
    for command in (["count", "-q"], ["solve", "--all"]):
        ask = [*command, "--reveal", "Dec,25", "--statistics", "--no-cache"]
        assert told(satcal(*ask, "--method", "search").err) == {"search": done}
        assert told(satcal(*ask).err) == {"diagram": [f"{nodes:,}"]}
        (numbers,) = told(satcal(*ask, "--method", "sat").err).values()
        assert len(numbers) == 3
        assert all(int(number.replace(",", "")) > 90 for number in numbers[:2])


def test_the_work_of_cubes_is_added_up_and_what_is_recalled_took_none(satcal, tmp_path):
    kept = ("--store", str(tmp_path / "store.db"))
    ask = ("count", *kept, "-q", "--reveal", "Oct,6", "--method", "search", "--statistics")
    (cut,) = told(satcal(*ask, "--cubes", "3").err).values()
    assert [int(number.replace(",", "")) > 0 for number in cut] == [True] * 3
    assert told(satcal(*ask).err) == {"search": []}
