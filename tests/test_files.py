"""Files are read and written whole, or the error says which and why."""

from __future__ import annotations

import gzip
import lzma
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from programs import bound_by_permissions

from satcal.errors import FileTrouble, FormatError, SatcalError, TooLarge
from satcal.files import compress, make_folder, read_text, write_bytes

TEXT = "Jän\nFeb\n"


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.txt.xz"])
def test_a_text_is_read_back_compressed_as_its_name_says(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write_bytes(path, compress(path, TEXT.encode()))
    assert read_text(path, "puzzle") == TEXT
    assert (path.read_bytes() == TEXT.encode()) == (name == "a.txt")


def test_compressed_bytes_are_the_same_at_any_time() -> None:
    for name in ("a.gz", "a.xz"):
        assert compress(Path(name), b"abc") == compress(Path(name), b"abc")
    assert compress(Path("a.gz"), b"abc")[4:8] == b"\0\0\0\0"


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "bom.txt"
    path.write_bytes(b"\xef\xbb\xbfJan")
    assert read_text(path, "puzzle") == "Jan"


def refused(path: Path, limit: int = 100) -> SatcalError:
    with pytest.raises(SatcalError) as caught:
        read_text(path, "puzzle", limit)
    return caught.value


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.txt.xz"])
def test_a_file_above_the_limit_is_refused_also_when_it_is_small_on_the_disk(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(compress(path, b"x" * 101))
    error = refused(path)
    assert isinstance(error, TooLarge)
    assert str(error) == f"puzzle {path}: larger than 100 bytes; is it the right file?"
    path.write_bytes(compress(path, b"x" * 100))
    assert len(read_text(path, "puzzle", 100)) == 100


def damaged(kind: str) -> bytes:
    whole = gzip.compress(os.urandom(2000), mtime=0)
    return {
        "truncated.gz": whole[:50],
        "flipped.gz": b"%b%b%b" % (whole[:10], b"\xff" * 40, whole[50:]),
        "plain.gz": b"board = 1",
        "wrong-sum.gz": gzip.compress(b"abc", mtime=0)[:-8] + b"\0" * 8,
        "truncated.xz": lzma.compress(os.urandom(2000))[:60],
        "plain.xz": b"board = 1",
    }[kind]


@pytest.mark.parametrize(
    "kind",
    ["truncated.gz", "flipped.gz", "plain.gz", "wrong-sum.gz", "truncated.xz", "plain.xz"],
)
def test_a_damaged_compressed_file_is_in_no_format(tmp_path: Path, kind: str) -> None:
    path = tmp_path / kind
    path.write_bytes(damaged(kind))
    error = refused(path, 10_000)
    assert isinstance(error, FormatError)
    assert str(error).startswith(f"puzzle {path}: damaged compressed file (")


@pytest.mark.parametrize(
    ("data", "line"), [(b"\xff", 1), (b"Jan\nFeb\nM\xe4r\n", 3), ("Jan".encode("utf-16"), 1)]
)
def test_a_file_in_another_encoding_is_refused_with_the_line(
    tmp_path: Path, data: bytes, line: int
) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes(data)
    error = refused(path)
    assert isinstance(error, FormatError)
    assert str(error) == f"puzzle {path}: line {line} is not UTF-8 text; save the file as UTF-8"


def test_a_missing_file_and_a_folder_are_refused_with_the_reason(tmp_path: Path) -> None:
    missing = refused(tmp_path / "no.txt")
    assert isinstance(missing, FileTrouble)
    assert str(missing) == f"puzzle {tmp_path / 'no.txt'}: No such file or directory"
    assert str(refused(tmp_path)) == f"puzzle {tmp_path}: Is a directory"


def test_a_name_that_no_file_can_have_is_refused(tmp_path: Path) -> None:
    assert "null byte" in str(refused(tmp_path / "a\0b"))
    with pytest.raises(FileTrouble, match="null"):
        write_bytes(tmp_path / "a\0b", b"")


def test_a_file_that_one_may_not_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret.txt"
    path.touch(0o000)
    ask = [*bound_by_permissions(), sys.executable, "-m", "satcal", "show", str(path)]
    answer = subprocess.run(ask, capture_output=True, text=True, check=False, timeout=60)
    assert answer.returncode == 2
    assert f"puzzle {path}: Permission denied" in answer.stderr


def test_a_file_is_replaced_or_kept_as_asked(tmp_path: Path) -> None:
    path = tmp_path / "out.cnf"
    write_bytes(path, b"one", force=False)
    with pytest.raises(FileTrouble) as kept:
        write_bytes(path, b"two", force=False)
    assert str(kept.value) == f"{path} exists already; remove it or pass --force"
    assert path.read_bytes() == b"one"
    write_bytes(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path]


def test_a_written_file_has_the_rights_of_any_new_file(tmp_path: Path) -> None:
    write_bytes(tmp_path / "a", b"")
    (tmp_path / "b").touch()
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == stat.S_IMODE(
        (tmp_path / "b").stat().st_mode
    )


def test_writing_into_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "no" / "out.cnf"
    with pytest.raises(FileTrouble) as caught:
        write_bytes(path, b"x")
    assert str(caught.value) == (
        f"{path}: cannot be written: there is no folder {path.parent}; make it first"
    )


def test_writing_onto_a_folder_is_refused_and_leaves_it(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(FileTrouble, match="cannot be written: it is a folder"):
        write_bytes(tmp_path / "folder", b"x")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_nothing_half_written_is_left_when_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(source: str, target: Path) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "out.cnf"
    write_bytes(path, b"before")
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(FileTrouble, match="No space left on device"):
        write_bytes(path, b"after")
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_and_what_it_points_to_is_written(tmp_path: Path) -> None:
    link, target = tmp_path / "link", tmp_path / "target"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_bytes(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()))
    reader.start()
    write_bytes(path, b"through")
    reader.join(10)
    assert read == [b"through"]
    assert path.is_fifo()


def test_a_folder_is_made_with_those_above_it_or_the_reason_is_given(tmp_path: Path) -> None:
    make_folder(tmp_path / "a" / "b")
    make_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    (tmp_path / "file").touch()
    with pytest.raises(FileTrouble) as caught:
        make_folder(tmp_path / "file")
    assert str(caught.value) == f"{tmp_path / 'file'}: cannot be made: File exists"


def test_a_file_that_is_replaced_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.touch(0o600)
    write_bytes(path, b"x")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_name_that_asks_for_another_compression_is_refused() -> None:
    for name in ("x.cnf.zip", "x.bz2", "x.ZST"):
        with pytest.raises(FormatError, match="satcal compresses to"):
            compress(Path(name), b"p cnf 0 0")
