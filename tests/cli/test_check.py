"""``satcal check``: no number without its puzzle, which satcal names or draws."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from helpers.certificates import FIVE, five_made, taken_apart
from satcal.certificates.certify import make_certificate
from satcal.cli.check import write_proof
from satcal.errors import BudgetExhausted
from satcal.puzzle.loading import load, parse_puzzle

VECTORS = Path(__file__).parents[1] / "proof" / "vectors"


@cache
def october():
    """Return a certificate of a library board."""
    return make_certificate(load("a-puzzle-a-day"), [("Oct", "6")])[0]


@pytest.fixture(autouse=True)
def files(tmp_path, folder):
    """Certificates of a library board, of a puzzle of one's own, and forged ones."""
    (tmp_path / "five.toml").write_text(FIVE)
    (tmp_path / "oct.satcert").write_bytes(october())
    (tmp_path / "five.satcert").write_bytes(five_made("a1", "a3"))
    file = taken_apart(five_made("a1"))
    forged = file.with_group(tokens=file.groups[0].tokens[:-1])
    (tmp_path / "forged.satcert").write_bytes(forged.written())
    renamed = replace(file, text=file.text.replace('"five"', '"a-puzzle-a-day"'))
    (tmp_path / "renamed.satcert").write_bytes(renamed.written())


def test_a_puzzle_that_the_library_does_not_have_is_drawn_whatever_it_calls_itself(run):
    answer = run("check renamed.satcert")
    lines = answer.out.splitlines()
    assert answer.code == 0
    assert [line.strip() for line in lines if "a-puzzle-a-day" in line] == [
        '| calls itself "a-puzzle-a-day"'
    ]
    digest = parse_puzzle(FIVE, "five").digest[:32]
    assert f"  puzzle {digest}: a 1: exactly 29 tilings" in lines
    assert "  | 1 * * * *" in lines


def test_a_question_that_a_board_cannot_answer_leaves_its_certificate_checked(run):
    answer = run("check five.satcert -b five.toml --date today")
    assert answer.code == 2
    assert "five.satcert: accepted: " in answer.err
    assert "not checked" not in answer.err


def test_a_board_that_is_named_has_to_be_the_puzzle(run):
    named = run("check five.satcert -b five.toml").out
    reveals = len(list(parse_puzzle(FIVE, "five").reveals()))
    assert f": 2 of {reveals} reveals, 34 tilings" in named
    assert "five: a 1: exactly 29" in named
    answer = run("check renamed.satcert -b a-puzzle-a-day --reveal Oct,6 --quiet")
    assert answer.code == 1
    assert "another puzzle" in answer.out
    assert "29" not in answer.out


def test_the_requested_reveals_alone_are_listed_and_have_to_be_proved(run):
    answer = run("check five.satcert -b five.toml --reveal a,3 -q")
    assert answer.out.splitlines()[1:] == ["  five: a 3: exactly 5 tilings"]
    answer = run("check five.satcert -b five.toml --reveal e,1")
    assert (answer.code, "e 1" in answer.out) == (1, True)
    assert "Oct 6: exactly 7" in run("check oct.satcert --date 2026-10-06").out


@pytest.mark.parametrize(("most", "more"), [(1, True), (2, False)])
def test_a_long_report_says_how_many_reveals_it_leaves_out(run, monkeypatch, most, more):
    monkeypatch.setattr("satcal.certificates.checking.MAX_LINES", most)
    assert ("and 1 more" in run("check five.satcert").out) == more


@pytest.mark.parametrize("beyond", ["a.satcert", "z.satcert"])  # before and after the refused one
def test_a_refused_one_is_exit_1_and_the_others_are_still_checked(run, tmp_path, beyond):
    (tmp_path / beyond).write_bytes((VECTORS / "beyond-placements.satcert").read_bytes())
    answer = run("check .")
    heads = [line.split(": ") for line in answer.out.splitlines() if line[0] != " "]
    verdicts = {name.partition(".")[0]: verdict for name, verdict, *_ in heads}
    expected = {"five": "accepted", "forged": "refused", "oct": "accepted", "renamed": "accepted"}
    assert (answer.code, verdicts) == (1, expected | {beyond[0]: "not checked"})
    answer = run(f"check {beyond} oct.satcert")
    first, second = (line for line in answer.out.splitlines() if line[0] != " ")
    assert (answer.code, first.partition(": ")[2].partition(":")[0]) == (2, "not checked")
    assert second.startswith("oct.satcert: accepted: a-puzzle-a-day: ")


@pytest.mark.parametrize(
    ("options", "code", "word"),
    [
        ("--checker cake_lpr", 4, "cake_lpr"),
        ("--checker verified", 4, "satcal-verified"),
        ("--proof lrat", 2, "--reveal"),
    ],
)
def test_without_a_verdict_the_exit_code_says_why(refused, monkeypatch, options, code, word):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("SATCAL_VERIFIED", "/nowhere")
    refused(f"check five.satcert {options}", code, word)


def test_nothing_in_the_name_of_a_file_can_imitate_a_report(run, tmp_path):
    path = tmp_path / "x\noct.satcert: accepted"
    path.write_bytes((tmp_path / "oct.satcert").read_bytes())
    assert run("check", str(path)).out.startswith(f"{str(path)!r}: accepted")


def test_labels_that_are_written_from_right_to_left_are_isolated(run, tmp_path):
    puzzle = parse_puzzle(FIVE.replace("a b c", "א b c").replace('"a"', '"א"'), "odd")
    (tmp_path / "odd.satcert").write_bytes(make_certificate(puzzle, [("א", "1")])[0])
    assert "\u2068א\u2069 1: exactly 29" in run("check odd.satcert").out


@pytest.mark.parametrize("form", ["lrat", "drup"])
def test_a_proof_is_written_for_sat_checkers(run, tmp_path, form):
    line = f"check five.satcert -b five.toml --reveal a,3 --proof {form} -q"
    assert run(line).code == 0
    assert "\np cnf " in (tmp_path / "five.cnf").read_text()
    assert (tmp_path / f"five.{form}").stat().st_size > 1000
    assert run(line).code == 2  # it exists


def test_a_proof_is_held_to_the_time(tmp_path):
    limits = {"memory": 2**30, "seconds": -1.0}  # over, with the time to report progress too
    with pytest.raises(BudgetExhausted, match="not fully written in time; raise --time-limit"):
        write_proof(VECTORS / "good-dominoes.satcert", (), "lrat", False, **limits)
    assert not list(tmp_path.glob("good-dominoes.*"))


def test_a_file_cannot_draw_a_verdict(run):
    vector = VECTORS / "good-imitation.satcert"
    head, *lines, size = run("check", str(vector)).out.splitlines()
    assert head.startswith(f"{vector}: accepted: puzzle ")
    assert "a-puzzle-a-day" in "".join(lines)
    assert all(line.startswith(("  | ", "  puzzle ")) and len(line) <= 78 for line in lines)
    assert "checked by satcal" in size
