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

LINK = re.compile(r"""(?:src=|href=|from |import |import\(|URL\()["'](?!#)([^"'\s]+)["']""")
ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize(
    ("name", "most"), [("a-puzzle-a-day", 37_500), ("rhombus", 375_000), ("weekday", 875_000)]
)
def test_the_tilings_of_a_puzzle_are_a_small_file_and_its_counts_those_that_satcal_ships(
    edition: Path, name: str, most: int
) -> None:
    assert (edition / "data" / f"{name}.bin").stat().st_size <= most
    rows = (ROOT / "results" / "counts" / f"{name}.csv").read_text().splitlines()[1:]
    counts = json.loads((edition / "data" / f"{name}.year.json").read_text())
    assert counts == [row.split(",")[-2] for row in rows]


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


def test_every_link_is_relative_and_leads_to_a_file(edition: Path) -> None:
    for path in [*edition.glob("*.html"), *edition.glob("*.js"), *edition.glob("*.css")]:
        for link in set(links(path)) - {"docs"}:  # which is shown by a server only
            assert not re.match("[a-z]+:|/", link), f"{path.name}: {link}"
            assert (edition / link).exists(), f"{path.name}: {link}"


def own(folder: Path, name: str) -> str:
    """Write a puzzle of that name, and return its path."""
    path = folder / f"{name}.toml"
    path.write_text(
        f'name = "{name}"\nboard = "* * * * * *"\n[pieces]\nI = {{ shape = "###", copies = 2 }}\n'
    )
    return str(path)


def test_what_works_offline_is_everything_and_a_change_gives_it_another_name(
    edition: Path, tmp_path: Path
) -> None:
    def kept(folder: Path) -> dict[str, object]:
        return json.loads(re.search("KEPT = (.*?});", (folder / "offline.js").read_text())[1])

    files = {str(p.relative_to(edition)) for p in edition.rglob("*") if p.is_file()}
    assert set(kept(edition)["files"]) == files - {"offline.js"} | {"./"}
    for name in ("one", "two"):
        assert run(["site", str(tmp_path / name), "--board", own(tmp_path, name)]) == 0
    assert kept(tmp_path / "one")["version"] != kept(tmp_path / "two")["version"]


def test_the_same_puzzles_give_the_same_files(edition: Path, tmp_path: Path) -> None:
    boards = ("pentomino-3x20", "a-puzzle-a-day")
    assert run(["site", str(tmp_path), *(f"--board={board}" for board in boards)]) == 0
    shown = json.loads((tmp_path / "data" / "puzzles.json").read_text())
    assert shown["first"] == "pentomino-3x20" and not shown["served"]
    for board in boards:
        file = Path("data") / f"{board}.bin"
        assert (edition / file).read_bytes() == (tmp_path / file).read_bytes()


def test_without_a_board_the_library_is_written_and_the_default_board_is_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    monkeypatch.setattr("satcal.site.edition.write", lambda *given: asked.extend(given) or 0)
    assert run(["site", str(tmp_path)]) == 0
    assert set(asked[1]) == set(library())
    assert asked[2] == "a-puzzle-a-day"


def test_a_board_of_ones_own_comes_from_a_file_which_may_be_given_twice(tmp_path: Path) -> None:
    board = own(tmp_path, "mine")
    assert run(["site", str(tmp_path / "out"), "--board", board, "--board", board]) == 0
    assert (tmp_path / "out" / "data" / "mine.bin").stat().st_size == 1
    assert not (tmp_path / "out" / "data" / "mine.year.json").exists()


def test_a_folder_with_files_is_left_alone_unless_forced(tmp_path: Path, capfd) -> None:
    out, board = tmp_path / "out", ["--board", own(tmp_path, "mine")]
    out.mkdir()
    (out / "notes.txt").write_text("kept")
    assert run(["site", str(out), *board]) == 2
    assert "is not empty" in capfd.readouterr().err
    assert run(["site", str(out), *board, "--force"]) == 0
    assert (out / "notes.txt").read_text() == "kept"
    assert run(["site", str(out / "notes.txt"), *board]) == 2


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
    boards = [f"--board={own(tmp_path, name)}" for name in names]
    assert run(["site", str(tmp_path / "out"), *boards, "--board=tetromino"]) == 2
    assert words in capfd.readouterr().err
    assert not (tmp_path / "out").exists()


def test_another_edition_takes_its_place_and_leaves_what_is_not_its_own(tmp_path: Path) -> None:
    out, one, two = tmp_path / "out", own(tmp_path, "one"), own(tmp_path, "two")
    assert run(["site", str(out), "--board", one, "--board", two]) == 0
    (out / "data" / "notes.json").write_text("kept")
    assert run(["site", str(out), "--board", two, "--force"]) == 0
    left = {path.name for path in (out / "data").iterdir()}
    assert left == {"puzzles.json", "two.json", "two.bin", "notes.json"}
    outside = tmp_path / "outside.json"
    outside.write_text("kept")
    (out / "data" / "puzzles.json").write_text('{"puzzles": [{"name": "../../outside"}, {}]}')
    assert run(["site", str(out), "--board", one, "--force"]) == 0
    assert outside.exists() and (out / "data" / "two.bin").exists()


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
