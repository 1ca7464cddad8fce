"""Golden files are what satcal writes, byte for byte, and what differs is named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from external import ENCODINGS_FOLDER, run

from satcal.encoding.decode import decode
from satcal.files import compress, read_text
from satcal.puzzle.loading import load
from tools import golden

ENTRIES = golden.entries(ENCODINGS_FOLDER)
SMALL = ("two-L4", "dominoes-4x4")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The small golden files anew, from a manifest that says only what people have to say."""
    shutil.copytree(ENCODINGS_FOLDER / golden.PUZZLES, tmp_path / golden.PUZZLES)
    keys = ("board", "reveal", "encoding", "tilings")
    entries = [{key: each[key] for key in keys} for each in ENTRIES if each["board"] in SMALL]
    (tmp_path / golden.MANIFEST).write_text(golden.manifest(entries))
    assert len(golden.update(tmp_path)) == len(entries) + 1
    return tmp_path


def test_golden_files_and_their_manifest_are_byte_for_byte_what_satcal_writes() -> None:
    assert len(ENTRIES) == 28
    assert golden.update(ENCODINGS_FOLDER, check=True) == []


def test_the_folder_encodings_holds_data_and_never_a_python_file() -> None:
    files = [path for path in ENCODINGS_FOLDER.rglob("*") if path.is_file()]
    assert not any(path.suffix.startswith(".py") for path in files)
    assert 0 < sum(path.stat().st_size for path in files) < 1_500_000


def test_without_determined_auxiliaries_clasp_over_counts_what_decoding_does_not(
    tmp_path: Path,
) -> None:
    formula, file = (
        tmp_path / "formula.cnf",
        ENCODINGS_FOLDER / "dominoes-4x4.card-totalizer.cnf.xz",
    )
    formula.write_text(read_text(file, "golden file", golden.MAX_GOLDEN))
    answer = run("clasp", "-n", "37", str(formula))
    assert answer.count("c Answer: ") == 37
    board = load(ENCODINGS_FOLDER / golden.PUZZLES / "dominoes-4x4.toml")
    assert len(decode(board, (), answer)) <= 36


def test_a_changed_golden_file_is_named_with_the_line_that_differs(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, manifest = folder / "two-L4.plain.cnf.xz", folder / golden.MANIFEST
    content = read_text(path, "golden file").replace("L4:r0c0", "L4:r9c9", 1)
    path.write_bytes(compress(path, content.encode()))
    (folder / "dominoes-4x4.plain.cnf.xz").unlink()
    (folder / "stranger.cnf").write_text("p cnf 0 0\n")
    manifest.write_text(manifest.read_text().rstrip())
    faults = [
        f"{path}: line 9 is 'c var 1 place L4:r9c9,r0c1,r0c2,r1c0', but satcal writes "
        "'c var 1 place L4:r0c0,r0c1,r0c2,r1c0'",
        f"{folder}/dominoes-4x4.plain.cnf.xz: it is missing",
        f"{manifest}: the line ends differ",
        f"{folder}/stranger.cnf: the manifest does not list it",
    ]
    assert golden.main([str(folder), "--check"]) == 1
    what_to_do = f"if this is meant: python -m tools.golden {folder}"
    assert capsys.readouterr().err.splitlines() == [*faults, what_to_do]
    assert golden.main([str(folder)]) == 0
    assert capsys.readouterr().err.splitlines() == faults
    assert golden.update(folder, check=True) == faults[-1:]  # a stranger is left where it is
