"""``--statistics``: what each method did, on standard error."""

import pytest

from satcal.counting.outcomes import WORK
from satcal.counting.search import Search
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.puzzle.placements import cover_of

OCT_6 = ("Oct", "6")
HEAD = ["method", "seconds", *" ".join(WORK).split()]


def work(text):
    """Return the rows of the table of work, by method, without the seconds."""
    lines = [line.replace(",", "").split() for line in text.splitlines()]
    return {words[0]: list(map(int, words[2:])) for words in lines[lines.index(HEAD) + 1 :]}


@pytest.mark.parametrize("command", ["count -q", "solve --all"])
def test_count_and_solve_tell_the_work_of_each_method(satcal, daily, command):
    search = Search(cover_of(daily, OCT_6))
    assert len(list(search.tilings())) == 7
    nodes = PuzzleDiagram.build(daily, [OCT_6]).diagram.nodes
    ask = f"{command} --reveal Oct,6 --statistics --no-cache"
    assert work(satcal(f"{ask} --method search").err) == {"search": [*search.work.values()]}
    assert work(satcal(ask).err) == {"diagram": [nodes]}
    (numbers,) = work(satcal(f"{ask} --method sat").err).values()
    assert len(numbers) == 3
    assert min(numbers[:2]) > 7


def test_the_work_of_cubes_is_added_up_and_what_is_recalled_took_none(satcal, tmp_path):
    kept = tmp_path / "store.db"
    ask = f"count --store {kept} -q --reveal Oct,6 --method search --statistics"
    (cut,) = work(satcal(f"{ask} --cubes 3").err).values()
    assert [number > 0 for number in cut] == [True] * 2
    assert work(satcal(ask).err) == {"search": []}
