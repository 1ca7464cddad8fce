"""Golden files are what satcal writes, byte for byte, and what differs is named."""

from __future__ import annotations

import shutil

from helpers.solvers import ENCODINGS_FOLDER
from satcal.files import compress, read_text
from tools import golden


def test_golden_files_and_their_manifest_are_byte_for_byte_what_satcal_writes():
    assert golden.update(ENCODINGS_FOLDER, check=True) == []


def test_the_folder_encodings_holds_data_and_never_a_python_file():
    files = [path for path in ENCODINGS_FOLDER.rglob("*") if path.is_file()]
    assert not any(path.suffix.startswith(".py") for path in files)
    assert 0 < sum(path.stat().st_size for path in files) < 1_500_000


def test_a_changed_golden_file_is_named(tmp_path, capsys):
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
    faulty = [path, folder / "dominoes-4x4.plain.cnf.xz", manifest, folder / "stranger.cnf"]
    assert golden.main([str(folder), "--check"]) == 1
    faults = capsys.readouterr().err.splitlines()
    assert [fault.partition(": ")[0] for fault in faults] == list(map(str, faulty))
    assert "line 9" in faults[0]
    assert golden.main([str(folder)]) == 0
    assert golden.update(folder, check=True) == faults[-1:]  # a stranger is left where it is
