"""What solvers print becomes verified tilings, or an error that says what is wrong with it."""

# ruff: noqa: E501 -- a message in one line is easier to compare and to search for

from __future__ import annotations

import random
from pathlib import Path

import pytest
from external import ENCODINGS_FOLDER, run

import satcal
from satcal.encoding.decode import Decoded, SolverAnswer, decode, parse_answer
from satcal.encoding.export import export
from satcal.encoding.formula import Verdict
from satcal.errors import BudgetExhausted, FormatError, NoTiling
from satcal.puzzle.demands import parse_demands
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle

HOW = "save what a solver prints (`cadical FILE > ANSWER`, `clasp FILE > ANSWER`) or the result file of `minisat FILE ANSWER`"
TWO_RUNS = "is this the output of two runs?"
CUT = "the model does not end with 0; is the file cut short?"


def own(name: str) -> Puzzle:
    return load(str(ENCODINGS_FOLDER / "puzzles" / f"{name}.toml"))


@pytest.fixture(scope="module")
def puzzle() -> Puzzle:
    """Two L4 in a 2 x 4 rectangle: eight options; the tilings are options 1 and 4, and 6 and 7."""
    return own("two-L4")


@pytest.fixture(scope="module")
def letters() -> Puzzle:
    return own("letter-and-digit")


def model(*true: int, top: int = 8) -> str:
    return " ".join(str(v if v in true else -v) for v in range(1, top + 1))


def written(path: Path, *arguments, **options) -> str:
    path.write_text(export(*arguments, **options))
    return str(path)


def tilings(puzzle: Puzzle, text: str) -> list[str]:
    return [" ".join(map(str, each.tiling)) for each in decode(puzzle, (), text)]


FIRST, SECOND = model(1, 4), model(6, 7)
FIRST_TILING = "L4:r0c0,r0c1,r0c2,r1c0 L4:r0c3,r1c1,r1c2,r1c3"
SECOND_TILING = "L4:r0c0,r1c0,r1c1,r1c2 L4:r0c1,r0c2,r0c3,r1c3"


@pytest.mark.parametrize(
    "text",
    [
        f"s SATISFIABLE\nv {FIRST} 0\n",
        f"c cadical\n\ns SATISFIABLE\nv {FIRST[:9]}\nv {FIRST[9:]}\nv 0\nc bye\n",
        f"SAT\r\n{FIRST} 0\r\n",
        f"c Answer: 1\nv {FIRST} 0\ns SATISFIABLE\nc Models : 1+\n",
        f"s SATISFIABLE\nv {FIRST} 9 -10 11 0\n",
        f"warning: this solver talks\ns SATISFIABLE\nv {FIRST} 0\n",
        "s SATISFIABLE\nv x1 -x2 -x3 x4 -x5\nv -x6 -x7 -x8\nc pseudo-Boolean\n",
        "s SATISFIABLE\nv x1 -x2 -x3 x4 -x5 -x6 -x7 -x8",
    ],
    ids=["cadical", "lines", "minisat", "clasp", "auxiliaries", "talk", "opb", "opb-end"],
)
def test_an_answer_in_any_of_its_forms_becomes_the_tiling(puzzle: Puzzle, text: str) -> None:
    assert tilings(puzzle, text) == [FIRST_TILING]


def test_several_answers_are_several_tilings_and_auxiliaries_make_no_difference(
    puzzle: Puzzle,
) -> None:
    text = f"c Answer: 1\nv {SECOND} 9 0\nv {FIRST} 0\nv {SECOND} -9 0\ns SATISFIABLE\n"
    assert tilings(puzzle, text) == [SECOND_TILING, FIRST_TILING]


def test_what_cadical_minisat_and_clasp_answer_are_tilings(daily: Puzzle, tmp_path: Path) -> None:
    reveal, result = ("Oct", "6"), tmp_path / "result"
    every = set(satcal.tilings(daily, reveal))
    formula = written(tmp_path / "x.cnf", daily, reveal)
    equations = written(tmp_path / "x.opb", daily, reveal, format="opb")
    run("minisat", "-verb=0", formula, str(result))
    answers = [run("cadical", formula), run("clasp", equations), result.read_text()]
    for answer in answers:
        [decoded] = decode(daily, reveal, answer)
        assert (decoded.reveal, decoded.tiling in every) == (reveal, True)
    decoded = decode(daily, reveal, run("clasp", "-n", "0", formula))
    assert {each.tiling for each in decoded} == every
    assert len(decoded) == 7


def test_answers_to_an_open_formula_carry_their_reveals(letters: Puzzle, tmp_path: Path) -> None:
    answer = run("clasp", "-n", "0", written(tmp_path / "x.cnf", letters, None))
    decoded = decode(letters, None, answer)
    assert len(decoded) == 60
    assert set(decoded) == {
        Decoded(reveal, tiling)
        for reveal in letters.reveals()
        for tiling in satcal.tilings(letters, reveal)
    }


def test_the_answer_for_a_partly_filled_board_keeps_what_was_placed(
    daily: Puzzle, tmp_path: Path
) -> None:
    reveal = ("Oct", "6")
    wanted = next(iter(satcal.tilings(daily, reveal)))[3]
    demands = parse_demands(daily, [str(wanted)])
    answer = run("cadical", "-q", written(tmp_path / "x.cnf", daily, reveal, demands=demands))
    [decoded] = decode(daily, reveal, answer, demands=demands)
    assert wanted in decoded.tiling
    with pytest.raises(FormatError, match="has no value for variable"):
        decode(daily, reveal, f"s SATISFIABLE\nv {model(top=10)} 0\n")


