"""Files are read and written whole, or the error says which and why."""

import gzip
import lzma
import os
import random
import stat
import threading
from pathlib import Path

import pytest

from satcal.errors import FileTrouble, FormatError, SatcalError, TooLarge, quoted
from satcal.files import compress, failing, make_folder, printing, read_text, write_bytes

NOISE = random.Random(0).randbytes(2000)
ZIPPED = gzip.compress(NOISE, mtime=0)


def refused(ask, *arguments):
    with pytest.raises(SatcalError) as caught:
        ask(*arguments)
    return caught.value


def test_a_compressed_file_knows_no_time_and_another_compression_is_refused():
    assert compress(Path("a.gz"), b"abc")[4:8] == b"\0\0\0\0"
    for name in ("x.cnf.zip", "x.bz2", "x.ZST"):
        assert "satcal compresses to" in str(refused(compress, Path(name), b"p cnf 0 0"))


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.txt.xz", "a.txt.GZ", "a.txt.XZ"])
def test_a_text_is_compressed_as_its_name_says_and_read_back_up_to_a_limit(tmp_path, name):
    path, text = tmp_path / name, "ä" * 50
    write_bytes(path, compress(path, b"\xef\xbb\xbf" + text.encode()))
    assert path.read_bytes().startswith(b"\xef") == (name == "a.txt")
    assert read_text(path, "puzzle", 103) == text  # a byte order mark is no part of it
    error = refused(read_text, path, "puzzle", 102)  # however small it is on the disk
    assert isinstance(error, TooLarge)
    assert str(error) == f"puzzle {path}: larger than 102 bytes; is it the right file?"


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("flipped.gz", ZIPPED[:10] + b"\xff" * 40 + ZIPPED[50:], "damaged compressed file ("),
        ("wrong-sum.gz", ZIPPED[:-8] + b"\0" * 8, "damaged compressed file ("),
        ("truncated.xz", lzma.compress(NOISE)[:60], "damaged compressed file ("),
        ("plain.xz", b"board = 1", "damaged compressed file ("),
        ("latin.txt", b"Jan\nFeb\nM\xe4r\n", "line 3 is not UTF-8 text; save the file as UTF-8"),
    ],
)
def test_a_damaged_file_or_one_in_another_encoding_is_in_no_format(tmp_path, name, data, reason):
    path = tmp_path / name
    path.write_bytes(data)
    error = refused(read_text, path, "puzzle")
    assert isinstance(error, FormatError)
    assert str(error).startswith(f"puzzle {path}: {reason}")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "Is a directory"),
        ("a\0b", "its name has a character that no file name can have"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(tmp_path, name, reason):
    error = refused(read_text, tmp_path / name, "puzzle")
    assert isinstance(error, FileTrouble)
    assert str(error) == f"puzzle {quoted(tmp_path / name)}: {reason}"


def test_a_file_is_replaced_or_kept_as_asked(tmp_path):
    path = tmp_path / "out.cnf"
    write_bytes(path, b"one", force=False)
    error = refused(write_bytes, path, b"two", False)
    assert str(error) == f"{path} exists already; remove it or pass --force"
    assert path.read_bytes() == b"one"
    write_bytes(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path]


def test_a_written_file_has_the_rights_of_any_new_file_or_keeps_its_own(tmp_path):
    def rights(name):
        return stat.S_IMODE((tmp_path / name).stat().st_mode)

    (tmp_path / "usual").touch()
    (tmp_path / "secret").touch(0o600)
    write_bytes(tmp_path / "new", b"")
    write_bytes(tmp_path / "secret", b"x")
    assert (rights("new"), rights("secret")) == (rights("usual"), 0o600)


def test_what_cannot_be_written_is_refused_and_left(tmp_path):
    inside = tmp_path / "no" / "out.cnf"
    for path, reason in (
        (inside, f"there is no folder {inside.parent}; make it first"),
        (tmp_path, "it is a folder; name a file in it"),
        (tmp_path / "a\0b", "its name has a character that no file name can have"),
    ):
        error = refused(write_bytes, path, b"x")
        assert isinstance(error, FileTrouble)
        assert str(error) == f"{quoted(path)}: cannot be written: {reason}"
    assert list(tmp_path.iterdir()) == []


def test_nothing_half_written_is_left_when_the_disk_is_full(tmp_path, monkeypatch):
    def full(source, target):
        raise OSError(28, "No space left on device")

    path = tmp_path / "out.cnf"
    write_bytes(path, b"before")
    monkeypatch.setattr(os, "replace", full)
    assert "No space left on device" in str(refused(write_bytes, path, b"after"))
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_or_a_pipe_stays_and_what_it_leads_to_is_written(tmp_path):
    link, target, pipe = tmp_path / "link", tmp_path / "target", tmp_path / "pipe"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_bytes(link, b"new")
    assert (link.is_symlink(), target.read_bytes()) == (True, b"new")
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_bytes(pipe, b"through")
    reader.join(10)
    assert (read, pipe.is_fifo()) == ([b"through"], True)


def test_a_folder_is_made_with_those_above_it_or_the_reason_is_given(tmp_path):
    make_folder(tmp_path / "a" / "b")
    make_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    (tmp_path / "file").touch()
    error = refused(make_folder, tmp_path / "file")
    assert str(error) == f"{tmp_path / 'file'}: cannot be made: File exists"


def test_what_goes_wrong_inside_is_not_taken_for_a_bad_name():
    with pytest.raises(ValueError, match="not of a name"), failing("x"):
        raise ValueError("not of a name")


def test_of_two_who_write_the_same_file_the_second_is_refused_or_replaces_it(tmp_path):
    path, told = tmp_path / "out.csv", []

    def both(force):
        with printing(path, force, told.append) as first:
            print("first, the longer", file=first)
            with printing(path, force, told.append) as second:
                print("second", file=second)

    assert str(refused(both, False)) == f"{path} exists already; remove it or pass --force"
    assert path.read_text() == "second\n"
    both(True)
    assert path.read_text() == "first, the longer\n"
    assert told == [7, 7, 18]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["out.csv", "out.csv.gz", "out.csv.xz"])
def test_what_was_printed_before_an_error_stays_and_nothing_is_no_file(tmp_path, name):
    path = tmp_path / name
    with pytest.raises(KeyboardInterrupt), printing(path, False, print):
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ZeroDivisionError), printing(path, False, print) as printed:
        print("a row", file=printed)
        1 / 0
    assert read_text(path, "table") == "a row\n"
    assert path.read_bytes() == compress(path, b"a row\n")
    assert list(tmp_path.iterdir()) == [path]
