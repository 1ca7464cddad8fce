"""Making certificates: bytes that depend on nothing else, parts that are kept, folders."""

import csv
import io
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from helpers import checkers
from helpers.certificates import five, taken_apart
from oracle import TWO_EACH, dominoes
from satcal.certificates import certify as making
from satcal.certificates.certify import (
    MANIFEST,
    make_certificate,
    make_group,
    write_certificate,
    write_folder,
)
from satcal.errors import Disagreement, FileTrouble, Stopped
from satcal.files import locking
from satcal.puzzle.model import Reveal

REVEALS = list(five().reveals())


def test_groups_are_made_by_any_number_of_processes_with_the_same_bytes(monkeypatch):
    monkeypatch.setattr(making, "MAX_TREES", 1)
    seen = []
    whole, _ = make_certificate(five(), REVEALS, step=lambda *event: seen.append(event))
    groups = taken_apart(whole).groups
    assert [list(group.stated) for group in groups] == [[reveal] for reveal in REVEALS]
    assert seen == [(n, 20, " ".join(reveal)) for n, reveal in enumerate(REVEALS, start=1)]
    with ThreadPoolExecutor(2) as executor:
        assert make_certificate(five(), REVEALS, executor)[0] == whole
    assert checkers.stranger(whole).word == "accepted"


def test_a_run_that_was_stopped_continues_with_the_groups_it_made(tmp_path, monkeypatch):
    made: list[Reveal] = []

    def make(text: str, reveals: Sequence[Reveal]) -> bytes:
        made.extend(reveals)
        return make_group(text, reveals)

    def stop(done: int, total: int, text: str) -> None:
        if done == 7:
            raise KeyboardInterrupt

    monkeypatch.setattr(making, "MAX_TREES", 1)
    monkeypatch.setattr(making, "make_group", make)
    path, part = tmp_path / "x.satcert", tmp_path / "x.satcert.part"
    with pytest.raises(KeyboardInterrupt):
        write_certificate(path, five(), REVEALS, step=stop)
    assert (path.exists(), made) == (False, REVEALS[:7])
    (part / "notes.txt").touch()
    write_certificate(path, five(), REVEALS)
    assert made == REVEALS
    assert path.read_bytes() == make_certificate(five(), REVEALS)[0]
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


@pytest.mark.parametrize("number", [1, 2])
def test_what_the_checker_refuses_gets_no_name_and_is_not_kept(tmp_path, monkeypatch, number):
    def wrong(text: str, reveals: Sequence[Reveal]) -> bytes:
        return make_group(text, reveals).replace(b"tilings 29", b"tilings 28")

    monkeypatch.setattr(making, "MAX_TREES", 1)
    monkeypatch.setattr(making, "make_group", wrong)
    with pytest.raises(Disagreement, match="28"):
        write_certificate(tmp_path / "x.satcert", five(), REVEALS[:number])
    assert list(tmp_path.iterdir()) == []


def test_a_folder_has_a_certificate_for_each_puzzle_and_a_list(tmp_path):
    first, second = dominoes(2, 3).load(), TWO_EACH.load()
    requests = [("first", first, (), range(3, 4)), ("second", second, ("a",), range(10))]
    assert write_folder(tmp_path / "all", requests) == 2
    rows = list(csv.DictReader(io.StringIO((tmp_path / "all" / MANIFEST).read_text())))
    assert [(row["file"], row["tilings"]) for row in rows] == [
        ("first.satcert", "3"),
        ("second.satcert", "2"),
    ]
    for row in rows:
        verdict = checkers.stranger((tmp_path / "all" / row["file"]).read_bytes())
        assert (verdict.word, verdict.digest) == ("accepted", row["puzzle"])
    with pytest.raises(Disagreement, match="third"):
        write_folder(tmp_path / "all", [("third", first, (), range(4, 9))])