# --- answers without a tiling -----------------------------------------------------------------

WAS_IT = "; was the formula exported for this board, reveal and --place?"


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        *((text, NoTiling, "the solver says UNSATISFIABLE: two-L4 has no tiling")
          for text in ("c x\ns UNSATISFIABLE\n", "UNSAT\n", "UNSATISFIABLE\n")),
        *((text, BudgetExhausted, "the solver says UNKNOWN: it stopped before it knew whether")
          for text in ("s UNKNOWN\n", "c UNKNOWN\n", "INDET\n", "INDETERMINATE\n")),
        (f"s SATISFIABLE\nv {model(1)} 0", NoTiling,
         f"this is no tiling: L4 is used 1 times, not 2{WAS_IT}"),
        (f"v {FIRST} 0\nv {model(1, 5)} 0\ns SATISFIABLE", NoTiling,
         f"model 2: this is no tiling: L4 covers r0c0, which is covered already{WAS_IT}"),
    ],
)  # fmt: skip
def test_unsatisfiable_unknown_and_a_model_that_is_no_tiling_are_three_things(
    puzzle: Puzzle, text: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as refused:
        decode(puzzle, (), text, where="a.txt")
    assert str(refused.value).startswith(f"a.txt: {message}")


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        ((), "it reveals no label of the category letter"),
        ((113, 115, 117), "it reveals A and C of the category letter"),
        ((113,), "it reveals no label of the category digit"),
    ],
)
def test_a_model_of_an_open_formula_must_reveal_one_label_per_category(
    letters: Puzzle, labels: tuple[int, ...], reason: str
) -> None:
    with pytest.raises(NoTiling) as refused:
        decode(letters, None, f"s SATISFIABLE\nv {model(*labels, top=120)} 0\n")
    assert str(refused.value) == (
        f"answer: this is no tiling: {reason}; was the open formula of this board exported?"
    )


# --- what is no answer ------------------------------------------------------------------------

NO_LITERAL = "is no literal; a model is a list such as 1 -2 3 0"
NO_MODEL = f"SATISFIABLE, but no model follows; {HOW}"
NO_VALUE = (
    "the model has no value for variable {} of 8; is it the answer to this puzzle and reveal?"
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("c t pmc\np cnf 8 42\n1 5 7 0\n", f"line 2: this is a formula, not a solver's answer to it; {HOW}"),
        (f"s OPTIMUM FOUND\nv {FIRST} 0\n", "line 1: 's OPTIMUM FOUND' is no status of a SAT solver; expected "
                     "'s SATISFIABLE', 's UNSATISFIABLE' or 's UNKNOWN'"),
        (f"s SATISFIABLE\nv {FIRST} 0\nc again\ns UNSATISFIABLE\n", f"line 4: 's UNSATISFIABLE' contradicts line 1; {TWO_RUNS}"),
        (f"c x\ns SATISFIABLE\nv {FIRST}\n", f"line 3: {CUT}"),
        (f"c Answer: 1\nv {FIRST}\nc Answer: 2\nv {SECOND} 0\ns SATISFIABLE\n", f"line 2: {CUT}"),
        ("s SATISFIABLE\nv 1 -2 three 0\n", f"line 2: 'three' {NO_LITERAL}"),
        ("s SATISFIABLE\nv 1 - 2 0\n", f"line 2: '-' {NO_LITERAL}"),
        (f"s SATISFIABLE\nv {'9' * 5000} 0\n", f"line 2: '{'9' * 40}' {NO_LITERAL}"),
        (f"s SATISFIABLE\nv {FIRST}\nv 2 0\n", "line 3: the model has both 2 and -2; are two answers mixed?"),
        ("s SATISFIABLE\nv 1 -2 -3 4 -5 -6 -8 0\n", f"line 2: {NO_VALUE.format(7)}"),
        ("s SATISFIABLE\nv x1 -x2\n", f"line 2: {NO_VALUE.format(3)}"),
        ("=====\n| Number of variables: 8 |\nSATISFIABLE\n", f"line 3: {NO_MODEL}"),
        (f"s UNSATISFIABLE\nv {FIRST} 0\n", f"line 2: a model, although line 1 says UNSATISFIABLE; {TWO_RUNS}"),
    ],
    ids=lambda text: text[:24],
)  # fmt: skip
def test_what_is_no_answer_is_refused_with_its_line_and_the_way_out(
    puzzle: Puzzle, text: str, message: str
) -> None:
    with pytest.raises(FormatError) as refused:
        decode(puzzle, (), text, where="a.txt")
    assert str(refused.value) == f"a.txt: {message}"


def test_a_damaged_answer_is_refused_or_still_a_tiling(puzzle: Puzzle) -> None:
    right = f"c Answer: 1\nv {FIRST} 0\nc Answer: 2\nv {SECOND} 0\ns SATISFIABLE\n"
    rng = random.Random(1)
    refused = 0
    for _ in range(1000):
        text = list(right)
        for _ in range(rng.randrange(1, 4)):
            text[rng.randrange(len(text))] = rng.choice("0123456789- vscSATx\n")
        try:
            assert set(tilings(puzzle, "".join(text))) <= {FIRST_TILING, SECOND_TILING}
        except (FormatError, NoTiling):
            refused += 1
    assert refused > 500


def test_a_formula_without_variables_has_an_empty_model() -> None:
    answer = parse_answer("s SATISFIABLE\nv 0\n", 0)
    assert answer == SolverAnswer(Verdict.SAT, (frozenset(),))
