"""What solvers print becomes verified tilings, or an error that says what is wrong with it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import satcal
from helpers.commands import run
from helpers.solvers import ENCODINGS_FOLDER
from satcal.encoding.decode import Decoded, decode
from satcal.encoding.export import export
from satcal.errors import BudgetExhausted, FormatError, NoTiling, Unsatisfiable
from satcal.puzzle.demands import parse_demands
from satcal.puzzle.loading import load

HOW = (
    "save what a solver prints (`cadical FILE > ANSWER`, `clasp FILE > ANSWER`) or the result "
    "file of `minisat FILE ANSWER`"
)
TWO_RUNS = "is this the output of two runs?"
CUT = "the model does not end with 0; is the file cut short?"
NO_LITERAL = "is not a literal; a model is a list such as 1 -2 3 0"
WAS_IT = "; was the formula exported for this board, reveal and --place?"
# eight options; the tilings are options 1 and 4, and 6 and 7
TWO_L4 = load(ENCODINGS_FOLDER / "puzzles" / "two-L4.toml")
LETTERS = load(ENCODINGS_FOLDER / "puzzles" / "letter-and-digit.toml")


def model(*true: int, top: int = 8) -> str:
    return " ".join(str(v if v in true else -v) for v in range(1, top + 1))


def written(path: Path, *arguments, **options) -> str:
    path.write_text(export(*arguments, **options))
    return str(path)


def tilings(text: str) -> list[str]:
    return [" ".join(map(str, each.tiling)) for each in decode(TWO_L4, (), text)]


ONE, TWO = model(1, 4), model(6, 7)
FIRST = "L4:r0c0,r0c1,r0c2,r1c0 L4:r0c3,r1c1,r1c2,r1c3"
SECOND = "L4:r0c0,r1c0,r1c1,r1c2 L4:r0c1,r0c2,r0c3,r1c3"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"s SATISFIABLE\nv {ONE} 0\n", [FIRST]),
        (f"c cadical\n\ns SATISFIABLE\nv {ONE[:9]}\nv {ONE[9:]}\nv 0\nc bye\n", [FIRST]),
        (f"SAT\r\n{ONE} 0\r\n", [FIRST]),
        (f"c Answer: 1\nv {ONE} 0\ns SATISFIABLE\nc Models : 1+\n", [FIRST]),
        (f"warning: this solver talks\ns SATISFIABLE\nv {ONE} 0\n", [FIRST]),
        ("s SATISFIABLE\nv x1 -x2 -x3 x4 -x5\nv -x6 -x7 -x8\nc pseudo-Boolean\n", [FIRST]),
        ("s SATISFIABLE\nv x1 -x2 -x3 x4 -x5 -x6 -x7 -x8", [FIRST]),
        (f"v {TWO} 9 0\nv {ONE} 9 0\nv {TWO} -9 0\ns SATISFIABLE\n", [SECOND, FIRST]),
    ],
    ids=["cadical", "lines", "minisat", "clasp", "talk", "opb", "opb-end", "auxiliaries"],
)
def test_an_answer_in_any_of_its_forms_becomes_the_tilings_each_once(
    text: str, expected: list[str]
) -> None:
    assert tilings(text) == expected


def test_what_minisat_and_clasp_answer_are_tilings_with_their_reveals(tmp_path: Path) -> None:
    every = {
        Decoded(reveal, tiling)
        for reveal in LETTERS.reveals()
        for tiling in satcal.tilings(LETTERS, reveal)
    }
    formula = written(tmp_path / "x.cnf", LETTERS, None)
    equations = written(tmp_path / "x.opb", LETTERS, None, format="opb")
    run("minisat", "-verb=0", formula, str(tmp_path / "result"))
    for answer in ((tmp_path / "result").read_text(), run("clasp", equations)):
        [decoded] = decode(LETTERS, None, answer)
        assert decoded in every
    decoded = decode(LETTERS, None, run("clasp", "-n", "0", formula))
    assert len(decoded) == 60
    assert set(decoded) == every


def test_the_answer_for_a_partly_filled_board_keeps_what_was_placed(tmp_path: Path) -> None:
    demands = parse_demands(TWO_L4, SECOND.split()[:1])
    answer = run("cadical", "-q", written(tmp_path / "x.cnf", TWO_L4, (), demands=demands))
    [decoded] = decode(TWO_L4, (), answer, demands=demands)
    assert " ".join(map(str, decoded.tiling)) == SECOND


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        *(
            (
                text,
                Unsatisfiable,
                "the solver says UNSATISFIABLE: two-L4 has no solution",
            )
            for text in ("c x\ns UNSATISFIABLE\n", "UNSAT\n", "UNSATISFIABLE\n")
        ),
        *(
            (
                text,
                BudgetExhausted,
                "the solver says UNKNOWN: it stopped before it knew whether "
                "two-L4 has a tiling; give it more time",
            )
            for text in ("s UNKNOWN\n", "c UNKNOWN\n", "INDET\n", "INDETERMINATE\n")
        ),
        (
            f"s SATISFIABLE\nv {model(1)} 0",
            NoTiling,
            f"this is not a tiling: L4 is used 1 times, not 2{WAS_IT}",
        ),
        (
            f"v {ONE} 0\nv {model(1, 5)} 0\ns SATISFIABLE",
            NoTiling,
            f"model 2: this is not a tiling: L4 covers r0c0, which is covered already{WAS_IT}",
        ),
        (
            "c t pmc\np cnf 8 42\n1 5 7 0\n",
            FormatError,
            f"line 2: this is a formula, not a solver's answer to it; {HOW}",
        ),
        (
            f"s OPTIMUM FOUND\nv {ONE} 0\n",
            FormatError,
            "line 1: 's OPTIMUM FOUND' is not a status line; "
            "expected 's SATISFIABLE', 's UNSATISFIABLE' or 's UNKNOWN'",
        ),
        (
            f"s SATISFIABLE\nv {ONE} 0\nc again\ns UNSATISFIABLE\n",
            FormatError,
            f"line 4: 's UNSATISFIABLE' contradicts line 1; {TWO_RUNS}",
        ),
        (
            f"s UNSATISFIABLE\nv {ONE} 0\n",
            FormatError,
            f"line 2: a model, although line 1 says UNSATISFIABLE; {TWO_RUNS}",
        ),
        (f"c x\ns SATISFIABLE\nv {ONE}\n", FormatError, f"line 3: {CUT}"),
        (
            f"c Answer: 1\nv {ONE}\nc Answer: 2\nv {TWO} 0\ns SATISFIABLE\n",
            FormatError,
            f"line 2: {CUT}",
        ),
        ("s SATISFIABLE\nv 1 - 2 0\n", FormatError, f"line 2: '-' {NO_LITERAL}"),
        (f"s SATISFIABLE\nv {'9' * 5000} 0\n", FormatError, f"line 2: '{'9' * 40}' {NO_LITERAL}"),
        (
            f"s SATISFIABLE\nv {ONE}\nv 2 0\n",
            FormatError,
            "line 3: the model has both 2 and -2; are two answers mixed?",
        ),
        (
            "s SATISFIABLE\nv x1 -x2\n",
            FormatError,
            "line 2: the model has no value for "
            "variable 3 of 8, not even a negative number for false; is it the answer to this "
            "puzzle and reveal?",
        ),
        (
            "=====\n| Number of variables: 8 |\nSATISFIABLE\n",
            FormatError,
            f"line 3: SATISFIABLE, but no model follows; {HOW}",
        ),
    ],
    ids=lambda value: value[:24] if isinstance(value, str) else None,
)
def test_what_is_no_tiling_or_no_answer_is_refused_and_unknown_is_neither(
    text: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as refused:
        decode(TWO_L4, (), text, where="a.txt")
    assert str(refused.value) == f"a.txt: {message}"


def test_a_model_of_an_open_formula_must_reveal_one_label_per_category() -> None:
    for labels, reason in (
        ((), "it reveals no label of the category letter; was the open formula of this board"),
        ((113, 115, 117), "it reveals A and C of the category letter"),
        ((113,), "it reveals no label of the category digit"),
    ):
        with pytest.raises(NoTiling, match=f"^answer: this is not a tiling: {reason}"):
            decode(LETTERS, None, f"s SATISFIABLE\nv {model(*labels, top=120)} 0\n")


def test_a_damaged_answer_is_refused_or_still_a_tiling() -> None:
    right = f"c Answer: 1\nv {ONE} 0\nc Answer: 2\nv {TWO} 0\ns SATISFIABLE\n"
    rng = random.Random(1)
    refused = 0
    for _ in range(1000):
        text = list(right)
        for _ in range(rng.randrange(1, 4)):
            text[rng.randrange(len(text))] = rng.choice("0123456789- vscSATx\n")
        try:
            assert set(tilings("".join(text))) <= {FIRST, SECOND}
        except (FormatError, NoTiling):
            refused += 1
    assert refused > 500
