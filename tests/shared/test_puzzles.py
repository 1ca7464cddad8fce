"""Puzzle files: Python's reader and the page's give one verdict, one normal form and one count."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings

from helpers.commands import ask_node
from oracle import Small, small_puzzles, truth
from satcal.errors import InputError
from satcal.published.shipped import shipped_counts
from satcal.puzzle.loading import library, library_text, load, parse_puzzle
from satcal.puzzle.writing import to_toml
from satcal.site.edition import puzzle_json
from satcal.site.page import calendar_names, drawing_data

FOLDER = Path(__file__).parent
BASE = '''\
name = "small"
board = """
Jan Feb Mar .
1   2   *   *
*   *   *   .
"""
[categories]
month = ["Jan", "Feb", "Mar"]
day = ["1", "2"]
[pieces]
I = "###"
L = { shape = """
#.
##
""", copies = 1, flip = false }
D = { shape = "##", copies = 1 }
'''
DATED = ("a-puzzle-a-day", "month-7x5")
CALENDARS = ("a-puzzle-a-day", "rhombus", "weekday")


def unescape(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), text)


def read_cases() -> list[tuple[str, int, str]]:
    """Return the place and the line of a fault ("-" and 0 for a good file), and the file."""
    cases = [("-", 0, library_text(name)) for name in library()]
    for row in (FOLDER / "puzzles.tsv").read_text("utf-8").splitlines():
        place, line, edits = row.split("\t", 2)
        text = BASE
        for edit in edits.split(";;"):
            old, new = map(unescape, edit.split("\t"))
            assert old in text, row
            text = text.replace(old, new)
        cases.append((place, int(line), text))
    return cases


CASES = read_cases()


def ask_page(**questions: list) -> dict[str, list]:
    """Return what the modules of the page answer."""
    known = {"drawing": drawing_data(), "calendarNames": calendar_names()}
    return ask_node(FOLDER / "puzzles.mjs", {"files": [], "counted": [], **known, **questions})


def verdict(text: str) -> str:
    """Return what Python says of a file, without its name; "" if it is good."""
    try:
        parse_puzzle(text, "puzzle.toml")
    except InputError as error:
        return str(error).removeprefix("puzzle.toml: ")
    return ""


@pytest.mark.parametrize("number", range(len(CASES)))
def test_python_finds_the_fault_of_a_file(number):
    place, line, text = CASES[number]
    fault = verdict(text)
    if place == "-":
        assert fault == ""
    elif place == "not valid TOML":
        assert re.match(rf"not valid TOML: .*(at line {line},|end of document)", fault), fault
    elif place == "keys":
        assert fault.startswith("a key has more than 16 parts")
    else:
        assert fault.startswith(place), fault


def test_the_page_finds_the_same_faults_and_writes_the_same_files():
    page = ask_page(files=[text for *_, text in CASES])
    for (place, line, text), found in zip(CASES, page["found"], strict=True):
        if place != "-":
            assert (found.get("place"), found.get("line")) == (place, line), (text, found)
            continue
        puzzle = parse_puzzle(text, "puzzle.toml")
        assert "puzzle" in found, (text, found)
        assert found["normal"] == puzzle.normal_form()
        assert found["written"] == to_toml(puzzle)
        described = json.loads(puzzle_json(puzzle, "own"))
        assert {**found["puzzle"], "difficulty": ""} == {**described, "difficulty": ""}
        calendar = found["puzzle"]["calendar"]
        assert found["read"] == [found["normal"], puzzle.title, calendar]
        named = re.sub('name = ".*"', 'name = "own"', found["normal"], count=1)
        assert found["linked"] == [named, puzzle.title or puzzle.name, calendar]
        assert found["link"] <= 2000
        if puzzle.name in CALENDARS:
            assert found["short"] <= 300


def test_the_page_counts_all_reveals_of_small_puzzles_and_of_boards():
    smalls: list[Small] = []

    @settings(max_examples=40)
    @given(small_puzzles())
    def draw(small: Small) -> None:
        smalls.append(small)

    draw()
    boards = [load(name) for name in DATED]
    puzzles = [*boards, *(small.load() for small in smalls)]
    known = [*map(shipped_counts, boards), *map(truth, smalls)]
    page = ask_page(counted=[json.loads(puzzle_json(each, "x")) for each in puzzles])
    for puzzle, counts, expected in zip(puzzles, page["counts"], known, strict=True):
        assert counts == [str(expected[reveal]) for reveal in puzzle.reveals()], puzzle
