"""The folder that `satcal site` writes: plain files, small, and the same on every machine."""

from __future__ import annotations

import html
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from helpers.programs import need
from helpers.waiting import PATIENCE
from satcal.analysis.difficulty import difficulties
from satcal.draw.theme import load_theme
from satcal.errors import FileTrouble, Stopped
from satcal.files import locking
from satcal.published.shipped import shipped_table
from satcal.puzzle.loading import library, load
from satcal.puzzle.model import Puzzle
from satcal.site.edition import build_site, data_files, puzzle_json
from satcal.site.evidence import evidence_json
from satcal.site.page import SENTENCES, SERVED, page_files
from satcal.site.single import one_file
from tools.difficulty import letter

LINK = re.compile(r"""(?:src=|href=|from |import |import\(|URL\()["'](?!#)([^"'\s]+)["']""")
ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize(("name", "most"), [("a-puzzle-a-day", 37_500), ("rhombus", 375_000)])
def test_tilings_are_a_small_file_and_counts_are_those_of_the_shipped_table(edition, name, most):
    assert (edition / "data" / f"{name}.bin").stat().st_size <= most
    rows = (ROOT / "results" / "counts" / f"{name}.csv").read_text().splitlines()[1:]
    counts = json.loads((edition / "data" / f"{name}.year.json").read_text())
    assert counts == [row.split(",")[-2] for row in rows]


def links(path: Path) -> list[str]:
    return [link.partition("?")[0].partition("#")[0] for link in LINK.findall(path.read_text())]


SERVERS = {"./prove.js", "./types.js", "./types-page.js"}
"""For a server, and for types."""


def test_every_link_is_relative_and_leads_to_a_file(edition):
    for path in [*edition.glob("*.html"), *edition.glob("*.js"), *edition.glob("*.css")]:
        for link in set(links(path)) - SERVERS:
            assert not re.match("[a-z]+:|/", link), f"{path.name}: {link}"
            assert (edition / link).exists(), f"{path.name}: {link}"


def write_puzzle(folder: Path, name: str) -> Puzzle:
    """Return a puzzle of that name from a file."""
    path = folder / f"{name}.toml"
    path.write_text(
        f'name = "{name}"\nboard = "* * * * * *"\n[pieces]\nI = {{ shape = "###", copies = 2 }}\n'
    )
    return load(path)


def build(folder: Path, *puzzles: Puzzle, **options: Any) -> None:
    named = {puzzle.name: puzzle for puzzle in puzzles}
    build_site(folder, named, puzzles[0].name, **options)


def test_what_works_offline_is_the_page_and_a_change_gives_it_another_name(edition, tmp_path):
    def kept(folder: Path) -> dict[str, object]:
        return json.loads(re.search("KEPT = (.*?});", (folder / "offline.js").read_text())[1])

    files = {p.name for p in edition.iterdir() if p.is_file()}
    pictures = {name for name in files if name.endswith((".png", ".txt"))}
    others = {name for name in files if re.match("sentences-(?!en)", name)}
    apart = pictures | others | {"offline.js", "404.html"}
    assert set(kept(edition)["files"]) == files - apart | {"./"}
    for name in ("one", "two"):
        build(tmp_path / name, write_puzzle(tmp_path, name))
    assert kept(tmp_path / "one")["version"] != kept(tmp_path / "two")["version"]


def test_a_host_chooses_languages_and_colours_which_reach_who_comes_again(tmp_path):
    puzzle, style = write_puzzle(tmp_path, "mine"), b":root { --frame: navy }"
    build(tmp_path / "plain", puzzle)
    build(tmp_path / "own", puzzle, languages=("es", "fr"), style=style)
    index = (tmp_path / "own" / "index.html").read_text()
    assert 'data-languages="es fr" lang="es"' in index
    assert 'data-text="undo">Atrás<' in index
    names = {path.name for path in (tmp_path / "own").glob("sentences-*.json")}
    parts = ("", "-more", "-make")
    assert names == {f"sentences-{each}{part}.json" for each in ("es", "fr") for part in parts}
    assert index.index("style.css") < index.index('href="own.css"')
    assert (tmp_path / "own" / "own.css").read_bytes() == style
    kept = [(tmp_path / each / "offline.js").read_text() for each in ("plain", "own")]
    assert '"own.css"' in kept[1]
    assert len({re.search('"version": "(.*?)"', each)[1] for each in kept}) == 2
    single = one_file({"mine": puzzle}, "mine", ("es",), style).decode()
    assert style.decode() in single and "sentences-en" not in single


@pytest.mark.parametrize(
    ("board", "aim"),
    [("tetromino", "everything but today's date"), ("pentomino-3x20", "all pieces")],
)
def test_a_single_file_says_which_board_it_is(board, aim):
    text = one_file({board: load(board)}, board).decode()
    assert f"<title>{load(board).title}</title>" in text
    about = re.search('name="description" content="(.*)">', text)[1]
    assert load(board).title in about and aim in about


def test_what_only_a_server_can_answer_is_not_written(edition):
    assert page_files().keys() >= SERVED
    assert not {path.name for path in edition.iterdir()} & SERVED


def test_modules_that_the_first_board_needs_are_preloaded(edition):
    named = set(re.findall('modulepreload" .*href="(.*)"', (edition / "index.html").read_text()))
    assert named >= {"game.js", "i18n.js"} and not named & {"app.js", "year.js"}


def test_the_sentences_of_the_table_are_in_the_page_before_any_script(edition):
    text = (edition / "index.html").read_text()
    named = re.findall(r'data-text="([\w-]+)"[^>]*>([^<]*)', text)
    sentences = json.loads((edition / "sentences-en.json").read_text())
    assert len(named) > 10 and ("undo", "Undo") in named
    for name, text in named:
        assert sentences[name] == html.unescape(text)


