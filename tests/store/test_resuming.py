"""The same command again goes on where it stopped, and says so."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from stored import located

from satcal.cli.main import run as run_satcal
from satcal.counting import count as counting
from satcal.counting import executors
from satcal.counting.settings import Outcome, Settings, Status
from satcal.errors import TooLarge
from satcal.puzzle.loading import load, origin_of
from satcal.puzzle.place import parse_demands
from satcal.store.keys import conditions_key, method_key, reveal_key
from satcal.store.results import Store
from satcal.store.resuming import Keeper
from tools import tables as produce

NUMBERS = {"a": "4", "b": "4", "c": "4"}


def table(text: str) -> dict[str, str]:
    return {line.split(",")[1]: line.split(",")[2] for line in text.splitlines()[1:]}


def times(where: str) -> dict[tuple[str, str], int]:
    with Store(located(where)) as store:
        return {(row.reveal, row.method.name): row.times for row in store.rows()}


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """What is counted one reveal at a time, as (method, reveal)."""
    real, seen = counting.count_one, []

    def noting(puzzle, reveal, settings, deadline=None):
        seen.append((settings.method, " ".join(reveal)))
        return real(puzzle, reveal, settings, deadline)

    monkeypatch.setattr(counting, "count_one", noting)
    return seen


def test_verify_takes_what_is_finished_from_the_store(satcal, small, where, counted) -> None:
    call = ("verify", "-b", str(small), "--store", where)
    first = satcal(*call, "--reveal", "a")
    assert (first.code, table(first.out)) == (0, {"a": "4"})
    assert "taken from the store" not in first.err
    second = satcal(*call, "--all-reveals")
    assert (second.code, table(second.out)) == (0, NUMBERS)
    assert "diagram: 1 of 3 taken from the store (--fresh counts them again)\n" in second.err
    assert "sat: 1 of 3 taken from the store" in second.err
    assert counted == [("sat", "a"), ("sat", "b"), ("sat", "c")]
    third = satcal(*call, "--all-reveals")
    assert third.out == second.out
    assert "sat: 3 of 3 taken from the store" in third.err
    assert len(counted) == 3
    assert set(times(where).values()) == {1}


def test_fresh_counts_everything_again_and_compares(satcal, small, where, counted) -> None:
    call = ("verify", "-b", str(small), "--all-reveals", "--store", where)
    satcal(*call)
    said = satcal(*call, "--fresh")
    assert said.code == 0
    assert "taken from the store" not in said.err
    assert len(counted) == 6
    assert set(times(where).values()) == {2}


@pytest.mark.parametrize("method", ["sat", "search"])
def test_count_by_a_slow_method_goes_on_too(satcal, small, where, counted, method) -> None:
    call = ("count", "-b", str(small), "--method", method, "--store", where)
    satcal(*call, "--reveal", "c")
    said = satcal(*call, "--all-reveals")
    assert (said.code, table(said.out)) == (0, NUMBERS)
    assert f"{method}: 1 of 3 taken from the store" in said.err
    assert sorted(counted) == [(method, reveal) for reveal in "abc"]


def test_count_stores_its_sample_and_not_the_diagram(satcal, small, where, counted) -> None:
    call = ("count", "-b", str(small), "--all-reveals", "--store", where)
    satcal(*call)
    said = satcal(*call)
    assert "sat: 3 of 3 taken from the store" in said.err
    assert "search: 1 of 1 taken from the store" in said.err
    assert said.err.endswith("sat 3 of these again, search 1 of these again: they agree\n")
    assert len(counted) == 4
    assert {method for _, method in times(where)} == {"sat", "search"}


def test_count_by_the_diagram_alone_makes_no_store(satcal, small, file) -> None:
    call = ("count", "-b", str(small), "--all-reveals", "--verify", "0", "--store", str(file))
    assert satcal(*call).code == 0
    assert not file.exists()


@pytest.fixture
def one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """A diagram holds one reveal, as if memory were short; those that were built."""
    real, built = counting.diagram_for, []

    def diagram_for(puzzle, reveals, *rest):
        if len(reveals) > 1:
            raise TooLarge("too large")
        built.extend(reveals)
        return real(puzzle, reveals, *rest)

    monkeypatch.setattr(counting, "diagram_for", diagram_for)
    return built


def test_a_diagram_in_parts_goes_on_where_it_stopped(
    satcal, small, where, monkeypatch, one_at_a_time
) -> None:
    call = ("count", "-b", str(small), "--all-reveals", "--verify", "0", "--store", where)
    real = counting.diagram_for

    def pressed(puzzle, reveals, *rest):
        if reveals == [("c",)]:
            raise KeyboardInterrupt
        return real(puzzle, reveals, *rest)

    monkeypatch.setattr(counting, "diagram_for", pressed)
    said = satcal(*call)
    assert (said.code, table(said.out)) == (3, NUMBERS | {"c": ""})
    monkeypatch.setattr(counting, "diagram_for", real)
    again = satcal(*call)
    assert (again.code, table(again.out)) == (0, NUMBERS)
    assert "diagram: 2 of 3 taken from the store" in again.err
    assert one_at_a_time == [("a",), ("b",), ("c",)]
    assert satcal(*call).out == again.out
    assert len(one_at_a_time) == 3
    assert set(times(where).values()) == {1}


def test_a_part_that_is_too_large_costs_none_of_the_others(
    satcal, small, where, monkeypatch, one_at_a_time
) -> None:
    real = counting.diagram_for

    def short(puzzle, reveals, *rest):
        if reveals == [("b",)]:
            raise TooLarge("it does not fit")
        return real(puzzle, reveals, *rest)

    monkeypatch.setattr(counting, "diagram_for", short)
    call = ("count", "-b", str(small), "--all-reveals", "--verify", "0", "--store", where)
    said = satcal(*call)
    assert (said.code, table(said.out)) == (3, NUMBERS | {"b": "", "c": ""})
    assert "ERROR b and 1 more by diagram: it does not fit\n" in said.err
    assert times(where) == {("a", "diagram"): 1}


def test_counts_up_to_symmetry_are_stored_apart(satcal, small, where, counted) -> None:
    call = ("count", "-b", str(small), "--all-reveals", "--verify", "0", "--store", where)
    for _ in range(2):
        assert satcal(*call, "--up-to-symmetry").code == 0
    assert counted == [("diagram", reveal) for reveal in "abc"]
    with Store(located(where)) as store:
        assert {row.conditions for row in store.rows()} == {"up to symmetry"}


def test_quiet_says_nothing_of_the_store(satcal, small, file) -> None:
    call = ("verify", "-b", str(small), "--all-reveals", "--store", str(file), "-q")
    satcal(*call)
    assert satcal(*call).err == ""


def test_only_exact_counts_are_stored(satcal, small, where, monkeypatch) -> None:
    real = counting.count_one

    def tired(puzzle, reveal, settings, deadline=None):
        if reveal == ("b",):
            return Outcome(Status.UNKNOWN, 1, "stopped by its budget", 3)
        return real(puzzle, reveal, settings, deadline)

    monkeypatch.setattr(counting, "count_one", tired)
    call = ("count", "-b", str(small), "--all-reveals", "--method", "sat", "--store", where)
    assert satcal(*call).code == 3
    assert sorted(times(where)) == [("a", "sat"), ("c", "sat")]
    monkeypatch.undo()
    monkeypatch.setenv("SATCAL_STORE", where)
    assert run_satcal(["count", "-b", str(small), "--all-reveals", "--method", "sat"]) == 0
    assert len(times(where)) == 3


def test_ctrl_c_keeps_what_was_finished(satcal, small, where, monkeypatch) -> None:
    real, seen = counting.count_one, []

    def pressed(*asked):
        seen.append(asked)
        if len(seen) == 2:
            raise KeyboardInterrupt
        return real(*asked)

    monkeypatch.setattr(counting, "count_one", pressed)
    call = ("count", "-b", str(small), "--all-reveals", "--method", "sat", "--store", where)
    said = satcal(*call)
    assert said.code == 3
    assert "stopped by Ctrl-C" in said.err
    assert len(times(where)) == 1
    monkeypatch.setattr(counting, "count_one", real)
    again = satcal(*call)
    assert "sat: 1 of 3 taken from the store" in again.err
    assert table(again.out) == NUMBERS
    assert set(times(where).values()) == {1}


def test_a_changed_puzzle_file_is_counted_afresh_and_said(satcal, small, where, counted) -> None:
    call = ("verify", "-b", str(small), "--all-reveals", "--store", where)
    satcal(*call)
    small.write_text(small.read_text().replace('"##", copies', '"#\\n#", copies'))
    assert "has changed" not in satcal(*call).err  # drawn otherwise, and the same puzzle
    assert len(counted) == 3
    small.write_text(small.read_text().replace("a b c *", "b a c *"))
    said = satcal(*call)
    assert "small has changed since its last run (digest " in said.err
    assert "counted afresh; the old counts stay stored" in said.err
    assert "taken from the store" not in said.err
    assert len(counted) == 6
    assert "has changed" not in satcal(*call).err
    assert len(times(where)) == 6


def test_a_contradiction_is_exit_1_and_both_numbers_stay(satcal, small, where, monkeypatch) -> None:
    call = ("count", "-b", str(small), "--all-reveals", "--method", "sat", "--store", where)
    monkeypatch.setattr(counting, "count_one", lambda *_: Outcome(Status.EXACT, 5))
    assert satcal(*call, "--quiet").code == 0
    monkeypatch.undo()
    monkeypatch.setenv("SATCAL_STORE", where)
    puzzle = load(str(small))
    said: list[str] = []
    keeper = Keeper(located(where), origin_of(str(small)), fresh=True, say=said.append)
    settings = Settings(method="sat")
    assert keeper.recall(puzzle, list(puzzle.reveals()), settings) == {}
    keeper.record(puzzle, settings, {("b",): 4})
    keeper.record(puzzle, settings, {("b",): 4})
    assert len(said) == 1
    assert said[0].startswith("CONTRADICTION small b: 5 by sat ladder")
    assert ", 4 by sat ladder" in said[0]
    assert keeper.finish() == 1
    keeper.close()
    later = Keeper(located(where), say=said.append)
    found = later.recall(puzzle, list(puzzle.reveals()), settings)
    assert found == {("a",): 5, ("c",): 5}  # what is contradicted is not believed
    assert later.finish() == 1
    assert said[1].startswith("CONTRADICTION small b: 4 and 5 by sat")
    assert run_satcal(["store", "check"]) == 1
    assert run_satcal(list(call)) == 1


def test_producing_a_table_goes_on_where_it_stopped(
    small, where, tmp_path: Path, monkeypatch, capsys, counted
) -> None:
    monkeypatch.setenv("SATCAL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(executors, "local_processes", executors.local_processes)
    from concurrent.futures import ThreadPoolExecutor

    monkeypatch.setattr(executors, "local_processes", lambda jobs: ThreadPoolExecutor(1))
    call = [str(small), "--folder", str(tmp_path / "counts"), "--store", where]
    assert produce.main(call) == 0  # by the diagram
    before = (tmp_path / "counts" / "small.csv").read_text()
    assert produce.main(call) == 0
    assert "diagram: 3 of 3 taken from the store" in capsys.readouterr().err
    assert produce.main([*call, "--method", "search", "--sample", "2"]) == 0
    assert len(counted) == 2
    (tmp_path / "counts" / "small.csv").write_text(before)  # as if killed before the table
    assert produce.main([*call, "--method", "search", "--sample", "3"]) == 0
    assert "search: 2 of 3 taken from the store" in capsys.readouterr().err
    assert len(counted) == 3
    assert produce.main([*call, "--method", "search", "--fresh"]) == 0
    assert len(counted) == 6
    assert f"counting {small}: 3 of 3, " in capsys.readouterr().err


def test_a_file_is_named_by_its_whole_path_and_a_library_puzzle_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert origin_of("x.toml") == f"--board {tmp_path}/x.toml"
    assert origin_of("dragonfjord") == origin_of("a-puzzle-a-day") == "--board a-puzzle-a-day"
    named = origin_of("rhombus", "tetromino", "none")
    assert named == "--board rhombus --pieces tetromino --flip none"


def test_a_key_knows_no_order_of_categories_and_no_names_of_pieces(tmp_path: Path) -> None:
    text = (
        'name = "x"\nboard = """\na 1 * *\nb 2 * *\n"""\n[categories]\n{0}\n'
        '[pieces]\n{1} = "##/##"\n{2} = "##"\n'
    )
    puzzles = []
    for number, (order, names) in enumerate([(("l", "d"), ("P", "Q")), (("d", "l"), ("Q", "P"))]):
        lists = {"l": 'l = ["a", "b"]', "d": 'd = ["1", "2"]'}
        path = tmp_path / f"{number}.toml"
        body = text.replace("{0}", "\n".join(lists[each] for each in order))
        body = body.replace("{1}", names[0]).replace("{2}", names[1]).replace("##/##", "##\\n##")
        path.write_text(body)
        puzzles.append(load(str(path)))
    one, other = puzzles
    assert one.digest == other.digest
    assert set(map(reveal_key, one.reveals())) == set(map(reveal_key, other.reveals()))
    asked = [
        conditions_key(p, Settings(demands=tuple(parse_demands(p, [text]))))
        for p, text in ((one, "Q@r0c2"), (other, "P@r0c2"), (one, "P@r0c2"))
    ]
    assert asked == ["##x2@r0c2", "##x2@r0c2", "##/##x1@r0c2"]
    whole = Settings(demands=tuple(parse_demands(one, ["P:r0c2,r0c3,r1c2,r1c3", "Q@r0c1"])))
    assert conditions_key(one, whole) == "##/##x1:r0c2,r0c3,r1c2,r1c3 ##x2@r0c1"
    assert conditions_key(one, Settings(up_to_symmetry=True)) == "up to symmetry"
    assert conditions_key(one, Settings()) == ""


def test_a_key_names_what_could_change_the_count_and_no_budget() -> None:
    sat = method_key(Settings(method="sat", time_limit=3.0, jobs=2))
    assert sat == method_key(Settings(method="sat"))
    assert (sat.encoding, sat.solver) == ("ladder", "cadical195")
    assert re.fullmatch(r"satcal \S+, python-sat \S+", sat.versions)
    others = [
        method_key(Settings(method="sat", encoding="plain")),
        method_key(Settings(method="sat", solver="glucose4")),
        method_key(Settings(method="sat", lemmas="none")),
        method_key(Settings(method="search")),
        method_key(Settings(method="search", pruning="none")),
        method_key(Settings()),
    ]
    assert len({sat, *others}) == 7


def test_no_connection_is_open_when_workers_are_forked(small, file, monkeypatch) -> None:
    """A forked copy of a SQLite connection could remove the locks of the real one."""
    puzzle, open_files = load(str(small)), []
    real = executors.local_processes

    def looking(jobs):
        names = [os.readlink(f"/proc/self/fd/{n}") for n in os.listdir("/proc/self/fd")
                 if os.path.exists(f"/proc/self/fd/{n}")]  # fmt: skip
        open_files.extend(name for name in names if name.startswith(str(file)))
        return real(jobs)

    monkeypatch.setattr(executors, "local_processes", looking)
    monkeypatch.setenv("SATCAL_STORE", str(file))
    assert run_satcal(["verify", "-b", str(small), "--all-reveals"]) == 0
    assert run_satcal(["verify", "-b", str(small), "--all-reveals", "--fresh"]) == 0
    assert open_files == []
    assert len(times(str(file))) == 2 * len(list(puzzle.reveals()))


def test_a_keeper_of_nothing_keeps_nothing(small) -> None:
    puzzle, keeper = load(str(small)), Keeper(None)
    assert keeper.recall(puzzle, list(puzzle.reveals()), Settings(method="sat")) == {}
    keeper.record(puzzle, Settings(method="sat"), {("a",): 4})
    assert keeper.finish() == 0
