"""Files are read and written whole, or the error says which and why."""

import errno
import gzip
import lzma
import os
import random
import stat
import threading
from pathlib import Path

import pytest

from satcal.errors import FileTrouble, FormatError, SatcalError, Stopped, TooLarge
from satcal.files import compress, drafting, locking, make_folder, read_text, write_bytes

NOISE = random.Random(0).randbytes(2000)
ZIPPED = gzip.compress(NOISE, mtime=0)


def refused(ask, *arguments):
    with pytest.raises(SatcalError) as caught:
        ask(*arguments)
    return caught.value


def test_a_compressed_file_has_no_time_in_it():
    assert compress(Path("a.gz"), b"abc")[4:8] == b"\0\0\0\0"


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.txt.xz", "a.txt.GZ", "a.txt.XZ"])
def test_a_text_is_compressed_as_its_name_says_and_read_back_up_to_a_limit(tmp_path, name):
    path, text = tmp_path / name, "ä" * 50
    write_bytes(path, compress(path, b"\xef\xbb\xbf" + text.encode()))
    assert path.read_bytes().startswith(b"\xef") == (name == "a.txt")
    assert read_text(path, "puzzle", 103) == text  # a byte order mark is no part of it
    error = refused(read_text, path, "puzzle", 102)  # however small it is on the disk
    assert isinstance(error, TooLarge)
    assert "102" in str(error)


@pytest.mark.parametrize(
    ("name", "data", "word"),
    [
        ("flipped.gz", ZIPPED[:10] + b"\xff" * 40 + ZIPPED[50:], "damaged"),
        ("wrong-sum.gz", ZIPPED[:-8] + b"\0" * 8, "damaged"),
        ("truncated.xz", lzma.compress(NOISE)[:60], "damaged"),
        ("plain.xz", b"board = 1", "damaged"),
        ("latin.txt", b"Jan\nFeb\nM\xe4r\n", "line 3"),
    ],
)
def test_a_damaged_file_or_one_in_another_encoding_is_in_no_format(tmp_path, name, data, word):
    path = tmp_path / name
    path.write_bytes(data)
    error = refused(read_text, path, "puzzle")
    assert isinstance(error, FormatError)
    assert str(path) in str(error)
    assert word in str(error)


@pytest.mark.parametrize("name", ["", "absent"])
def test_what_cannot_be_read_is_refused(tmp_path, name):
    assert isinstance(refused(read_text, tmp_path / name, "puzzle"), FileTrouble)


def test_a_file_is_replaced_or_kept_as_asked(tmp_path):
    path = tmp_path / "out.cnf"
    write_bytes(path, b"one", force=False)
    error = refused(write_bytes, path, b"two", False)
    assert isinstance(error, FileTrouble)
    assert "--force" in str(error)
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


@pytest.mark.parametrize("name", ["", "x" * 300])
def test_what_cannot_be_written_is_refused_and_leaves_nothing(tmp_path, name):
    assert isinstance(refused(write_bytes, tmp_path / name, b"x"), FileTrouble)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EDQUOT])
def test_a_full_disk_or_a_missing_right_is_a_stop_and_leaves_nothing(tmp_path, monkeypatch, code):
    def refuse(source, target):
        raise OSError(code, os.strerror(code))

    path = tmp_path / "out.cnf"
    write_bytes(path, b"before")
    monkeypatch.setattr(os, "replace", refuse)
    assert isinstance(refused(write_bytes, path, b"after"), Stopped)
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("trouble", [KeyboardInterrupt, ZeroDivisionError])
def test_after_an_error_or_ctrl_c_there_is_no_file_and_the_old_one_stays(tmp_path, trouble):
    old, new = tmp_path / "old.csv", tmp_path / "new.csv"
    old.write_bytes(b"before")
    for path in (old, new):
        with pytest.raises(trouble), drafting(path, force=True) as stream:
            stream.write(b"half")
            raise trouble
    assert old.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [old]


def test_one_writer_at_a_time_writes_a_file_or_fills_a_folder(tmp_path):
    path = tmp_path / "out.satcert"
    with drafting(path) as first:
        first.write(b"first")
        second = refused(write_bytes, path, b"second")
        assert isinstance(second, Stopped)
        assert "another" in str(second)
        write_bytes(tmp_path / "other", b"is free")
    assert path.read_bytes() == b"first"
    write_bytes(path, b"third")
    assert path.read_bytes() == b"third"
    with locking(tmp_path / "folder"), pytest.raises(Stopped), locking(tmp_path / "folder"):
        pass
    with locking(tmp_path / "folder"):
        pass


def test_what_a_killed_writer_left_is_taken_over(tmp_path):
    path = tmp_path / "out.csv"
    with drafting(path) as stream:
        left = Path(stream.raw.path)
    left.write_bytes(b"long, but of a process that was killed")
    write_bytes(path, b"short")
    assert path.read_bytes() == b"short"
    assert list(tmp_path.iterdir()) == [path]


def test_many_writers_of_one_file_leave_it_whole(tmp_path):
    path, outcomes = tmp_path / "out", []

    def write(number):
        try:
            write_bytes(path, bytes([number]) * 100_000)
            outcomes.append("done")
        except Stopped:
            outcomes.append("stopped")

    threads = [threading.Thread(target=write, args=(number,), daemon=True) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(240)
    assert len(outcomes) == 20
    assert "done" in outcomes
    data = path.read_bytes()
    assert (len(data), len(set(data))) == (100_000, 1)
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_or_a_pipe_stays_and_what_it_leads_to_is_written(tmp_path):
    link, target, pipe = tmp_path / "link", tmp_path / "target", tmp_path / "pipe"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_bytes(link, b"new")
    assert (link.is_symlink(), target.read_bytes()) == (True, b"new")
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write_bytes(pipe, b"through")
    reader.join(240)
    assert (read, pipe.is_fifo()) == ([b"through"], True)


def test_a_folder_is_made_with_those_above_it_or_refused(tmp_path):
    make_folder(tmp_path / "a" / "b")
    make_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    (tmp_path / "file").touch()
    assert isinstance(refused(make_folder, tmp_path / "file"), FileTrouble)
