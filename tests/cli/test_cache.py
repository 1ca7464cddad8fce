"""``satcal cache``: what is kept is said and removed, and needed by nobody."""

import json

BOARD = "pentomino-3x20"


def test_info_names_the_boards_of_the_kept_diagrams_and_clear_removes_them(satcal, cache, small):
    assert satcal(f"count -q -b {small} --all-reveals --no-cache").code == 0
    assert satcal("cache info").out == f"{cache}: 0 diagrams, 0 bytes\n"
    for board in (BOARD, small):
        assert satcal(f"count -q -b {board} --all-reveals").code == 0
    sizes = {path.stat().st_size for path in cache.iterdir()}
    kept = json.loads(satcal("cache info --format json").out)
    assert {each["board"] for each in kept} == {BOARD, ""}
    assert {each["bytes"] for each in kept} == sizes
    said = satcal("cache info").out
    assert f"{cache}: 2 diagrams, {sum(sizes):,} bytes" in said
    assert "-: of a puzzle file" in said
    (cache / "of-somebody-else").touch()
    there = f"2 diagrams, {sum(sizes):,} bytes\n"
    assert satcal("cache clear --dry-run").out == f"to remove: {there}"
    assert satcal("cache clear").out == f"removed: {there}"
    assert [path.name for path in cache.iterdir()] == ["of-somebody-else"]


def test_a_diagram_that_cannot_be_removed_is_named(satcal, cache):
    (cache / "diagram-0.zip").mkdir()
    said = satcal("cache clear")
    assert said.code == 2
    assert "Is a directory" in said.err
    assert "diagram-0.zip" in said.err
