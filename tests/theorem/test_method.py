"""``--method verified``: found or not, what it says, what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from satcal.counting.settings import Settings
from satcal.counting.tilings import tilings
from satcal.counting.verified import counts
from satcal.errors import Disagreement, OptionError, Stopped
from satcal.puzzle.loading import load


def test_count_by_the_program(program: str, satcal: Callable) -> None:
    said = satcal("count", "--method", "verified", "--reveal", "Oct,6")
    assert (said.code, said.out.splitlines()[1]) == (0, ",Oct,6,7,verified")


def test_verify_compares_it_with_others(program: str, satcal: Callable) -> None:
    said = satcal("verify", "--methods", "diagram,verified", "--month", "2025-02")
    assert said.code == 0
    assert "diagram counted 28, verified counted 28 of 28; on 28 they agree" in said.err


@pytest.mark.parametrize("named", ["", "/nowhere/satcal-verified"])
def test_without_the_program_the_commands_that_bring_it_are_named(
    named: str, satcal: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SATCAL_VERIFIED", named)
    monkeypatch.setenv("PATH", "/nowhere")
    said = satcal("count", "--method", "verified", "--reveal", "Oct,6")
    assert said.code == 4
    assert "apt-get install coq ocaml-nox libcoq-stdlib" in said.err
    assert "make theorem" in said.err


@pytest.mark.parametrize(
    ("place", "number"),
    [
        ("L@r0c2", 6), ("L:r0c2,r0c3,r0c4,r0c5,r1c2", 4), ("L@r0c2 L@r0c5", 6), ("N@r1c0", 1),
        ("L@r0c2 L@r5c1", 0),
    ],
)  # fmt: skip
def test_what_is_placed_already_is_heeded(
    program: str, satcal: Callable, place: str, number: int
) -> None:
    words = [word for each in place.split() for word in ("--place", each)]
    said = satcal("count", "--method", "verified", "--reveal", "Oct,6", *words)
    assert (said.code, said.out.splitlines()[1]) == (0, f",Oct,6,{number},verified")


def test_it_lists_no_tilings_and_knows_no_symmetry(satcal: Callable) -> None:
    with pytest.raises(OptionError, match="lists none"):
        next(tilings(load("a-puzzle-a-day"), ("Oct", "6"), Settings(method="verified")))
    said = satcal("count", "--method", "verified", "--reveal", "Oct,6", "--up-to-symmetry")
    assert (said.code, "leave out --up-to-symmetry" in said.err) == (2, True)


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Put a script in the program's place."""
    path = tmp_path / "satcal-verified"
    monkeypatch.setenv("SATCAL_VERIFIED", str(path))

    def write(script: str) -> None:
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    return write


@pytest.mark.parametrize(
    ("script", "error"),
    [
        ("echo 'satcal-verified: not enough memory' >&2; exit 3", Stopped),
        ("echo 0.9,1.5", Disagreement),
        ("echo '# nothing'", Disagreement),
    ],
)
def test_a_program_that_says_nothing_of_a_reveal_has_counted_nothing(
    script: str, error: type, stand_in: Callable[[str], None]
) -> None:
    stand_in(f"cat > /dev/null; {script}")
    with pytest.raises(error):
        counts(load("a-puzzle-a-day"), [("Oct", "6")])


def test_a_time_limit_ends_it(satcal: Callable, stand_in: Callable[[str], None]) -> None:
    stand_in("exec sleep 60")
    said = satcal("count", "--method", "verified", "--reveal", "Oct,6", "--time-limit", "0.3")
    assert (said.code, "the rest is UNKNOWN" in said.err) == (3, True)
