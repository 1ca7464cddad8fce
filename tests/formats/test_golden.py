from __future__ import annotations

import hashlib
import json
import re
import shutil
from pathlib import Path

import pytest
from external import ENCODINGS_FOLDER, run

from satcal.encoding.decode import decode
from satcal.files import read_text
from tools import golden

MANIFEST = json.loads((ENCODINGS_FOLDER / golden.MANIFEST).read_text())
ENTRIES = {each["file"]: each for each in MANIFEST["files"]}
ALL = [pytest.param(each, id=each.file) for each in golden.GOLDEN]


def kept(each: golden.Golden) -> str:
    return read_text(ENCODINGS_FOLDER / each.file, "golden file", golden.MAX_GOLDEN)


@pytest.fixture
def formula(request, tmp_path: Path) -> Path:
    path = tmp_path / "formula.cnf"
    path.write_text(kept(request.getfixturevalue("each")))
    return path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch) -> Path:
    """A copy of the small golden files, and no others."""
    small = tuple(each for each in golden.GOLDEN if each.board in ("two-L4", "dominoes-4x4"))
    monkeypatch.setattr(golden, "GOLDEN", small)
    shutil.copytree(ENCODINGS_FOLDER / golden.PUZZLES, tmp_path / golden.PUZZLES)
    assert golden.write(tmp_path) == [each.file for each in small]
    return tmp_path


@pytest.mark.parametrize("each", ALL)
def test_a_golden_file_and_its_manifest_entry_are_byte_for_byte_what_satcal_writes(each):
    content = kept(each)
    assert content == golden.text(ENCODINGS_FOLDER, each)
    assert ENTRIES[each.file] == golden.entry(each, content)
    assert ENTRIES[each.file]["sha256"] == hashlib.sha256(content.encode()).hexdigest()


def test_the_manifest_lists_just_the_files_of_the_folder():
    assert list(ENTRIES) == [each.file for each in golden.GOLDEN]
    assert golden.strangers(ENCODINGS_FOLDER) == []
    assert (ENCODINGS_FOLDER / golden.MANIFEST).read_text() == golden.manifest([*ENTRIES.values()])


def test_the_folder_encodings_holds_data_and_never_a_python_file():
    files = [path for path in ENCODINGS_FOLDER.rglob("*") if path.is_file()]
    assert files
    assert [path for path in files if path.suffix.startswith(".py")] == []
    assert sum(path.stat().st_size for path in files) < 1_500_000


@pytest.mark.parametrize(
    "each",
    [
        pytest.param(each, id=each.file)
        for each in golden.GOLDEN
        if not ENTRIES[each.file]["determined"]
    ],
)
def test_without_determined_auxiliaries_clasp_over_counts(each, formula):
    assert ENTRIES[each.file]["models"] is None
    said = run("clasp", "-q", "-n", str(each.tilings + 1), str(formula))
    assert re.search(rf"^c Models +: {each.tilings + 1}\+$", said, re.M)


def test_decoding_takes_what_clasp_over_counts_for_the_tilings_that_it_is(tmp_path):
    each = next(each for each in golden.GOLDEN if each.encoding == "card-totalizer")
    puzzle, reveal = golden.puzzle_and_reveal(ENCODINGS_FOLDER, each)
    path = tmp_path / "formula.cnf"
    path.write_text(kept(each))
    answer = run("clasp", "-n", "500", str(path))
    assert answer.count("\nc Answer: ") == 500
    assert len(decode(puzzle, reveal, answer)) <= each.tilings


def test_writing_golden_files_again_changes_nothing(folder):
    before = {path: path.read_bytes() for path in folder.glob("*.*")}
    assert golden.write(folder) == []
    assert {path: path.read_bytes() for path in folder.glob("*.*")} == before
    assert golden.main([str(folder), "--check"]) == 0


def test_a_changed_golden_file_is_named_with_the_line_that_differs(folder, capsys):
    path = folder / "two-L4.plain.cnf.xz"
    content = read_text(path, "golden file")
    path.write_bytes(golden.compress(path, content.replace("L4:r0c0", "L4:r9c9", 1).encode()))
    (folder / "dominoes-4x4.plain.cnf.xz").unlink()
    (folder / "stranger.cnf").write_text("p cnf 0 0\n")
    manifest = folder / golden.MANIFEST
    manifest.write_text(manifest.read_text().rstrip())
    assert golden.main([str(folder), "--check"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        f"{path}: line 9 is 'c var 1 place L4:r9c9,r0c1,r0c2,r1c0', but satcal writes "
        "'c var 1 place L4:r0c0,r0c1,r0c2,r1c0'",
        f"{folder}/dominoes-4x4.plain.cnf.xz: it is missing",
        f"{manifest}: the line ends differ",
        f"{folder}/stranger.cnf: it is in no line of GOLDEN; remove it or add it there",
        f"if this is meant: python -m tools.golden {folder}",
    ]
    assert golden.main([str(folder)]) == 0
    assert capsys.readouterr().out == (
        "wrote two-L4.plain.cnf.xz\nwrote dominoes-4x4.plain.cnf.xz\ndone\n"
    )
    assert (folder / "stranger.cnf").exists()


def test_a_folder_without_its_puzzles_is_an_error_and_not_a_crash(folder, capsys):
    shutil.rmtree(folder / golden.PUZZLES)
    assert golden.main([str(folder), "--check"]) == 2
    assert capsys.readouterr().err.startswith("error: no board 'two-L4' in the library")
