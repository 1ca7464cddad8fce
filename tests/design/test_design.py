"""Designs: a search decides what brute force decides, and stops, resumes and repeats itself."""

from __future__ import annotations

import csv
import gzip
import itertools
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import cache
from pathlib import Path

import pysolvers
import pytest
from click.testing import CliRunner, Result
from pysat.solvers import Solver

from satcal import count
from satcal.cli.main import cli
from satcal.counting.survey import survey
from satcal.design.arranging import arrange
from satcal.design.deciding import GOALS, Question, decide, uncoloured, unflipped
from satcal.design.exploring import Explorer, Log, climb, exhaust, rank, standing
from satcal.design.polyominoes import GOLOMB, polyominoes, shapes
from satcal.design.space import Space, space
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.errors import FileTrouble, FormatError, NoTiling, OptionError, UnknownName
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle, Reveal
from satcal.puzzle.toml import parse_puzzle

BOARD = '''
name = "patch"
board = """
* * * *
* * 1 *
* 2 b *
* * * a
"""
[categories]
letter = ["a", "b"]
number = ["1", "2"]
[pieces]
I = "#####"
V = """
#..
#..
###
"""
T4 = """
###
.#.
"""
'''


@cache
def patch() -> Puzzle:
    return parse_puzzle(BOARD, "patch.toml")


# --- a second program, which knows cells alone --------------------------------------------------

Cells = frozenset[tuple[int, int]]


def faces(cells: Cells, flip: bool = True) -> set[Cells]:
    """Return what a shape looks like turned, and turned over."""
    seen = set()
    for mirrored in (False, True) if flip else (False,):
        turned = {(r, -c) if mirrored else (r, c) for r, c in cells}
        for _ in range(4):
            turned = {(c, -r) for r, c in turned}
            top, left = min(r for r, _ in turned), min(c for _, c in turned)
            seen.add(frozenset((r - top, c - left) for r, c in turned))
    return seen


def brute(free: Cells, pieces: Counter[Cells], flip: bool = True, most: int = 10**9) -> int:
    """Return the number of tilings, or ``most`` if there are at least so many."""
    if not free:
        return 1
    first, total = min(free), 0
    for shape in list(pieces):
        if not pieces[shape]:
            continue
        pieces[shape] -= 1
        for face in faces(shape, flip):
            anchor = min(face)
            placed = {(r - anchor[0] + first[0], c - anchor[1] + first[1]) for r, c in face}
            if placed <= free and total < most:
                total += brute(free - placed, pieces, flip, most - total)
        pieces[shape] += 1
    return total


def brute_counts(wanted: Space, names: tuple[str, ...], most: int = 10**9) -> list[int]:
    shapes_ = Counter(frozenset(wanted.pool[name].shape) for name in names)
    board = wanted.board
    flip = all(wanted.pool[name].flip for name in names)
    return [
        brute(frozenset(set(board.cells) - board.uncovered(reveal)), shapes_, flip, most)
        for reveal in board.reveals()
    ]


# --- the sets -----------------------------------------------------------------------------------


def test_there_are_as_many_polyominoes_as_the_literature_says() -> None:
    assert [len(shapes(n)) for n in range(1, 9)] == [1, 1, 2, 5, 12, 35, 108, 369]
    assert [len(shapes(n, False)) for n in range(1, 8)] == [1, 1, 2, 7, 18, 60, 196]
    for size in range(1, 7):
        for flip in (True, False):
            named = polyominoes(size, flip)
            assert len({frozenset(faces(frozenset(s), flip)) for s in named.values()}) == len(named)
            assert len(named) == len(shapes(size, flip))
    assert set(GOLOMB[5]) == set("FILNPTUVWXYZ")


