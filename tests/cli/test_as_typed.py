"""What people type, each command in a fresh process; its numbers are those of results/counts."""

import contextlib
import datetime
import math
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from helpers.programs import need
from helpers.puzzles import TWO_EACH, write
from satcal.published.own_tables import results_folder, shipped_counts
from satcal.puzzle.calendar import MONTHS
from satcal.puzzle.loading import load

PUBLISHED = results_folder() / "published" / "today-puzzle-counts.csv"
TODAY = datetime.date.today()


@pytest.fixture
def typed(tmp_path):
    """Run a line in a folder of its own, without a store."""

    def run(line, **environment):
        return subprocess.run(
            [sys.executable, "-m", "satcal", *line.split()],
            cwd=tmp_path,
            env=os.environ | environment,
            capture_output=True,
            text=True,
            timeout=400,
            check=False,
        )

    return run


def shipped(board, *labels):
    puzzle = load(board)
    reveal = puzzle.reveal(labels)
    return shipped_counts(puzzle, [reveal])[reveal]


@pytest.mark.parametrize(
    ("line", "labels"),
    [
        ("count Dec 25", ("Dec", "25")),
        ("count --date Oct 6", ("Oct", "6")),
        ("count 12/25", ("Dec", "25")),
        ("count 25.12.", ("Dec", "25")),
        ("count 3-14", ("Mar", "14")),
        ("count 14 March 1985", ("Mar", "14")),
        ("count Feb 29", ("Feb", "29")),
        ("count --reveal Oct,6", ("Oct", "6")),
    ],
)
def test_one_date_is_one_line_with_its_rank(typed, line, labels):
    said = typed(f"{line} --format calendar")
    assert said.returncode == 0, said.stderr
    number = shipped("a-puzzle-a-day", *labels)
    (answer,) = said.stdout.splitlines()
    assert f" has {number:,} solutions, the " in answer
    assert answer.endswith(" of 366")
    assert len((said.stdout + said.stderr).splitlines()) <= 3


def left_on_screen(written, columns):
    """The lines that a terminal shows of what was written, when all that was live is gone."""
    lines, at = [""], 0
    for part in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|[\r\n]|[^\x1b\r\n]+", written):
        if part == "\n":
            at += 1
            lines += [""] * (at == len(lines))
        elif part == "\x1b[2K":
            lines[at] = ""
        elif part.endswith("A") and part.startswith("\x1b"):
            at -= int(part[2:-1] or 1)
        elif part[0] not in "\x1b\r":
            lines[at] += part
    while lines and not lines[-1]:
        lines.pop()
    return lines, sum(max(1, math.ceil(len(line) / columns)) for line in lines)


def on_a_terminal(line):
    """What a line writes to a terminal of 80 columns, stdout and stderr."""
    ours, theirs = pty.openpty()
    environment = os.environ | {"COLUMNS": "80", "TERM": "xterm-256color"}
    command = [sys.executable, "-m", "satcal", *line.split()]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment):
        os.close(theirs)
        written = b""
        with contextlib.suppress(OSError):  # Linux: the other end is closed
            while some := os.read(ours, 65536):
                written += some
    os.close(ours)
    return written.decode()


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("count Oct 6", "6 October has 7 solutions, the fewest of 366"),
        ("count rhombus Oct 6 2025", "Monday, 6 October 2025 has 437 solutions, the 1,253rd "),
        ("verify -b a-puzzle-a-day Oct 6", "6 October has 7 solutions, the fewest of 366"),
    ],
)
def test_a_date_prints_at_most_three_lines_on_a_terminal(line, answer):
    lines, rows = left_on_screen(on_a_terminal(line), 80)
    assert lines[0].startswith(answer)
    assert sum(line.startswith("checked: ") for line in lines) == 1
    assert rows <= 3


def test_the_fewest_of_all_is_said(typed):
    said = typed("count --date Oct 6 --format calendar -q")
    assert said.stdout == "6 October has 7 solutions, the fewest of 366\n"


def test_a_board_and_a_year_are_words(typed):
    said = typed("count rhombus 2026 -q")
    rows = [line.split(",") for line in said.stdout.splitlines()[1:]]
    assert len(rows) == 365
    for _, weekday, month, day, tilings, _ in rows[::60]:
        assert int(tilings) == shipped("rhombus", weekday, month, day)


def test_four_digits_are_a_year_and_the_answer_says_so(typed):
    said = typed("count 2512")
    assert said.stderr.startswith("a-puzzle-a-day, 2512: ")


def test_tomorrow_is_solved_and_a_board_shown(typed):
    tomorrow = TODAY + datetime.timedelta(1)
    said = typed("solve tomorrow")
    assert said.stdout.partition(",")[0] in (str(tomorrow), str(tomorrow + datetime.timedelta(1)))
    assert MONTHS[0] in typed("show rhombus").stdout


