"""What no puzzle has is refused before it is expanded: keys, drawings, labels, names."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satcal import toml
from satcal.errors import PuzzleError, SatcalError, TooLarge
from satcal.puzzle.toml import parse_pieces, parse_puzzle

BOARD = 'board = "* *"\n[pieces]\nD = "##"\n'
MANY = "\n".join(f"a{number} = 1" for number in range(20_001))


@pytest.mark.parametrize(
    "key",
    [".".join("a" * 17), " . ".join(["a"] * 17), ".".join(['"a"'] * 17), ".".join(["'a.b'"] * 17)],
)
@pytest.mark.parametrize("text", ["{} = 1", "[{}]", "[[{}]]", "a = {{ {} = 1 }}", "a.b = \n{} = 1"])
def test_a_key_of_too_many_parts_is_refused_before_it_is_parsed(key, text, monkeypatch) -> None:
    monkeypatch.setattr(toml.tomllib, "loads", None)
    with pytest.raises(PuzzleError, match=r"^x: a key has more than 16 parts"):
        parse_puzzle(text.format(key), "x")


@pytest.mark.parametrize("text", [MANY, MANY.replace("a", "[a").replace(" = 1", "]")])
def test_a_text_of_too_many_keys_or_tables_is_refused_before_it_is_parsed(
    text, monkeypatch
) -> None:
    monkeypatch.setattr(toml.tomllib, "loads", None)
    with pytest.raises(PuzzleError, match=r"^x: more than 20,000 keys and tables"):
        parse_puzzle(text, "x")


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
def test_what_strings_and_comments_hold_is_no_key(quoted) -> None:
    text = f"s = {quoted.format('a.' * 30)}\n"
    assert list(toml.parse(text * 1, "x")) == ["s"]


@given(st.text(alphabet="\"'\\a.= \n#{},", max_size=40))
def test_no_string_hides_a_key_from_the_look(text) -> None:
    key = ".".join("k" * 17)
    parsed: list[str] = []

    def count(number: str) -> float:
        parsed.append(number)
        return float(number)

    for whole in (
        f"{text}\n{key} = 2.5",
        f"x = {text}\n{key} = 2.5",
        f"x = {{ y = {text}, {key} = 2.5 }}",
    ):
        reached = False
        try:
            toml.tomllib.loads(whole.replace(key, "k"), parse_float=count)
            reached = "2.5" in parsed
        except ValueError:
            reached = "2.5" in parsed
        if reached:
            with pytest.raises(SatcalError, match="more than 16 parts"):
                toml.parse(whole, "x")
        parsed.clear()


PEAK = """
import resource, sys
from satcal.errors import SatcalError
from satcal.puzzle.toml import parse_puzzle
resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    parse_puzzle(eval(sys.argv[1]), "x")
except SatcalError as error:
    print(error, file=sys.stderr)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("'a.' * 130_000 + 'a = 1'", "x: a key has more than 16 parts"),
        ("'board = \"*\"\\n[pieces]\\nA = \"\"\"\\n' + ('#' * 480 + '\\n') * 480 + '\"\"\"\\n'",
         "x: piece A: its drawing has more than 64 rows or columns"),
        ("'[categories]\\nc = ' + str([f'{n}' for n in range(30_000)])",
         "x: [categories]: 30,000 labels, more than any board has cells"),
        ("'board = \\'' + '* ' * 130_000 + '\\''", "x: board: more than 64 rows or columns"),
        ("'board = \\'' + 'a' * 260_000 + '\\''", "x: board: r0c0: label 'aaaaaa"),
    ],
    ids=["dots", "piece", "labels", "board", "label"],
)  # fmt: skip
def test_a_quarter_of_a_megabyte_takes_no_more_than_a_few(text, said) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PEAK, text], capture_output=True, text=True, check=True
    )
    assert done.stderr.startswith(said)
    assert len(done.stderr) < 200
    assert int(done.stdout) < 40_000  # KiB


def test_pieces_that_fit_on_no_board_together_are_refused() -> None:
    large = "\n".join(["#" * 30] * 30)
    blocks = "\n\n".join([large.replace("#", "1")] * 2)
    for text in (f"[pieces]\nA = '''\n{large}'''\nB = '''\n{large}'''\n", blocks):
        with pytest.raises(
            TooLarge, match="piece B: with it the pieces have more than 1,024 squares"
        ):
            parse_pieces(text, "x")


ORDER = "\\u001b[2J"  # clears a terminal


@pytest.mark.parametrize(
    "text",
    [f'name = "{ORDER}"\n{BOARD}', f'title = "{ORDER}"\n{BOARD}', f'source = "a{ORDER}"\n{BOARD}',
     f'title = "\\u202e"\n{BOARD}', f'"{ORDER}" = 1\n{BOARD}', f'flip = "{ORDER}"\n{BOARD}',
     f'{BOARD}"{ORDER}" = "#"', f'{BOARD}E = {{ "{ORDER}" = "#" }}', f'{BOARD}E = "{ORDER}"',
     f'{BOARD}[categories]\n"{ORDER}" = 1', f'{BOARD}[categories]\nc = ["{ORDER}"]',
     f'{BOARD}[calendar]\n"{ORDER}" = []', f'{BOARD}[calendar]\nmonth = ["{ORDER}"]',
     'board = "a\x9b2J"', f'board = "{ORDER}"'],
)  # fmt: skip
def test_nothing_in_a_puzzle_file_gives_orders_to_a_terminal_not_even_in_an_error(text) -> None:
    with pytest.raises(SatcalError) as caught:
        parse_puzzle(text, "x")
    assert str(caught.value).isprintable()