@pytest.mark.parametrize("rules", [
    {}, {"must": ["X"]}, {"must_not": ["I", "H1"]}, {"copies": 2},
    {"must": ["X", "X"], "copies": 2}, {"allow": ["F", "I", "X", "T4", "L4", "O4"]},
    {"flip": False},
])  # fmt: skip
def test_a_space_has_each_set_that_obeys_the_rules_once(rules: dict[str, object]) -> None:
    rules["allowed"] = rules.pop("allow", ())
    wanted = space(patch(), [(4, None), (5, None), (6, None)], 3, **rules)  # type: ignore[arg-type]
    pool, must, copies = list(wanted.pool), Counter(wanted.must), wanted.copies
    allowed = {
        each
        for each in itertools.combinations_with_replacement(pool, 3)
        if sum(wanted.pool[name].area for name in each) == 14
        and max(Counter(each).values()) <= copies
        and must <= Counter(each)
    }
    listed = list(wanted)
    assert set(listed) == allowed
    assert len(listed) == len(wanted) == len(allowed)
    generator = random.Random(1)
    some = wanted.any(generator)
    for _ in range(50):
        assert some in allowed
        some = wanted.near(some, generator)


def test_a_space_without_sets_is_refused_with_the_area_that_is_needed() -> None:
    with pytest.raises(OptionError, match="14 squares that patch leaves"):
        space(patch(), [(5, 3)])
    with pytest.raises(UnknownName, match="no polyomino 'Q'"):
        space(patch(), [(5, 2), (4, 1)], must=["Q"])


# --- deciding -----------------------------------------------------------------------------------


