"""The folder that `satcal site` writes: plain files, small, and the same on every machine."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from programs import need

from satcal.cli.main import run
from satcal.puzzle.loading import library, load
from satcal.site.edition import STATIC

MOST = {"a-puzzle-a-day": 0.15e6, "rhombus": 1.5e6, "weekday": 3.5e6, "weekday-monday": 3.5e6}
"""Bytes that a browser may have to load for the tilings of a puzzle."""
LINK = re.compile(r"""(?:src=|href=|from |import |import\(|URL\()["'](?!#)([^"'\s]+)["']""")
ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize(("name", "most"), MOST.items())
def test_the_tilings_of_a_puzzle_are_a_small_file(edition: Path, name: str, most: float) -> None:
    assert (edition / "data" / f"{name}.bin").stat().st_size <= most / 4


def links(path: Path) -> list[str]:
    return [link.partition("?")[0].partition("#")[0] for link in LINK.findall(path.read_text())]


def test_the_first_board_needs_few_bytes(edition: Path) -> None:
    needed = {edition / "data" / "rhombus.json", edition / "data" / "puzzles.json"}
    new = {edition / "index.html"}
    while new:
        needed |= new
        found = {edition / link for path in new if path.suffix != ".css" for link in links(path)}
        new = {path for path in found - needed if path.suffix in (".js", ".css", ".svg")}
    assert {"app.js", "worker.js", "style.css"} <= {path.name for path in needed}
    assert sum(path.stat().st_size for path in needed) <= 150_000


def test_a_puzzle_is_described_by_numbers_of_cells(edition: Path) -> None:
    puzzle, described = load("rhombus"), json.loads((edition / "data" / "rhombus.json").read_text())
    assert [(c["row"], c["column"]) for c in described["cells"]] == list(puzzle.cells)
    assert sorted(described["order"]) == list(range(len(puzzle.cells)))
    for text, cells in described["labels"].items():
        assert [puzzle.cells[cell] for cell in cells] == list(puzzle.labels[text].cells)
    assert described["calendar"]["weekday"][0] == "Mon"
    pieces = {piece["name"]: piece["orientations"] for piece in described["pieces"]}
    assert pieces["X"] == [[[0, 1], [1, 0], [1, 1], [1, 2], [2, 1]]]


def test_the_table_of_a_year_is_the_one_that_satcal_ships(edition: Path) -> None:
    for name in MOST:
        rows = (ROOT / "results" / "counts" / f"{name}.csv").read_text().splitlines()[1:]
        counts = json.loads((edition / "data" / f"{name}.year.json").read_text())
        assert counts == [row.split(",")[-2] for row in rows]


def test_every_link_is_relative_and_leads_to_a_file(edition: Path) -> None:
    for path in [*edition.glob("*.html"), *edition.glob("*.js"), *edition.glob("*.css")]:
        for link in set(links(path)) - {"docs"}:  # which is shown by a server only
            assert not re.match("[a-z]+:|/", link), f"{path.name}: {link}"
            assert (edition / link).exists(), f"{path.name}: {link}"


def test_what_works_offline_is_everything_and_a_change_gives_it_another_name(
    edition: Path, tmp_path: Path
) -> None:
    def kept(folder: Path) -> dict[str, object]:
        return json.loads(re.search("KEPT = (.*?});", (folder / "offline.js").read_text())[1])

    files = {str(p.relative_to(edition)) for p in edition.rglob("*") if p.is_file()}
    assert set(kept(edition)["files"]) == files - {"offline.js"} | {"./"}
    for board in ("tetromino", "jarring-words"):
        assert run(["site", str(tmp_path / board), "--board", board]) == 0
    assert kept(tmp_path / "tetromino")["version"] != kept(tmp_path / "jarring-words")["version"]


def test_the_same_puzzles_give_the_same_files(edition: Path, tmp_path: Path) -> None:
    assert run(["site", str(tmp_path), "--board", "tetromino", "--board", "a-puzzle-a-day"]) == 0
    shown = json.loads((tmp_path / "data" / "puzzles.json").read_text())
    assert shown["first"] == "tetromino" and not shown["served"]
    files = list((tmp_path / "data").glob("*.bin"))
    assert len(files) == 2
    for path in files:
        assert (edition / "data" / path.name).read_bytes() == path.read_bytes()


def test_without_a_board_the_library_is_written_and_the_default_board_is_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    monkeypatch.setattr("satcal.site.edition.write", lambda *given: asked.extend(given) or 0)
    assert run(["site", str(tmp_path)]) == 0
    assert set(asked[1]) == set(library())
    assert asked[2] == "a-puzzle-a-day"


def test_a_board_of_ones_own_comes_from_a_file(tmp_path: Path) -> None:
    board = tmp_path / "mine.toml"
    board.write_text(
        'name = "mine"\nboard = """\n* * *\n* * *\n"""\n[pieces]\nI = "###"\nJ = "###"\n'
    )
    assert run(["site", str(tmp_path / "out"), "--board", str(board)]) == 0
    assert (tmp_path / "out" / "data" / "mine.bin").stat().st_size == 1
    assert not (tmp_path / "out" / "data" / "mine.year.json").exists()


def test_a_folder_with_files_is_left_alone_unless_forced(tmp_path: Path, capfd) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("kept")
    asked = ["site", str(out), "--board", own(tmp_path, "six")]
    assert run(asked) == 2
    assert "is not empty" in capfd.readouterr().err
    assert run([*asked, "--force"]) == 0
    assert (out / "mine.txt").read_text() == "kept"
    assert run(["site", str(out / "mine.txt")]) == 2


def own(folder: Path, name: str, board: str = "* * * * * *") -> str:
    """Write a puzzle of that name, and return its path."""
    path = folder / f"{len(list(folder.iterdir()))}.toml"
    path.write_text(
        f'name = "{name}"\nboard = "{board}"\n[pieces]\nI = {{ shape = "###", copies = 2 }}\n'
    )
    return str(path)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("a b", "a-b"), "puzzles 'a b' and 'a-b' would both be a-b"),
        (("puzzles",), "a puzzle cannot be called 'puzzles'"),
        (("more",), "a puzzle cannot be called 'more'"),
        (("posted-x",), "a puzzle cannot be called 'posted-x'"),
    ],
)
def test_no_board_takes_the_place_of_another_one_or_of_the_pages_own(
    tmp_path: Path, capfd, names: tuple[str, ...], words: str
) -> None:
    boards = [part for name in names for part in ("--board", own(tmp_path, name))]
    assert run(["site", str(tmp_path / "out"), *boards, "--board", "tetromino"]) == 2
    assert words in capfd.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_board_may_be_given_twice(tmp_path: Path) -> None:
    path = own(tmp_path, "mine")
    assert run(["site", str(tmp_path / "out"), "--board", path, "--board", path]) == 0


def test_another_edition_takes_its_place_and_leaves_what_is_not_its_own(tmp_path: Path) -> None:
    out, board = tmp_path / "out", own(tmp_path, "mine")
    assert run(["site", str(out), "--board", "tetromino", "--board", board]) == 0
    (out / "data" / "notes.json").write_text("kept")
    assert run(["site", str(out), "--board", board, "--force"]) == 0
    left = {path.name for path in (out / "data").iterdir()}
    assert left == {"puzzles.json", "mine.json", "mine.bin", "notes.json"}
    (out / "data" / "puzzles.json").write_text('{"puzzles": [{"name": "../../0"}, {}]}')
    assert run(["site", str(out), "--board", "tetromino", "--force"]) == 0
    assert Path(board).exists() and (out / "data" / "mine.bin").exists()


def test_the_units_of_the_page_do_what_their_tests_say() -> None:
    need("node")
    tests = sorted(map(str, Path(__file__).parent.glob("*.test.js")))
    done = subprocess.run(
        ["node", "--test", *tests], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout


def test_the_page_is_not_longer_than_it_should_be() -> None:
    kinds, templates = (".js", ".css", ".html"), ROOT / "satcal" / "service" / "html"
    files = [p for p in [*STATIC.iterdir(), *templates.iterdir()] if p.suffix in kinds]
    assert sum(len(path.read_text().splitlines()) for path in files) <= 3000
