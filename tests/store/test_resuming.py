"""The same command again goes on where it stopped, and says so."""

from __future__ import annotations

import os
import re
from contextlib import closing
from pathlib import Path

import pytest

from helpers.puzzles import Small, ask
from helpers.stores import believed, located
from satcal.counting import count as counting
from satcal.counting.outcomes import Outcome, Status
from satcal.counting.settings import SAT, ByDiagram, BySat, BySearch
from satcal.errors import TooLarge
from satcal.puzzle.loading import load
from satcal.store.keys import conditions_key, method_key, reveal_key
from satcal.store.resuming import Keeper

NUMBERS = {"a": "4", "b": "4", "c": "4"}


def table(text: str) -> dict[str, str]:
    return {line.split(",")[1]: line.split(",")[2] for line in text.splitlines()[1:]}


def times(where: str | Path) -> dict[tuple[str, str], int]:
    """Return how often each reveal was counted by each method: once, if it was resumed."""
    return {(row.reveal, row.method): row.times for row in believed(where)}


def test_what_is_finished_is_taken_from_the_store_unless_all_is_counted_afresh(
    satcal, small, where
):
    call = ("count", "-b", str(small), "--method", "sat", "--store", where)
    first = satcal(*call, "--reveal", "a")
    assert (first.code, table(first.out)) == (0, {"a": "4"})
    assert "from the store" not in first.err
    second = satcal(*call, "--all-reveals")
    assert (second.code, table(second.out)) == (0, NUMBERS)
    assert "sat: 1 of 3 taken from the store (--fresh counts them again)\n" in second.err
    assert second.err.endswith("not checked; 1 recalled from the store\n")
    assert times(where) == {(reveal, "sat"): 1 for reveal in "abc"}
    third = satcal(*call, "--all-reveals", "-q")
    assert (table(third.out), third.err) == (NUMBERS, "")
    afresh = satcal(*call, "--all-reveals", "--fresh")
    assert (afresh.code, "taken from the store" in afresh.err) == (0, False)
    assert set(times(where).values()) == {2}


def test_what_compares_is_stored_and_never_recalled(satcal, small, file):
    call = ("count", "-b", str(small), "--all-reveals", "--store", str(file))
    assert satcal(*call, "--verify", "0").code == 0
    assert not file.exists()
    satcal(*call)
    said = satcal(*call)
    assert said.err.endswith("checked: sat agrees on all 3 reveals, search on 1\n")
    assert set(times(file).values()) == {2}
    assert sorted(by for _, by in times(file)) == ["sat", "sat", "sat", "search"]
    assert "from the store" not in satcal("verify", *call[1:]).err


@pytest.mark.promise("one date needs more memory than there is")
@pytest.mark.parametrize(
    ("trouble", "message"),
    [
        (TooLarge("it does not fit"), "ERROR b and 1 more by diagram: it does not fit\n"),
        (KeyboardInterrupt(), "stopped by Ctrl-C"),
    ],
)
def test_a_diagram_in_parts_keeps_those_that_were_built(
    satcal, small, file, monkeypatch, trouble, message
):
    real = counting.counts_for

    def one_at_a_time(question, *rest):
        if len(question.reveals) > 1:
            raise TooLarge("as if memory were short")
        if question.reveal == ("b",):
            raise trouble
        return real(question, *rest)

    call = ("count", "-b", str(small), "--all-reveals", "--verify", "0", "--store", str(file))
    monkeypatch.setattr(counting, "counts_for", one_at_a_time)
    said = satcal(*call)
    assert (said.code, table(said.out)) == (3, {"a": "4", "b": "", "c": ""})
    assert message in said.err
    assert times(file) == {("a", "diagram"): 1}


@pytest.mark.promise("a run that stopped at a budget")
@pytest.mark.promise("Ctrl-C, or the time limit")
@pytest.mark.parametrize("pressed", [False, True], ids=["budget", "ctrl-c"])
def test_a_run_that_stops_keeps_what_is_exact_and_goes_on(
    satcal, small, file, monkeypatch, pressed
):
    real = counting.count_one

    def tired(question, *rest):
        if question.reveal == ("b",) and pressed:
            raise KeyboardInterrupt
        if question.reveal == ("b",):
            return Outcome(Status.UNKNOWN, 1, "budget exhausted", 3)
        return real(question, *rest)

    call = ("count", "-b", str(small), "--all-reveals", "--method", "sat", "--store", str(file))
    monkeypatch.setattr(counting, "count_one", tired)
    assert satcal(*call).code == 3
    kept = len(times(file))
    assert ("a", "sat") in times(file)
    assert ("b", "sat") not in times(file)
    monkeypatch.setattr(counting, "count_one", real)
    again = satcal(*call)
    assert f"sat: {kept} of 3 taken from the store" in again.err
    assert table(again.out) == NUMBERS
    assert times(file) == {(reveal, "sat"): 1 for reveal in "abc"}