@pytest.mark.parametrize("flip", [True, False])
@pytest.mark.parametrize("at_least", [1, 2])
def test_every_verdict_is_what_brute_force_says(flip: bool, at_least: int) -> None:
    wanted = space(patch(), [(5, 2), (4, 1)], flip=flip)
    question = Question(wanted, tuple(patch().reveals()), at_least)
    sets = list(wanted)[:: len(wanted) // 50]
    killers = list(patch().reveals())[1:3]
    stood = 0
    for fully in (False, True):
        for verdict in decide(question, sets, killers, fully):
            counts = dict(zip(question.reveals, brute_counts(wanted, verdict.pieces), strict=True))
            if verdict.counts:
                assert list(verdict.counts) == list(counts.values())
            if verdict.refuted_by:
                assert counts[verdict.refuted_by] < at_least
            else:
                assert min(counts.values()) >= at_least
                stood += 1
    assert stood or at_least == 2 or not flip


def test_a_set_whose_last_piece_is_there_twice_is_not_refuted_wrongly() -> None:
    wanted = space(patch(), [(5, 2), (4, 1)], copies=2)
    solved = 0
    for names in wanted:
        if len(set(names)) < 3:
            true = dict(zip(patch().reveals(), brute_counts(wanted, names, 1), strict=True))
            for reveal, tilings in true.items():
                (verdict,) = decide(Question(wanted, (reveal,)), [names], [reveal], False)
                assert (verdict.refuted_by is None) == (tilings > 0)
                solved += tilings > 0
    assert solved


def test_colours_refute_no_set_that_has_a_tiling() -> None:
    wanted = space(patch(), [(4, 3), (2, 1)])
    refuted = 0
    for names in wanted:
        reveal = uncoloured(wanted.puzzle(names), list(patch().reveals()))
        if reveal:
            place = list(patch().reveals()).index(reveal)
            assert not brute_counts(wanted, names)[place]
            refuted += 1
    assert refuted


def test_pieces_need_no_flipping_if_one_way_to_lay_them_solves_all() -> None:
    wanted = space(patch(), [(5, 2), (4, 1)])
    agreed = Counter[bool]()
    for number, names in enumerate(random.Random(5).sample(list(wanted), 60)):
        reveals = tuple(patch().reveals())[: 1 + number % 2]
        puzzle = wanted.puzzle(names)
        diagram = PuzzleDiagram.build(puzzle)
        counts = {r: n for r, n in diagram.counts().items() if r in reveals}
        if not min(counts.values()):
            continue
        possible = False
        for turned in itertools.product((False, True), repeat=len(names)):
            shapes_ = Counter(
                frozenset((r, -c) if over else (r, c) for r, c in wanted.pool[name].shape)
                for name, over in zip(names, turned, strict=True)
            )
            possible |= all(
                brute(frozenset(set(puzzle.cells) - puzzle.uncovered(r)), shapes_, False, 1)
                for r in reveals
            )
        agreed[possible] += 1
        assert (unflipped(diagram, counts) is not None) == possible
    assert agreed[True]
    assert agreed[False]


# --- searching ----------------------------------------------------------------------------------


@cache
def every() -> Explorer:
    return explored(space(patch(), [(5, 2), (4, 1)]))


def explored(wanted: Space, log: Path | None = None, tries: int = 0, seed: int = 0) -> Explorer:
    question = Question(wanted, tuple(patch().reveals()))
    with ThreadPoolExecutor(1) as executor, closing(Log(log, "patch")) as kept:
        explorer = Explorer(question, executor, kept, lambda number, verdict: None)
        if tries:
            climb(explorer, ["few"], tries, seed)
        else:
            exhaust(explorer)
    return explorer


@pytest.mark.parametrize("goal", GOALS)
def test_the_best_set_is_the_first_in_every_goal(goal: str) -> None:
    explorer = every()
    stand = list(standing(explorer.verdicts.values(), explorer.question, [goal]))
    assert stand
    assert len(explorer.verdicts) == len(explorer.question.space)
    measured = [GOALS[goal](verdict) for verdict in stand]
    assert measured == sorted(measured)
    assert measured[0] == min(measured)


def test_a_climb_finds_the_best_of_a_small_space_and_repeats_itself() -> None:
    wanted = space(patch(), [(5, 2), (4, 1)])
    best = next(standing(every().verdicts.values(), every().question, ["few"]))
    runs = [explored(wanted, tries=1500, seed=7) for _ in range(2)]
    question = runs[0].question
    assert list(runs[0].verdicts) == list(runs[1].verdicts)
    found = min(runs[0].verdicts.values(), key=lambda v: rank(v, question, ["few"]))
    assert found.pieces == best.pieces


def test_a_climb_tries_no_more_sets_than_were_asked_for() -> None:
    assert 0 < len(explored(space(patch(), [(5, 2), (4, 1)]), tries=5).verdicts) <= 5


def test_a_log_of_another_question_or_damaged_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log"
    wanted = space(patch(), [(5, 2), (4, 1)], must=["X"])
    whole = explored(wanted, path).verdicts
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:20]) + lines[20][:7])  # as a kill leaves it
    assert explored(wanted, path).verdicts == whole
    assert path.read_text() == "".join(lines)
    with pytest.raises(FormatError, match="another question"):
        Log(path, "rhombus")
    path.write_text("".join(lines[:2]) + "[1]\n")
    with pytest.raises(FormatError, match="line 3 is damaged"):
        Log(path, "patch")


def test_a_file_that_is_no_log_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "letter"
    path.write_text("a line without an end")
    with pytest.raises(FormatError, match="another question"):
        Log(path, "patch")
    assert path.read_text() == "a line without an end"
    path.write_text("pat")  # as a kill leaves it
    Log(path, "patch").close()
    assert path.read_text() == "patch\n"
    with pytest.raises(FileTrouble, match="No such file or directory"):
        Log(tmp_path / "nowhere" / "log", "patch")


def test_sizes_in_any_number_are_mixed_at_once_and_each_draw_is_a_set() -> None:
    wanted = space(load("a-puzzle-a-day"), [(n, None) for n in range(1, 9)], number=8)
    some = wanted.any(random.Random(1))
    assert len(some) == 8
    assert sum(wanted.pool[name].area for name in some) == 41
    assert len(set(some)) == 8


def test_a_brood_is_work_for_several_processes() -> None:
    class Counting(ThreadPoolExecutor):
        tasks = 0

        def submit(self, *args, **kwargs):  # type: ignore[no-untyped-def]
            self.tasks += 1
            return super().submit(*args, **kwargs)

    question = Question(space(patch(), [(5, 2), (4, 1)]), tuple(patch().reveals()))
    with Counting(1) as executor, closing(Log(None, "patch")) as kept:
        climb(Explorer(question, executor, kept, lambda *_: None), ["few"], 32, 0)
        assert executor.tasks >= 8


