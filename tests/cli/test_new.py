"""`satcal new`: a puzzle file to start from, and variants of boards."""

from pathlib import Path

from satcal.puzzle.loading import library_text, load


def test_a_new_file_has_no_faults_and_explains_its_keys(run):
    assert run("new mine.toml").code == 0
    lines = Path("mine.toml").read_text().splitlines()
    keys = [number for number, line in enumerate(lines) if line.startswith(("name", "board", "["))]
    assert len(keys) >= 3
    assert all(lines[number - 1].startswith("#") for number in keys)
    assert run("show mine.toml").code == 0
    assert run("new -").out == Path("mine.toml").read_text()


def test_a_copy_of_a_board_is_its_file(run):
    assert run("new folder/mine.toml --from Rhombus").code == 0
    assert Path("folder/mine.toml").read_text() == library_text("rhombus")


def test_a_variant_is_a_board_like_any_other(run):
    line = "new hard.toml --from a-puzzle-a-day --pieces jarring-words --flip none"
    assert run(line).code == 0
    puzzle, expected = load("hard.toml"), load("jarring-words").with_flips("none")
    assert (puzzle.name, puzzle.digest) == ("hard", expected.digest)
    assert "jarring-words" in puzzle.title
    counted = run("count hard.toml Oct 6 --no-verify --format csv")
    assert counted.rows[0]["tilings"] == "0"
    assert run("new half.toml --from hard.toml --flip T,L").code == 0
    assert [piece.name for piece in load("half.toml").drawn if piece.flip] == ["T", "L"]


def test_pieces_come_from_a_file_of_pieces(run):
    Path("pieces.toml").write_text('[pieces]\nM = { shape = "#", copies = 41 }\n')
    assert run("new dots.toml --from a-puzzle-a-day --pieces pieces.toml").code == 0
    assert load("dots.toml").area == 41


def test_a_variant_is_one_of_the_default_board(run, monkeypatch):
    monkeypatch.setenv("SATCAL_BOARD", "rhombus")
    assert run("new mine.toml --flip none").code == 0
    assert len(load("mine.toml").cells) == 50
