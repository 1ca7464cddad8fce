"""Making certificates: bytes that depend on nothing else, parts that are kept, folders."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import pytest

from helpers import checkers
from helpers.certificates import five, taken_apart
from oracle import TWO_EACH, dominoes
from satcal.certificates import certify as making
from satcal.certificates.certify import (
    MANIFEST,
    certify,
    make_group,
    write_certificate,
    write_folder,
)
from satcal.errors import Disagreement, FileTrouble, Stopped
from satcal.files import locking
from satcal.progress import Progress
from satcal.puzzle.model import Reveal

REVEALS = list(five().reveals())


@pytest.fixture
def groups_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a group for each reveal."""
    monkeypatch.setattr(making, "MAX_TREES", 1)


@pytest.fixture
def made_groups(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note which groups are made."""
    made: list[str] = []
    monkeypatch.setattr(
        making,
        "make_group",
        lambda text, reveals: made.append(" ".join(reveals[0])) or make_group(text, reveals),  # type: ignore[func-returns-value]
    )
    return made


def stop_at(group: int) -> Progress:
    """Return what stops a run when so many groups are made."""

    def stop(done: int, total: int, text: str) -> None:
        if done == group:
            raise KeyboardInterrupt

    return stop


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path, groups_of_one, made_groups):
    path, part = tmp_path / "x.satcert", tmp_path / "x.satcert.part"
    whole = certify(five(), REVEALS)
    assert len(taken_apart(whole).groups) == len(made_groups) == 20

    made_groups.clear()
    with pytest.raises(KeyboardInterrupt):
        write_certificate(path, five(), REVEALS, step=stop_at(7))
    assert (path.exists(), part.exists(), len(made_groups)) == (False, True, 7)
    write_certificate(path, five(), REVEALS)
    assert path.read_bytes() == whole
    assert (part.exists(), len(made_groups)) == (False, 20)


def test_what_was_kept_and_is_damaged_is_made_again(tmp_path, groups_of_one):
    path, part = tmp_path / "x.satcert", tmp_path / "x.satcert.part"
    with pytest.raises(KeyboardInterrupt):
        write_certificate(path, five(), REVEALS, step=stop_at(3))
    for group in part.iterdir():
        group.write_bytes(group.read_bytes().replace(b" tilings ", b" tilings 1"))
    (part / "notes.txt").touch()
    write_certificate(path, five(), REVEALS)
    assert path.read_bytes() == certify(five(), REVEALS)
    assert [each.name for each in part.iterdir()] == ["notes.txt"]


def test_one_writer_at_a_time(tmp_path):
    path = tmp_path / "x.satcert"
    with locking(path), pytest.raises(Stopped, match=path.name):
        write_certificate(path, five(), REVEALS[:1])
    write_certificate(path, five(), REVEALS[:1])
    before = path.read_bytes()
    with pytest.raises(FileTrouble, match="--force"):
        write_certificate(path, five(), REVEALS[1:2])
    assert path.read_bytes() == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["x.satcert"]


def test_what_the_checker_refuses_gets_no_name(tmp_path, monkeypatch):
    def wrong(text: str, reveals: Sequence[Reveal]) -> bytes:
        return make_group(text, reveals).replace(b"tilings 29", b"tilings 28")

    monkeypatch.setattr(making, "make_group", wrong)
    with pytest.raises(Disagreement, match="28"):
        write_certificate(tmp_path / "x.satcert", five(), [("a", "1")])
    assert list(tmp_path.iterdir()) == []


def test_a_folder_has_a_certificate_for_each_puzzle_and_a_list(tmp_path):
    first, second = dominoes(2, 3).load(), TWO_EACH.load()
    asked = [("first", first, (), range(3, 4)), ("second", second, ("a",), range(10))]
    assert write_folder(tmp_path / "all", asked) == 2
    rows = list(csv.DictReader(io.StringIO((tmp_path / "all" / MANIFEST).read_text())))
    assert [(row["file"], row["tilings"]) for row in rows] == [
        ("first.satcert", "3"),
        ("second.satcert", "2"),
    ]
    for row in rows:
        said = checkers.stranger((tmp_path / "all" / row["file"]).read_bytes())
        assert (said.word, said.digest) == ("accepted", row["puzzle"])
    with pytest.raises(Disagreement, match="third"):
        write_folder(tmp_path / "all", [("third", first, (), range(4, 9))])
