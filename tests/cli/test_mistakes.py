"""What users get wrong, what satcal says to it, and its exit code."""

from __future__ import annotations

import pytest

COMMANDS = [
    # which command, which option
    ("cuont", "No such command 'cuont'"),
    ("count --bord rhombus", "No such option '--bord'"),
    ("count --method sat2", "Invalid value for '--method'"),
    ("count --jobs 0", "Invalid value for '--jobs'"),
    ("count --time-limit soon", "Invalid value for '--time-limit'"),
    ("count --verify some", "--verify 'some': use a number of dates, all, or 0"),
    ("count --method sat --encoding plane", "no encoding 'plane'; the encodings are plain, "),
    ("count --method sat --encoding plane", "did you mean 'plain'?"),
    ("count --method sat --solver cadical", "no solver 'cadical'; the solvers are cadical103, "),
    ("count --method sat --solver kissat404", "solver kissat404 is not incremental"),
    (
        "count --method sat --solver cadical195 --conflicts 9",
        "solver cadical195 takes no conflict budget",
    ),
    (
        "count --method sat --encoding native --solver glucose4",
        "solver glucose4 takes no native constraints",
    ),
    ("verify --methods sat", "--methods sat: give at least two of"),
    ("verify --methods sat,cat", "no method 'cat'"),
    ("count --memory-limit lots", "'lots' is not a size; write it as 500M or 2G"),
    ("verify --method sat", "verify compares methods: use --methods with at least two"),
    ("solve --random --all", "--random draws one tiling; leave out --all"),
    ("solve --jobs 2", "No such option"),
    ("solve --cluster local", "No such option"),
    ("solve --limit 0", "Invalid value for '--limit'"),
    # which board
    ("count --board rombus", "no board 'rombus' in the library and no file of that name"),
    ("count --board rombus", "did you mean 'rhombus'?"),
    ("count --board no/such.toml", "board no/such.toml: no such file"),
    ("count --board .", "puzzle puzzle.txt: No such file"),
    ("count --pieces nothing", "no pieces 'nothing' in the library"),
    ("count --pieces rhombus", "the area does not add up: 41 cells remain to be covered"),
    ("count --flip Q", "flip: a-puzzle-a-day has no piece 'Q'"),
    ("show rhombus --board weekday", "BOARD 'rhombus' and --board 'weekday' differ"),
    ("show rhombus --board a-puzzle-a-day", "BOARD 'rhombus' and --board 'a-puzzle-a-day' differ"),
    # which dates
    ("count --date 2025-02-29", "Feb 2025 has 28 days, there is no day 29"),
    ("count --date 25.12.2025", "--date '25.12.2025' is not a date; write it as 2025-12-25"),
    ("count --date 2025-13-01", "there is no month with that number"),
    ("count --date 0000-01-01", "use a year from 1 to 9999"),
    ("count --month 2025-13", "--month '2025-13' is not a month"),
    ("count --year 0", "--year 0: use a year from 1 to 9999"),
    ("count --year 10000", "--year 10000: use a year from 1 to 9999"),
    ("count --year last", "Invalid value for '--year'"),
    ("count --from 2025-01-01", "--from and --to belong together"),
    ("count --from 2025-02-01 --to 2025-01-01", "--from 2025-02-01 is after --to 2025-01-01"),
    ("count --year 2025 --all-dates", "--year and --all-dates exclude each other"),
    ("count --reveal Oct", "no label of the category day"),
    ("count --reveal Oct,6,7", "'6' and '7' are both of the category day"),
    ("count --reveal Okt,6", "has no label 'Okt'; did you mean 'Oct'?"),
    ("count -b pentomino-6x10 --year 2025", "this puzzle has no dates"),
    ("count -b pentomino-6x10 --all-dates", "use --reveal or --all-reveals"),
    # what is placed
    ("solve --place Q@r0c0", "has no piece 'Q'"),
    ("solve --place N@c0r0", "'c0r0' is not a cell; write row and column as r2c3"),
    ("solve --place N@r0c6", "r0c6 is not a cell of a-puzzle-a-day"),
    ("solve --place N:r0c0,r0c1", "these 2 cells are no orientation of the piece N"),
    ("solve --date 2025-12-25 --place N@r1c5", "r1c5 is Dec, which this reveal leaves uncovered"),
    ("solve --place N@r0c0 --place P@r0c0", "r0c0 is asked of N and of P"),
    ("solve --place @nowhere.txt", "partly filled board nowhere.txt: No such file"),
    ("solve --place hello", "partly filled board: 1 row, but a-puzzle-a-day has 7"),
]


@pytest.mark.parametrize(("command", "message"), COMMANDS)
def test_a_mistake_on_the_command_line_is_exit_2_with_a_way_out(
    satcal, tmp_path, monkeypatch, command, message
):
    monkeypatch.chdir(tmp_path)
    said = satcal(*command.split())
    assert message in " ".join(said.err.split())
    assert said.code == 2
    assert said.out == ""


FILES = [
    (("board = ", "bord = "), "unknown key 'bord'; did you mean 'board'?"),
    (("a b *", "a c *"), "cell r0c1: label 'c' is in no category"),
    (("a b *", "a a *"), "label 'b' has no cell on the board"),
    (("* * *", "* * b"), "label 'b' stands on cells that do not touch (r0c1, r1c2)"),
    (("* * *", "* *"), "row 1 has 2 entries, row 0 has 3"),
    (('["a", "b"]', '["a", "b", "b"]'), "label 'b' is already in letter"),
    (('["a", "b"]', '"ab"'), "[categories] letter: write a list of labels"),
    (("##\n#.", "#.\n.#"), "piece V: its squares do not hang together by edges"),
    (("##\n#.", "..\n.."), "piece V: it has no square; draw it with '#'"),
    (("##\n#.", "##\n#x"), "piece V: row 1 of its drawing has 'x'"),
    (("##\n#.", "##\n##"), "the area does not add up: 5 cells remain to be covered"),
    (("V =", "VV ="), "piece 'VV': a name is a letter"),
    (('V = """\n##\n#.\n"""', "V = 3"), "piece V: write a drawing"),
    (("letter =", "tilings ="), "[categories] tilings: tables have a column of that name"),
    (("[pieces]", "[pieces"), "not valid TOML"),
    (("[pieces]", "[pieces]\n[calendar]\n"), "is missing or empty"),
]


@pytest.mark.parametrize(("change", "message"), FILES)
def test_a_mistake_in_a_puzzle_file_names_the_file_the_place_and_the_way_out(
    satcal, tmp_path, monkeypatch, small_text, change, message
):
    monkeypatch.chdir(tmp_path)
    assert change[0] in small_text
    (tmp_path / "small.toml").write_text(small_text.replace(*change))
    said = satcal("count", "--board", "small.toml", "--all-reveals")
    assert message in said.err
    assert "small" in said.err
    assert said.code == 2


def test_a_file_that_is_no_text_or_far_too_large_is_refused(
    satcal, tmp_path, monkeypatch, small_text
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "latin.toml").write_bytes(
        small_text.replace("letter", "m\xe9tier").encode("latin-1")
    )
    assert "line 8 is not UTF-8 text" in satcal("count", "-b", "latin.toml").err
    (tmp_path / "large.toml").write_text("#" * 300_000)
    said = satcal("count", "-b", "large.toml")
    assert "larger than 262144 bytes" in said.err
    assert said.code == 2