def test_a_piece_that_every_set_and_no_set_has_is_refused() -> None:
    with pytest.raises(OptionError, match=r"--must X.*--must-not"):
        space(patch(), [(5, 2), (4, 1)], must=["X"], must_not=["X"])
    with pytest.raises(OptionError, match=r"--must X.*--copies is 1"):
        space(patch(), [(5, 2), (4, 1)], must=["X", "X"])


def command(folder: Path, *options: str) -> list[str]:
    (folder / "patch.toml").write_text(BOARD)
    board = str(folder / "patch.toml")
    return ["design", "-b", board, "--sizes", "2x5,1x4", "--all-reveals", *options]


def test_the_answer_is_the_same_on_one_core_on_two_and_after_a_kill(tmp_path: Path) -> None:
    table = [str(tmp_path / name) for name in ("one.csv", "two.csv", "again.csv")]
    log = tmp_path / "log"
    run = [sys.executable, "-m", "satcal"]
    first = command(tmp_path, "--all", "-q", "-o", table[0], "-j", "1")
    assert subprocess.run([*run, *first], check=False).returncode == 0
    second = [*run, *command(tmp_path, "--all", "-q", "-o", table[1], "-j", "2", "--log", str(log))]
    with subprocess.Popen(second, start_new_session=True) as process:
        while not log.exists() or log.read_bytes().count(b"\n") < 20:
            time.sleep(0.01)
            assert process.poll() is None, "it ended before it was killed"
        os.killpg(process.pid, signal.SIGKILL)
    assert not Path(table[1]).exists()
    for path in table[1:]:
        again = command(tmp_path, "--all", "-q", "-o", path, "-j", "2", "--log", str(log))
        assert subprocess.run([*run, *again], check=False).returncode == 0
    assert len({Path(path).read_bytes() for path in table}) == 1
    rows = list(csv.DictReader(Path(table[0]).read_text().splitlines()))
    assert len(rows) == 330


def test_a_climb_is_the_same_on_one_core_and_on_two(tmp_path: Path) -> None:
    answers = {
        CliRunner()
        .invoke(
            cli,
            command(tmp_path, "--tries", "96", "--seed", "3", "-j", jobs),
            catch_exceptions=False,
        )
        .stdout
        for jobs in ("1", "2")
    }
    assert len(answers) == 1


def test_the_best_set_is_a_puzzle_that_satcal_reads(tmp_path: Path) -> None:
    best = tmp_path / "best.toml"
    wanted = tmp_path / "wanted.toml"
    keys = ['sizes = ["2x5", "1x4"]', "all-reveals = true", 'goal = "many"', "limit = 1"]
    keys += [f'pieces = ["{tmp_path / "patch.toml"}"]', "all = false", "list = false"]
    wanted.write_text("\n".join(keys))
    (tmp_path / "patch.toml").write_text(BOARD)
    arguments = ["design", str(wanted), "-b", str(tmp_path / "patch.toml"), "--best", str(best)]
    result = CliRunner().invoke(cli, [*arguments, "--format", "json"], catch_exceptions=False)
    assert result.exit_code == 0
    counts = PuzzleDiagram.build(load(str(best))).counts()
    assert f'"total": {sum(counts.values())}' in result.stdout
    assert result.stdout.count('"pieces"') == 1
    assert "330 sets tried, all" in result.stderr


# --- labels moved -------------------------------------------------------------------------------


