"""What no puzzle has is refused before it is expanded: keys, drawings, labels, names."""

from __future__ import annotations

import contextlib
import datetime
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.hostile import HOSTILE
from satcal.errors import SatcalError
from satcal.puzzle.loading import load, parse_puzzle
from satcal.puzzle.placed import parse_place
from satcal.puzzle.plain import build_table
from satcal.puzzle.when import parse_dates
from satcal.toml import parse_toml


@pytest.mark.parametrize(
    "quoted",
    [
        '"""{}"""',
        "'''{}'''",
        '"{}"',
        "'{}'",
        '"""\n{}\n"a" ""\\""""""',
        "'''\n'{}'' '''''",
        "1 # {}",
    ],
)
def test_what_strings_and_comments_hold_is_no_key(quoted):
    assert list(parse_toml(f"s = {quoted.format('a.' * 30)}\n", "x")) == ["s"]


@given(st.text(alphabet="\"'\\a.= \n#{},", max_size=40))
def test_no_string_hides_a_key_from_the_look(text):
    key = ".".join("k" * 17)
    for whole in (
        f"{text}\n{key} = 2.5",
        f"x = {text}\n{key} = 2.5",
        f"x = {{ y = {text}, {key} = 2.5 }}",
    ):
        read: list[str] = []
        with contextlib.suppress(ValueError):
            tomllib.loads(whole.replace(key, "k"), parse_float=read.append)
        if "2.5" in read:
            with pytest.raises(SatcalError, match="16 parts"):
                parse_toml(whole, "x")


@pytest.mark.parametrize(("text", "word"), HOSTILE, ids=lambda text: text[:24])
def test_the_refusal_of_a_strangers_file_is_short_and_harmless(text, word):
    with pytest.raises(SatcalError) as refused:
        parse_puzzle(text, "x.toml")
    message = str(refused.value)
    assert word in message
    assert message.isprintable()
    assert len(message) < 250


DATES = "Oct 6 2026 2024-2030 .. to today 3. oktober mar. Thu 1/2 12-25 2026-02 29 - 0 0000 , ٣ ²"
PLACED = "O: N: o: 1 2 3 8 9 10 r0c0 r9c9 ; , : @ N@1 ┌ ─ │ _ . # x L4 Jan \t \x85 \n"
BOARD_MARKS = "Jan 2 - * X ♥ okt . | [ ] = # \" ' a \n"
READERS = [
    (DATES, lambda text: parse_dates(text, datetime.date(2026, 11, 26))),
    (PLACED, lambda text: parse_place(load("a-puzzle-a-day"), text)),
    (BOARD_MARKS, lambda text: parse_puzzle(text, "x")),
    (BOARD_MARKS, lambda text: build_table(text, text)),
]


@pytest.mark.parametrize(("marks", "read"), READERS)
@given(data=st.data(), between=st.sampled_from([" ", ""]))
def test_any_text_is_read_or_refused_in_printable_words(marks, read, data, between):
    drawn = data.draw(st.lists(st.sampled_from(marks.split(" ")), max_size=30))
    try:
        read(between.join(drawn))
    except SatcalError as error:
        assert str(error).isprintable()
