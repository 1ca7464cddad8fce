"""Golden files are what satcal writes, byte for byte, and what differs is named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from helpers.solvers import ENCODINGS_FOLDER
from satcal.files import compress, read_text
from tools import golden


def test_golden_files_and_their_manifest_are_byte_for_byte_what_satcal_writes() -> None:
    assert golden.update(ENCODINGS_FOLDER, check=True) == []


def test_the_folder_encodings_holds_data_and_never_a_python_file() -> None:
    files = [path for path in ENCODINGS_FOLDER.rglob("*") if path.is_file()]
    assert not any(path.suffix.startswith(".py") for path in files)
    assert 0 < sum(path.stat().st_size for path in files) < 1_500_000


def test_a_changed_golden_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, manifest = tmp_path, tmp_path / golden.MANIFEST
    shutil.copytree(ENCODINGS_FOLDER / golden.PUZZLES, folder / golden.PUZZLES)
    said_by_people = [
        {key: each[key] for key in ("board", "reveal", "encoding", "tilings")}
        for each in golden.entries(ENCODINGS_FOLDER)
        if each["board"] in ("two-L4", "dominoes-4x4")
    ]
    manifest.write_text(golden.manifest(said_by_people))
    assert len(golden.update(folder)) == len(said_by_people) + 1
    path = folder / "two-L4.plain.cnf.xz"
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
    assert capsys.readouterr().err.splitlines() == faults
    assert golden.main([str(folder)]) == 0
    assert golden.update(folder, check=True) == faults[-1:]  # a stranger is left where it is