@pytest.mark.parametrize("least", [1, 4, 5, 6, 8, 30])
@pytest.mark.parametrize("reveals", [list(itertools.product("ab", "12")), [("a", "1"), ("a", "2")]])
def test_labels_can_be_moved_exactly_where_brute_force_finds_a_way(
    reveals: list[Reveal], least: int
) -> None:
    puzzle = patch()
    counts = survey(puzzle).counts
    moved = arrange(puzzle, reveals, least)
    possible = any(
        all(
            counts[min(at[a], at[b]), max(at[a], at[b])] >= least
            for at in [dict(zip("ab12", cells, strict=True))]
            for a, b in reveals
        )
        for cells in itertools.permutations(puzzle.cells, 4)
    )
    assert (moved is not None) == possible
    if moved:
        counted = PuzzleDiagram.build(moved).counts()
        assert min(counted[reveal] for reveal in reveals) >= least


def test_labels_of_several_cells_or_three_categories_are_not_moved() -> None:
    with pytest.raises(OptionError, match="two categories"):
        arrange(load("rhombus"), [], 1)


def test_squares_move_where_labels_alone_do_not_suffice(tmp_path: Path) -> None:
    board = BOARD.replace("* * * *\n* * 1 *", ". * * *\n* * 1 .").replace('"#####"', '"##"')
    (tmp_path / "holes.toml").write_text(board.replace("###\n.#.", "##.\n.##\n..#"))
    (tmp_path / "whole.toml").write_text(BOARD)

    def moved(name: str, *arguments: str) -> Result:
        command = ["arrange", "-b", f"{tmp_path}/{name}.toml", "--at-least", "2", "--all-reveals"]
        return CliRunner().invoke(cli, [*command, *arguments])

    assert isinstance(moved("holes").exception, NoTiling)
    output = ["--force", "-o", f"{tmp_path}/moved.toml"]
    for _ in range(2):
        result = moved("holes", "--outlines", "200", *output)
        assert result.exit_code == 0
    puzzle = load(f"{tmp_path}/moved.toml")
    assert min(PuzzleDiagram.build(puzzle).counts().values()) == 2
    assert (puzzle.rows, puzzle.columns, len(puzzle.cells)) == (4, 4, 14)
    assert moved("holes", "--outlines", "200").stdout == result.stdout
    assert "whole rectangle" in str(moved("whole", "--outlines", "2").exception)
    assert "is about --outlines" in str(moved("holes", "--seed", "1").exception)


@pytest.mark.long
def test_fifty_random_sets_of_the_sold_board_are_decided_as_by_brute_force() -> None:
    board = load("a-puzzle-a-day")
    wanted = space(board, [(5, 7), (6, 1)])
    reveals = tuple(r for r in board.reveals() if board.calendar.is_date(r))
    sets = random.Random(11).sample(list(wanted), 50)
    for verdict in decide(Question(wanted, reveals), sets, [("Apr", "6")], False):
        shapes_ = Counter(frozenset(wanted.pool[name].shape) for name in verdict.pieces)
        asked = [verdict.refuted_by] if verdict.refuted_by else list(reveals)
        for reveal in asked:
            free = frozenset(set(board.cells) - board.uncovered(reveal))
            assert bool(brute(free, shapes_, True, 1)) == (verdict.refuted_by is None)


@pytest.mark.long
def test_two_hundred_sets_refuted_in_the_results_have_no_tiling_by_search() -> None:
    path = Path(__file__).parents[2] / "results" / "design" / "a-puzzle-a-day.csv.gz"
    with gzip.open(path, "rt") as stream:
        rows = [row for row in csv.DictReader(stream) if row["refuted_by"]]
    wanted = space(load("a-puzzle-a-day"), [(5, 7), (6, 1)])
    for row in random.Random(1).sample(rows, 200):
        puzzle = wanted.puzzle(tuple(row["pieces"].split()))
        assert count(puzzle, tuple(row["refuted_by"].split()), method="search") == 0


def test_ctrl_c_stops_the_solver_that_places_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(Solver):
        def solve(self, *args: object) -> bool:
            raise pysolvers.error("Caught keyboard interrupt")

    monkeypatch.setattr("satcal.design.arranging.Solver", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        arrange(load("a-puzzle-a-day"), [("Jan", "1")], 1)