def test_pieces_and_cells_are_named_by_what_is_printed_on_them(typed):
    said = typed("hint Dec 25 --place U@Jan")
    assert (said.returncode, said.stderr) in ((0, ""), (1, ""))
    said = typed("count Dec 25 --place U")
    assert said.returncode == 2
    assert "no cell given; write U@Jan for one of its cells" in said.stderr


def test_a_piece_all_of_whose_cells_are_named_is_drawn(typed):
    one, other = (typed(f"hint 24 Dec --place V{at}15,22,29,30,31") for at in ":@")
    assert one.stdout == other.stdout
    assert one.returncode == 0


def test_a_board_without_dates_is_drawn_empty_and_next_week_is_seven_days(typed, tmp_path):
    (tmp_path / "two.toml").write_text(
        "board = '''\na b *\n* * *\n'''\n[categories]\nx = ['a', 'b']\n"
        "[pieces]\nI = '###'\nD = '##'\n"
    )
    said = typed("draw board two.toml -o two.svg")
    assert (said.returncode, (tmp_path / "two.svg").exists()) == (0, True)
    assert len(typed("count next week").stdout.splitlines()) == 1 + 7


def test_the_hardest_dates_come_first(typed):
    said = typed("count June --difficulty --sort guesses --format csv -q")
    rows = [line.split(",") for line in said.stdout.splitlines()]
    at = rows[0].index("guesses_mean")
    guesses = [float(row[at]) for row in rows[1:]]
    assert guesses == sorted(guesses, reverse=True) and len(set(guesses)) > 5
    assert typed("count June --sort guesses").returncode == 2


def test_a_proof_has_the_certificates_name_and_the_next_command(typed, tmp_path):
    typed("certify Apr 11 May 30 -o proof.satcert")
    said = typed("check proof.satcert --proof lrat")
    assert (said.returncode, "--date or --reveal" in said.stderr) == (2, True)
    said = typed('check proof.satcert --proof lrat --date "11 April"')
    assert said.returncode == 0
    assert "Apr 11: written; check it with cake_lpr proof.cnf proof.lrat\n" in said.stderr
    assert (tmp_path / "proof.lrat").stat().st_size > 1000


def test_the_fifth_solution_is_numbered_as_the_page_numbers_it(typed):
    said = typed("solve Oct 6 --rank 5")
    assert "solution 5 of 7\n" in said.stdout


def test_a_new_puzzle_and_a_table_with_wrong_rows(typed, tmp_path):
    assert typed("new mine.toml").returncode == 0
    assert typed("lint mine.toml").returncode == 0
    text = PUBLISHED.read_text().replace("Mar,3,39\n", "Mar,3,40\n")
    (tmp_path / "table.csv").write_text(text.replace("Jul,19,61\n", "Jul,19,60\n"))
    said = typed("claims table.csv --certify wrong")
    assert said.stdout == (
        "a-puzzle-a-day: 366 rows claimed, 2 are wrong: 3 March is 39, not 40; "
        "19 July is 61, not 60\n"
    )
    names = sorted(str(path.relative_to(tmp_path)) for path in Path(tmp_path, "wrong").iterdir())
    assert len(names) == 4
    proofs = [name for name in names if name.endswith(".satcert")]
    assert typed(f"check -q {' '.join(proofs)}").returncode == 0


def test_the_board_that_a_table_is_about_is_guessed_aloud(typed, tmp_path):
    path = PUBLISHED.parents[1] / "counts" / "jarring-words.csv"
    lines = [line.rpartition(",")[0] for line in path.read_text().splitlines()]
    (tmp_path / "theirs.csv").write_text("\n".join(lines[:40]))
    said = typed("claims theirs.csv")
    assert "are those of jarring-words; is that the board? Add -b jarring-words\n" in said.stderr
    assert "is that the board" not in typed("claims theirs.csv -b jarring-words").stderr


def test_two_dates_are_certified_as_the_table_has_them(typed):
    said = typed("certify Jul 4 Oct 31 -o two.satcert")
    for month, day in (("Jul", "4"), ("Oct", "31")):
        assert (
            f"{month} {day}: exactly {shipped('a-puzzle-a-day', month, day)} tilings" in said.stderr
        )
    assert typed("check two.satcert").stdout.startswith("two.satcert: accepted: a-puzzle-a-day")


def test_a_birthday_is_counted_on_every_calendar(typed):
    said = typed("birthday 14 March 1985")
    assert said.returncode == 0, said.stderr
    texts = dict(line.split(maxsplit=1) for line in said.stdout.splitlines()[1:])
    for board, *weekday in (("a-puzzle-a-day",), ("tetromino",), ("rhombus", "Thu")):
        number = f"{shipped(board, *weekday, 'Mar', '14'):,}"
        when = " on Thursday, 14 March 1985" if weekday else ""
        assert texts[board].startswith(f"{number} solutions{when}, the ")


