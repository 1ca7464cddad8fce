import json

import pytest

import satcal as api


def test_all_tilings_come_as_lines_of_placements(satcal):
    said = satcal("solve --reveal Oct,6 --all --format lines")
    lines = said.out.splitlines()
    puzzle = api.load("a-puzzle-a-day")
    expected = {" ".join(map(str, t)) for t in api.tilings(puzzle, puzzle.reveal("2025-10-06"))}
    assert len(lines) == 7
    assert set(lines) == expected


def test_a_limit_bounds_the_tilings_of_each_date(satcal):
    said = satcal("solve --from 2025-12-24 --to 2025-12-25 --limit 3 --format lines")
    assert len(said.out.splitlines()) == 6
    said = satcal("solve --all --limit 4 --format lines")
    assert len(said.out.splitlines()) == 4


def test_a_random_tiling_depends_on_the_seed_alone(satcal):
    draws = [
        satcal(f"solve --reveal Oct,6 --random --seed {seed} --format json").out
        for seed in ("1", "1", "2", "3", "4", "5")
    ]
    assert draws[0] == draws[1]
    assert len(set(draws)) > 1


def test_json_holds_the_date_the_reveal_and_the_placements(satcal):
    (record,) = json.loads(satcal("solve --method search --format json").out)
    assert record["date"] == "2025-12-25"
    assert record["reveal"] == ["Dec", "25"]
    assert len(record["tiling"]) == 8


def test_exists_says_sat_or_unsat_and_no_tiling_is_exit_1_with_the_reason(satcal, small):
    ask = f"solve -b {small} --reveal a"
    assert satcal(f"{ask} --exists").out == "a: SAT, it has a solution\n"
    said = satcal(f"{ask} --exists --place I@r0c1")
    assert (said.out, said.code) == ("a: UNSAT, it has none\n", 1)
    said = satcal(f"{ask} --place I@r0c1")
    assert said.code == 1
    assert said.err == "satcal: error: no solution with these pieces placed for a\n"


@pytest.mark.parametrize("day", range(1, 6))
def test_of_several_wrong_dates_the_first_is_named_whatever_the_hash_order(satcal, day):
    """The strings of each day have hashes of their own."""
    cells = [f"--place {piece}@r2c{day - 1 + number}" for number, piece in enumerate("NLU")]
    said = satcal(f"solve --from 2025-10-0{day} --to 2025-10-0{day + 2} {' '.join(cells)}")
    assert said.code == 2
    assert f"r2c{day - 1} is {day}, which Oct {day} leaves uncovered" in said.err


def test_a_limit_may_be_as_large_as_anybody_likes(satcal, small):
    for limit in (f"--limit {'9' * 30}", "--method sat --time-limit inf --exists"):
        said = satcal(f"solve -b {small} --all-reveals {limit}")
        assert said.code == 0, said.err


def test_a_rank_is_the_place_in_canonical_order_from_1(satcal):
    every = satcal("solve Oct 6 --all --method diagram --format lines").out.splitlines()
    assert len(every) == 7
    ranked = [satcal(f"solve Oct 6 --rank {n} --format lines").out.strip() for n in range(1, 8)]
    assert ranked == every
    said = satcal("solve Oct 6 --rank 5")
    assert (said.code, said.out.splitlines()[0]) == (0, "2025-10-06, solution 5 of 7")
    assert said.out.count("solution") == 1
    beyond = satcal("solve Oct 6 --rank 8")
    assert (beyond.code, beyond.out) == (1, "")
    assert "2025-10-06 has 7 solutions; use --rank 1 to 7" in beyond.err
    assert satcal("solve Oct 6 --rank 1 --all").code == 2
