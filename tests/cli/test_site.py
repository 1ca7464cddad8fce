"""``satcal site``: which boards, into which folder or file."""

import json

import pytest

from satcal.puzzle.loading import library
from satcal.site import edition

OWN = '[pieces]\nI = { shape = "###", copies = 2 }\n'


@pytest.fixture
def boards(tmp_path):
    for name in ("one", "two", "a b", "a-b", "puzzles", "more", "own-x"):
        board = f'name = "{name}"\nboard = "* * * * * *"\n{OWN}'
        (tmp_path / f"{name.replace(' ', '_')}.toml").write_text(board)
    return tmp_path


def test_words_are_boards_in_their_order_and_only_force_replaces_a_folder(run, boards):
    line = "one.toml two.toml -o out"
    assert run(f"site {line} -q").code == 0
    puzzles = json.loads((boards / "out" / "data" / "puzzles.json").read_text())["puzzles"]
    assert [each["name"] for each in puzzles] == ["one", "two"]
    assert run(f"site {line} -q").code == 2
    assert run(f"site {line} -q --force").code == 0


def test_without_a_board_the_library_is_written_and_the_default_board_is_first(
    run, boards, monkeypatch
):
    arguments = []
    monkeypatch.setattr(edition, "build_site", lambda *given: arguments.extend(given) or 0)
    assert run("site -o out").code == 0
    assert set(arguments[1]) == set(library())
    assert arguments[2] == "a-puzzle-a-day"


def test_a_file_or_standard_output_holds_the_whole_page(run, boards):
    assert run("site one.toml -o today.html -q").code == 0
    page = (boards / "today.html").read_text()
    assert page.startswith("<!doctype html>") and page.rstrip().endswith("</html>")
    assert run("site one.toml -o -").out == page
    assert run("site one.toml -o today.html").code == 2


def test_with_proofs_every_reveal_of_a_board_has_a_certificate(run, boards):
    assert run("site small.toml -o without -q").code == 0
    assert not list((boards / "without").rglob("*.satcert"))
    assert run("site small.toml -o proved --proofs -q").code == 0
    trees = sorted((boards / "proved").rglob("*.satcert"))
    assert len(trees) == 2
    assert run("check", *map(str, trees)).code == 0
    kept = json.loads((boards / "proved" / "data" / "small.evidence.json").read_text())
    assert kept["trees"] == ["a", "b"]


@pytest.mark.parametrize(
    ("names", "word"),
    [("a_b.toml a-b.toml", "a-b"), *((f"{n}.toml", n) for n in ("puzzles", "more", "own-x"))],
)
def test_names_that_the_page_has_already_are_refused(boards, refused, names, word):
    refused(f"site {names} -o out", 2, word)
    assert not (boards / "out").exists()