def test_a_formula_is_counted_by_another_program(typed):
    need("clasp")
    said = typed("cross-check Oct 6 --with clasp")
    assert "\na-puzzle-a-day,Oct 6,ladder,7,clasp,agrees,7\n" in said.stdout
    assert said.stderr.endswith("1 of 1 program agrees\n")


def test_files_are_written_for_what_is_asked(typed, tmp_path):
    """A picture, a formula, a film, a report and the page; small boards, where any will do."""
    write(TWO_EACH, tmp_path / "small.toml")
    for line in (
        "draw tiling rhombus Oct 6 2025 -o tiling.svg",
        "export Oct 6 -o oct-6.cnf",
        "animate Oct 6 --frames 3 -o search.gif",
        "check-design small.toml -o report.html",
        "site -b small.toml -o page",
    ):
        said = typed(line)
        assert said.returncode == 0, (line, said.stderr)
    assert (tmp_path / "tiling.svg").read_text().startswith("<svg")
    assert "p cnf " in (tmp_path / "oct-6.cnf").read_text()
    with Image.open(tmp_path / "search.gif") as film:
        assert film.n_frames == 3
    assert "<svg" in (tmp_path / "report.html").read_text()
    assert (tmp_path / "page" / "index.html").is_file()


def test_what_the_environment_says_is_not_said_twice(typed):
    said = typed("count rhombus -b rhombus Oct 6 2026 -q", SATCAL_BOARD="weekday")
    assert f",{shipped('rhombus', 'Tue', 'Oct', '6')}," in said.stdout


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("count 3/4", "--date '3/4' could be Mar 4 or Apr 3; write the month as a word"),
        ("count 1225", "--date 1225: use a year from 1583 to 9999; did you mean Dec 25?"),
        ("count rhombu", "'rhombu' is neither a board nor a date; did you mean 'rhombus'?"),
        ("birthday March", "birthday 'March' is more than one day; write one day, such as "),
        ("claims --certify x", "--certify only applies to a table (FILE.csv)"),
        (
            "count 2026-11-23 to 2026-11-29",
            "2026-11-23 to 2026-11-29: write a range as --from 2026-11-23 --to 2026-11-29",
        ),
        ("count Oct 6..Oct 9", "Oct 6..Oct 9: write a range as --from 'Oct 6' --to 'Oct 9'"),
        (
            "count rhombus weekday May 7",
            "two boards, 'rhombus' and 'weekday'; give one of them; satcal birthday May 7 asks ",
        ),
        ("verify blog.csv", "blog.csv is a table, not a puzzle file; try satcal claims blog.csv"),
        ("check Jul 4 2026", "Jul 4 2026: no such file; write a date as --date 'Jul 4 2026'"),
        ("site rhombus -o page", "two folders, rhombus and page; give one of them; a board goes "),
        (
            "solve -o x.svg",
            "x.svg: end the file's name with .csv, .json, .ndjson, .md, or give --format; for a ",
        ),
    ],
)
def test_what_is_wrong_is_said_with_the_way_out(typed, line, message):
    said = typed(line)
    assert (said.returncode, said.stdout) == (2, "")
    assert said.stderr.startswith(f"satcal: error: {message}")


@pytest.mark.parametrize(
    ("line", "near"),
    [
        ("count --all", "Did you mean '--all-dates' or '--all-reveals'?"),
        ("count --bord rhombus", "Did you mean '--board'?"),
        ("boards --list", "No such option '--list'.\n"),
        ("print", "no command 'print'\n"),
    ],
)
def test_only_what_is_near_is_suggested(typed, line, near):
    said = typed(line)
    assert said.returncode == 2
    assert near in said.stderr


def test_the_fifth_solution_is_drawn_as_it_is_solved(typed):
    said = typed("draw tiling Oct 6 --rank 5")
    assert ", solution 5 of 7</title>" in said.stdout
    assert typed("draw tiling Oct 6 --rank 8").returncode == 1


def test_labels_of_a_board_without_dates_are_asked_with_reveal(typed, tmp_path):
    write(TWO_EACH, tmp_path / "small.toml")
    first, *_ = load(str(tmp_path / "small.toml")).labels
    said = typed(f"count small.toml {first}")
    assert f"its labels go with --reveal {first}" in said.stderr


def test_a_piece_on_two_labels_is_on_both(typed):
    both = typed("hint Oct 6 --place L@Jan,Feb").stdout
    assert both == typed("hint Oct 6 --place L@Jan --place L@Feb").stdout != ""


def test_the_page_says_how_far_it_is(typed, tmp_path):
    write(TWO_EACH, tmp_path / "small.toml")
    said = typed("site -b small.toml -b pentomino-3x20 -o page")
    assert said.stderr.startswith("writing puzzles: 0 of 2\n")