@pytest.mark.promise("a puzzle file that has changed")
def test_a_changed_puzzle_file_is_counted_afresh_and_said(satcal, small, file):
    call = ("count", "-b", str(small), "--all-reveals", "--store", str(file))
    call += ("--method", "sat")
    satcal(*call)
    small.write_text(small.read_text().replace('J = { shape = "##"', 'J = { shape = "#\\n#"'))
    assert "has changed" not in satcal(*call).err  # drawn otherwise, and the same puzzle
    small.write_text(small.read_text().replace("a b c *", "b a c *"))
    said = satcal(*call)
    assert "small has changed since its last run (digest " in said.err
    assert "counted again; the old counts are kept" in said.err
    assert "taken from the store" not in said.err
    assert "has changed" not in satcal(*call).err
    assert [row.times for row in believed(file)] == [1] * 6


@pytest.mark.promise("a second, different number")
def test_a_contradiction_is_exit_1_and_both_numbers_stay(satcal, small, where):
    said: list[str] = []
    puzzle = load(str(small))
    question = ask(puzzle, *puzzle.reveals())
    for tilings in (5, 4, 4):  # the first is wrong, and the last is no news
        with closing(Keeper(located(where), fresh=True, say=said.append)) as keeper:
            assert keeper.recall(question, SAT) == {}
            keeper.record(question, SAT, {("a",): 4, ("b",): tilings})
            assert keeper.finish() == (tilings == 4)
    first, second = said
    assert first == second
    assert re.match("CONTRADICTION small b: 5 by sat .*, 4 by sat ", first)
    with closing(Keeper(located(where), say=said.append)) as keeper:
        assert keeper.recall(question, SAT) == {("a",): 4}  # b is not believed
        assert said[2].startswith("CONTRADICTION small b: 4 and 5 by sat")
        assert keeper.finish() == 1
    call = ("count", "-b", str(small), "--all-reveals", "--method", "sat", "--store", where)
    assert satcal(*call).code == satcal("store", "check", "--store", where).code == 1


def test_a_key_knows_no_order_of_categories_and_no_names_of_pieces():
    board = (("a", "1", "*", "*"), ("b", "2", "*", "*"))
    letters, digits = ("l", ("a", "b")), ("d", ("1", "2"))
    puzzles = [
        Small(
            board,
            dict(categories),
            ((square, ("##", "##"), 1, True), (domino, ("##",), 1, True)),
        ).load()
        for categories, square, domino in (
            ((letters, digits), "P", "Q"),
            ((digits, letters), "Q", "P"),
        )
    ]
    one, other = puzzles
    assert one.digest == other.digest
    assert set(map(reveal_key, one.reveals())) == set(map(reveal_key, other.reveals()))
    for puzzle, texts, key in (
        (one, ["Q@r0c2"], "##x2@r0c2"),
        (other, ["P@r0c2"], "##x2@r0c2"),
        (one, ["P@r0c2"], "##/##x1@r0c2"),
        (one, ["P:r0c2,r0c3,r1c2,r1c3", "Q@r0c1"], "##/##x1:r0c2,r0c3,r1c2,r1c3 ##x2@r0c1"),
        (one, [], ""),
    ):
        assert conditions_key(ask(puzzle, place=texts)) == key
    assert conditions_key(ask(one, up_to_symmetry=True)) == "up to symmetry"


def test_a_key_names_what_could_change_the_count_and_no_budget():
    sat = method_key(BySat(solver="cadical195"))
    assert sat == method_key(SAT)
    assert sat.versions.startswith("satcal 0.1.0, python-sat ")
    assert method_key(ByDiagram(memory_limit=10**9)) == method_key(ByDiagram(use_cache=False))
    others = [BySat(encoding="plain"), BySat(solver="glucose4"), BySat(lemmas="none")]
    others += [BySearch(), BySearch("none"), ByDiagram()]
    assert len({sat, *map(method_key, others)}) == 7


def test_no_connection_is_open_when_workers_are_forked(satcal, small, file, monkeypatch):
    """A forked copy of a SQLite connection could remove the locks of the real one."""
    open_files, real = [], counting.LocalProcesses

    def looking(jobs):
        for number in os.listdir("/proc/self/fd"):
            link = f"/proc/self/fd/{number}"
            open_files.append(os.readlink(link) if os.path.exists(link) else "")
        return real(jobs)

    monkeypatch.setattr(counting, "LocalProcesses", looking)
    call = ("verify", "-b", str(small), "--all-reveals", "--store", str(file))
    assert satcal(*call).code == satcal(*call).code == 0
    assert open_files
    assert not [name for name in open_files if name.startswith(str(file))]
    assert set(times(file).values()) == {2}