def test_only_a_theorem_is_called_proved(edition):
    assert json.loads((edition / "data" / "rhombus.evidence.json").read_text())["theorem"]
    assert not json.loads(evidence_json(load("pentomino-8x8")))["theorem"]
    weekday = json.loads(evidence_json(load("weekday")))
    rows = (ROOT / "results" / "counts" / "weekday.csv").read_text().splitlines()[1:]
    of = weekday["rows"] or [0] * len(rows)
    assert ["+".join(weekday["methods"][kind]) for kind in of] == [r.split(",")[-1] for r in rows]


def test_every_set_of_methods_of_the_shipped_tables_has_words():
    sets = {row.methods for name in library() for row in shipped_table(load(name)).values()}
    needed = {f"evidence-methods-{len(each)}" for each in sets}
    needed |= {f"method-{method}" for each in sets for method in each}
    assert needed <= set(SENTENCES["en"]["more"])


@pytest.mark.parametrize(
    ("name", "number"), [("a-puzzle-a-day", 4), ("tetromino", 3), ("rhombus", 1)]
)
def test_how_hard_a_day_is_equals_satcals_own_measure(name, number):
    puzzle = load(name)
    runs = re.findall(r"(\d+)(.)", json.loads(puzzle_json(puzzle, name))["difficulty"])
    letters = "".join(int(length) * letter for length, letter in runs)
    reveals = list(puzzle.reveals())
    assert len(letters) == len(reveals)
    some = reveals[:: len(reveals) // number]
    for each in difficulties(puzzle, some):
        assert letters[reveals.index(each.reveal)] == letter(each)


def test_a_board_that_is_not_satcals_own_has_no_words_of_difficulty(tmp_path):
    assert json.loads(puzzle_json(write_puzzle(tmp_path, "mine"), "mine"))["difficulty"] == ""


def test_the_same_puzzles_give_the_same_files(edition, tmp_path):
    boards = ("pentomino-3x20", "rhombus")
    build(tmp_path, *map(load, boards))
    shown = json.loads((tmp_path / "data" / "puzzles.json").read_text())
    assert shown["first"] == "pentomino-3x20" and not shown["served"]
    assert [each["digest"] for each in shown["puzzles"]] == [load(b).digest[:16] for b in boards]
    for board in boards:
        file = Path("data") / f"{board}.bin"
        assert (edition / file).read_bytes() == (tmp_path / file).read_bytes()


def test_the_preview_and_the_pictures_of_the_manifest_have_their_sizes(edition):
    manifest = json.loads((edition / "manifest.webmanifest").read_text())
    pictures = [each for each in manifest["icons"] if each["sizes"] != "any"]
    preview = {"src": "preview.png", "sizes": "1200x630"}
    for each in (preview, *pictures, *manifest["screenshots"]):
        with Image.open(edition / each["src"]) as picture:
            assert "x".join(map(str, picture.size)) == each["sizes"]


def test_a_folder_with_files_is_left_alone_unless_forced(tmp_path):
    out, board = tmp_path / "out", write_puzzle(tmp_path, "mine")
    out.mkdir()
    (out / "notes.txt").write_text("kept")
    with pytest.raises(FileTrouble, match="out"):
        build(out, board)
    build(out, board, force=True)
    assert (out / "notes.txt").read_text() == "kept"
    assert (out / "data" / "mine.bin").stat().st_size == 1
    assert not (out / "data" / "mine.year.json").exists()
    with pytest.raises(FileTrouble, match=r"notes\.txt"):
        build(out / "notes.txt", board)


def test_two_do_not_write_into_one_folder_at_a_time(tmp_path):
    out, board = tmp_path / "out", write_puzzle(tmp_path, "mine")
    with locking(out), pytest.raises(Stopped, match="out"):
        build(out, board)
    assert not out.exists()
    build(out, board)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.toml", "out"]


def test_others_are_told_where_the_preview_is_only_if_the_address_is_known(tmp_path):
    for address, there in ((None, ""), ("https://example.org/p", "https://example.org/p/")):
        out = tmp_path / f"out{len(there)}"
        build(out, write_puzzle(tmp_path, "mine"), address=address)
        text = (out / "index.html").read_text()
        assert f'<meta property="og:image" content="{there}preview.png">' in text
        assert ('<meta property="og:url"' in text) == bool(there)


def test_the_units_of_the_page_do_what_their_tests_say():
    need("node")
    tests = sorted(map(str, Path(__file__).parent.glob("*.test.mjs")))
    done = subprocess.run(
        ["node", "--test", *tests], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stdout


def test_the_colours_of_the_page_are_those_of_the_theme(edition):
    light, dark = (load_theme(name).background for name in ("light", "dark"))
    assert f"--background: light-dark({light}, {dark});" in (edition / "style.css").read_text()
    index = (edition / "index.html").read_text()
    assert re.findall('theme-color" content="(.*?)"', index) == [light, dark]
    manifest = json.loads((edition / "manifest.webmanifest").read_text())
    assert {manifest["background_color"], manifest["theme_color"]} == {light}
    assert not re.search("#[0-9a-f]{6}", (edition / "share.js").read_text())


def test_each_part_of_a_board_is_reported(monkeypatch, tmp_path):
    monkeypatch.setenv("SATCAL_CACHE", str(tmp_path))  # what is kept has no parts
    puzzle, told = load("tetromino"), []
    data_files({"one": puzzle}, "one", progress=lambda *step: told.append(step[:2]))
    assert len(told) > 2
    assert set(told) == {(0, 1)}
