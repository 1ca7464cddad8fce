"""What a command prints goes to the file of --output as it is printed, and stays after an error."""

import gzip
import os
import resource
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.programs import bound_by_permissions
from helpers.waiting import until
from satcal.cli import options
from satcal.files import read_text

SATCAL = [sys.executable, "-m", "satcal"]
ALL = ["solve", "--board", "rhombus", "--year", "2025", "--all"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def drafts(folder):
    return list(folder.glob(".satcal-*"))


@pytest.mark.parametrize("name", ["all.csv", "all.csv.gz", "all.ndjson", "all.txt"])
def test_ctrl_c_keeps_the_printed_rows_of_a_big_table(folder, name):
    process = subprocess.Popen([*SATCAL, *ALL, "-o", name], stderr=subprocess.PIPE, text=True)
    until(lambda: any(draft.stat().st_size > 100_000 for draft in drafts(folder)))
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 3
    assert "stopped by Ctrl-C" in err
    printed = read_text(Path(name), "table", limit=10**9)
    assert f"{name}: {len(printed.encode()):,} bytes" in err
    assert printed.endswith("\n")
    style = {"all.csv": "csv", "all.csv.gz": "csv", "all.ndjson": "ndjson"}.get(name, "text")
    whole = subprocess.Popen([*SATCAL, *ALL, "--format", style], stdout=subprocess.PIPE, text=True)
    assert whole.stdout.read(len(printed)) == printed
    whole.kill()
    whole.communicate()
    assert drafts(folder) == []


@pytest.mark.parametrize("name", ["two.csv", "two.json", "two.txt", "two.csv.gz"])
def test_what_was_printed_before_an_error_stays(satcal, folder, name):
    question = "solve --reveal Dec,1 --reveal Oct,6 --rank 8"  # the second one has seven
    said = satcal(f"{question} -o {name}")
    assert (said.code, said.out) == (1, "")
    assert "Oct 6 has 7 solutions" in said.err
    printed = read_text(Path(name), "table")
    assert "Dec" in printed
    style = {".json": "json", ".txt": "text"}.get(Path(name).suffix, "csv")
    assert printed == satcal(f"{question} --format {style}").out


def test_an_error_before_anything_is_printed_leaves_no_file(satcal, folder):
    assert satcal("solve --reveal Oct,6 --rank 8 -o none.csv").code == 1
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("name", ["folder", "folder.csv", "none/table.csv", "a.csv", "a.csv.zip"])
@pytest.mark.parametrize("command", ["boards", "count Oct 6", "solve Oct 6", "survey", "stats"])
def test_a_file_that_cannot_be_made_is_refused_before_any_work(
    satcal, folder, monkeypatch, command, name
):
    for there in ("folder", "folder.csv"):
        (folder / there).mkdir()
    (folder / "a.csv").write_text("of somebody")
    before = sorted(folder.iterdir())
    monkeypatch.setattr(options.Selection, "diagram", lambda *_: pytest.fail("counted"))
    said = satcal(f"{command} --format csv -o {name}")
    assert (said.code, said.out) == (2, ""), said.err
    assert said.err.startswith(f"satcal: error: {name}")
    assert sorted(folder.iterdir()) == before
    assert (folder / "a.csv").read_text() == "of somebody"


def test_a_folder_in_which_nothing_may_be_written_is_refused_before_any_work(folder):
    folder.chmod(0o555)
    command = [*bound_by_permissions(), *SATCAL, *ALL, "-o", "all.csv"]
    said = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    folder.chmod(0o755)
    assert (said.returncode, said.stderr) == (
        2,
        "satcal: error: all.csv: cannot be written: Permission denied\n",
    )


@pytest.mark.parametrize("name", ["all.csv", "all.csv.xz"])
def test_a_full_disk_is_said_and_keeps_what_was_there(folder, name):
    Path(name).write_text("before")
    said = subprocess.run(
        [*SATCAL, *ALL, "--method", "search", "-o", name, "--force"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192)),
    )
    assert said.returncode == 2
    assert said.stderr.endswith(f"satcal: error: {name}: cannot be written: File too large\n")
    assert Path(name).read_text() == "before"
    assert drafts(folder) == []


def test_a_device_is_written_and_stays(satcal, folder):
    said = satcal("boards -o /dev/full")
    assert said.code == 2
    assert said.err.endswith("error: /dev/full: cannot be written: No space left on device\n")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)
    assert satcal("boards -o /dev/null").err.startswith("/dev/null: ")


def test_what_is_packed_is_what_is_printed(satcal, folder):
    assert satcal("solve Oct 6 --all -o a.csv.gz -q").code == 0
    packed = Path("a.csv.gz").read_bytes()
    assert gzip.decompress(packed).decode() == satcal("solve Oct 6 --all --format csv").out
    assert packed[4:8] == b"\0\0\0\0"  # no time
