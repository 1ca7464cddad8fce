"""``satcal certify``: one certificate for all dates, checked before it has its name."""

import pytest

from helpers.certificates import five_made
from satcal.proof.check import FIRST_LINE


@pytest.fixture
def five(tmp_path):
    from helpers.certificates import FIVE

    (tmp_path / "five.toml").write_text(FIVE)


def test_a_reveal_is_certified(run, five, tmp_path):
    answer = run("certify five.toml --reveal a,1")
    assert (answer.code, answer.out) == (0, "five.a-1.satcert\n")
    assert "five: a 1: exactly 29" in answer.err
    assert (tmp_path / "five.a-1.satcert").read_bytes() == five_made("a1")


def test_a_name_has_the_first_and_the_last_date(run):
    assert (
        run("certify Oct 6..Oct 7 2026 -q").out == "a-puzzle-a-day.2026-10-06..2026-10-07.satcert\n"
    )


def test_a_folder_is_made_and_a_file_that_exists_is_kept(run, refused, five, tmp_path):
    path = tmp_path / "new" / "x.satcert"
    assert run("certify five.toml --reveal a,1 -o new/x.satcert").code == 0
    refused("certify five.toml --reveal a,3 -o new/x.satcert", 2, "--force")
    assert path.read_bytes() == five_made("a1")
    assert run("certify five.toml --reveal a,3 -o new/x.satcert --force").code == 0
    assert path.read_bytes() == five_made("a3")


def test_minus_is_standard_output(run, tmp_path):
    answer = run("certify small.toml --reveal a -o - -q")
    assert answer.code == 0
    assert answer.out.startswith(FIRST_LINE)
    assert not (tmp_path / "-").exists()
