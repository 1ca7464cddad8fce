"""``satcal solve``: which solutions, their numbers, formats, pictures, two options together."""

import json

import pytest

SIX = "solve --reveal Oct,6 --format lines"
"""A date of 7 tilings."""
SMALL = "solve small.toml --format lines"


@pytest.mark.parametrize(("limit", "shown"), [(1, 1), (2, 2), (3, 2)])
def test_a_limit_is_the_most_that_is_shown(run, limit, shown):
    lines = run(f"{SMALL} --reveal a --limit {limit}").out.splitlines()
    assert len(set(lines)) == len(lines) == shown


def test_without_a_limit_it_is_one_and_with_all_it_is_every_one(run):
    assert [len(run(f"{SIX} {more}").out.splitlines()) for more in ("", "--all")] == [1, 7]


@pytest.mark.parametrize("rank", [1, 2, 6, 7])
def test_ranks_are_the_order_of_all(run, rank):
    every = run(f"{SIX} --all").out.splitlines()
    assert run(f"{SIX} --rank {rank}").out.splitlines() == [every[rank - 1]]


def test_number_1_is_the_same_with_other_dates_beside_it(run):
    alone = run("solve Oct 6 2025 --format lines").out
    among = run("solve Oct 5..Oct 7 2025 --format lines").out.splitlines()
    assert alone.split("\n")[0] == among[1]


@pytest.mark.parametrize("seed", range(2))
def test_a_random_solution_has_what_is_placed(run, seed):
    place = "Z:r3c3,r4c1,r4c2,r4c3,r5c1"  # in one or two of the solutions of each date
    line = f"solve Oct 5..Oct 7 2025 --format lines --random {seed} --place {place}"
    answer = run(line)
    assert answer.out == run(line).out != ""
    assert all(place in tiling.split() for tiling in answer.out.splitlines())


def test_dates_draw_independently_and_seeds_differ(run):
    every = {reveal: run(f"{SMALL} --all --reveal {reveal}").out.splitlines() for reveal in "ab"}
    drawn = [run(f"{SMALL} --all-reveals --random {seed}").out.splitlines() for seed in range(16)]
    numbers = {(every["a"].index(one), every["b"].index(other)) for one, other in drawn}
    assert numbers == {(0, 0), (0, 1), (1, 0), (1, 1)}


@pytest.mark.parametrize("options", ["", "--random 0", "--all"])
def test_a_date_without_a_solution_is_exit_1_and_the_others_are_shown(run, options):
    # with this U in the corner, only 7 October can be solved
    line = "solve Oct 6..Oct 8 2025 --format csv --place r5c0,r6c0,r6c1,r6c2,r5c2"
    answer = run(f"{line} {options}")
    assert (answer.code, {row["date"] for row in answer.rows}) == (1, {"2025-10-07"})
    assert all(date in answer.err for date in ("2025-10-06", "2025-10-08"))


def test_json_holds_the_date_the_reveal_and_the_placements(run):
    (record,) = json.loads(run("solve Oct 6 2025 --format json").out)
    assert (record["date"], record["reveal"]) == ("2025-10-06", ["Oct", "6"])
    assert len(record["tiling"]) == 8


def test_a_drawing_is_numbered_and_placed_again_it_is_the_same(run, folder):
    drawn = run("solve Oct 6 2025 --rank 3").out
    assert "solution 3 of 7" in drawn
    (folder / "drawn.txt").write_text(drawn)
    lines = run(f"{SIX} --rank 3").out
    assert run(f"{SIX} --place drawn.txt").out == lines
    (folder / "lines.txt").write_text(lines)
    assert run(f"{SIX} --place lines.txt").out == lines


@pytest.mark.parametrize(
    ("name", "start"), [("x.svg", b"<svg"), ("there/x.png", b"\x89PNG"), ("x.gif", b"GIF8")]
)
def test_a_suffix_is_a_picture(run, folder, name, start):
    assert run(f"solve small.toml --reveal a -o {name} -q").code == 0
    assert (folder / name).read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("words", "named"), [("Oct 6 --all", ["7 solutions"]), ("Oct 6..Oct 8", ["Oct 6", "Oct 8"])]
)
def test_several_solutions_are_a_sheet_and_several_dates_a_page(run, folder, words, named):
    assert run(f"solve {words} -o x.svg").code == 0
    text = (folder / "x.svg").read_text()
    assert all(name in text for name in named)


def test_the_picture_is_of_the_solution_that_is_number_1(run, folder):
    run("solve Oct 6 2025 -o one.svg")
    assert run(SIX).out.strip() in (folder / "one.svg").read_text()


@pytest.mark.parametrize("forced", [False, True])
def test_a_pipe_has_colours_only_if_they_are_forced(run, monkeypatch, forced):
    monkeypatch.delenv("NO_COLOR")
    if forced:
        monkeypatch.setenv("FORCE_COLOR", "1")
    assert ("\x1b[" in run("solve --reveal Oct,6").out) == forced
