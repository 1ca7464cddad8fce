from __future__ import annotations

import random
from pathlib import Path

import pytest
from external import ENCODINGS_FOLDER, run

import satcal
from satcal.encoding.decode import Decoded, decode
from satcal.encoding.export import export
from satcal.encoding.solver_output import SolverAnswer, Verdict, parse_answer
from satcal.errors import BudgetExhausted, FormatError, NoTiling
from satcal.puzzle.loading import load
from satcal.puzzle.model import Puzzle
from satcal.puzzle.place import parse_demands

HOW = (
    "save what a solver prints (`cadical FILE > ANSWER`, `clasp FILE > ANSWER`) or the result "
    "file of `minisat FILE ANSWER`"
)


@pytest.fixture(scope="module")
def puzzle() -> Puzzle:
    """Two L4 in a 2 x 4 rectangle: eight options; the tilings are options 1 and 4, and 6 and 7."""
    return load(str(ENCODINGS_FOLDER / "puzzles" / "two-L4.toml"))


@pytest.fixture(scope="module")
def letters() -> Puzzle:
    return load(str(ENCODINGS_FOLDER / "puzzles" / "letter-and-digit.toml"))


def model(*true: int, top: int = 8) -> str:
    return " ".join(str(v if v in true else -v) for v in range(1, top + 1))


def written(path: Path, *arguments, **options) -> Path:
    path.write_text("".join(export(*arguments, **options)))
    return path


# --- right answers ----------------------------------------------------------------------------


FIRST, SECOND = model(1, 4), model(6, 7)


def tilings(puzzle: Puzzle, text: str) -> list[str]:
    return [" ".join(map(str, each.tiling)) for each in decode(puzzle, (), text)]


FIRST_TILING = "L4:r0c0,r0c1,r0c2,r1c0 L4:r0c3,r1c1,r1c2,r1c3"
SECOND_TILING = "L4:r0c0,r1c0,r1c1,r1c2 L4:r0c1,r0c2,r0c3,r1c3"


@pytest.mark.parametrize(
    "text",
    [
        f"s SATISFIABLE\nv {FIRST} 0\n",
        f"c cadical\n\ns SATISFIABLE\nv {FIRST[:9]}\nv {FIRST[9:]}\nv 0\nc bye\n",
        f"SAT\n{FIRST} 0\n",
        f"SAT\r\n{FIRST} 0\r\n",
        f"c Answer: 1\nv {FIRST} 0\ns SATISFIABLE\nc Models : 1+\n",
        f"s SATISFIABLE\nv {FIRST} 9 -10 11 0\n",
        f"warning: this solver talks\ns SATISFIABLE\nv {FIRST} 0\n",
        "s SATISFIABLE\nv x1 -x2 -x3 x4 -x5\nv -x6 -x7 -x8\nc pseudo-Boolean\n",
        "v x1 -x2 -x3 x4 -x5 -x6 -x7 -x8",
    ],
    ids=["cadical", "lines", "minisat", "crlf", "clasp", "auxiliaries", "talk", "opb", "opb-end"],
)
def test_an_answer_in_any_of_its_forms_becomes_the_tiling(puzzle, text):
    text = text if "\n" in text else f"s SATISFIABLE\n{text}"
    assert tilings(puzzle, text) == [FIRST_TILING]


def test_several_answers_become_several_tilings_in_their_order(puzzle):
    text = f"c Answer: 1\nv {SECOND} 0\nc Answer: 2\nv {FIRST} 0\ns SATISFIABLE\n"
    assert tilings(puzzle, text) == [SECOND_TILING, FIRST_TILING]


def test_models_that_differ_in_auxiliaries_alone_are_one_tiling(puzzle):
    text = f"v {FIRST} 9 0\nv {SECOND} 9 0\nv {FIRST} -9 0\ns SATISFIABLE\n"
    assert tilings(puzzle, text) == [FIRST_TILING, SECOND_TILING]


@pytest.mark.parametrize("encoding", ["plain", "owner", "ladder", "card-cardnetwrk"])
def test_what_cadical_minisat_and_clasp_answer_is_a_tiling(daily, encoding, tmp_path):
    reveal = ("Oct", "6")
    every = set(satcal.tilings(daily, reveal))
    path = str(written(tmp_path / "x.cnf", daily, reveal, encoding=encoding))
    run("minisat", "-verb=0", path, str(tmp_path / "result"))
    answers = [run("cadical", path), run("cadical", "-q", path), run("clasp", path)]
    for answer in (*answers, (tmp_path / "result").read_text()):
        [found] = decode(daily, reveal, answer)
        assert found.reveal == reveal
        assert found.tiling in every


def test_all_answers_of_clasp_are_all_tilings(daily, tmp_path):
    reveal = ("Oct", "6")
    path = written(tmp_path / "x.cnf", daily, reveal)
    found = decode(daily, reveal, run("clasp", "-n", "0", str(path)))
    assert {each.tiling for each in found} == set(satcal.tilings(daily, reveal))
    assert len(found) == 7


def test_the_answer_of_clasp_to_equations_is_a_tiling(daily, tmp_path):
    path = written(tmp_path / "x.opb", daily, ("Oct", "6"), format="opb")
    [found] = decode(daily, ("Oct", "6"), run("clasp", str(path)))
    assert found.tiling in set(satcal.tilings(daily, ("Oct", "6")))


def test_answers_to_an_open_formula_carry_their_reveals(letters, tmp_path):
    path = written(tmp_path / "x.cnf", letters, None)
    found = decode(letters, None, run("clasp", "-n", "0", str(path)))
    expected = {
        Decoded(reveal, tiling)
        for reveal in letters.reveals()
        for tiling in satcal.tilings(letters, reveal)
    }
    assert set(found) == expected
    assert len(found) == 60


def test_the_answer_for_a_partly_filled_board_keeps_what_was_placed(daily, tmp_path):
    reveal = ("Oct", "6")
    wanted = next(iter(satcal.tilings(daily, reveal)))[3]
    demands = parse_demands(daily, [str(wanted)])
    path = written(tmp_path / "x.cnf", daily, reveal, demands=demands)
    [found] = decode(daily, reveal, run("cadical", "-q", str(path)), demands=demands)
    assert wanted in found.tiling
    with pytest.raises(FormatError, match="has no value for variable"):
        decode(daily, reveal, run("clasp", str(written(tmp_path / "y.opb", daily, reveal,
               format="opb", demands=demands))))  # fmt: skip


# --- answers without a tiling -----------------------------------------------------------------


@pytest.mark.parametrize("text", ["c x\ns UNSATISFIABLE\n", "UNSAT\n", "UNSATISFIABLE\n"])
def test_unsatisfiable_is_no_tiling(puzzle, text):
    with pytest.raises(NoTiling) as said:
        decode(puzzle, (), text, where="a.txt")
    assert str(said.value) == "a.txt: the solver says UNSATISFIABLE: two-L4 has no tiling"


@pytest.mark.parametrize("text", ["s UNKNOWN\n", "c UNKNOWN\n", "INDET\n", "INDETERMINATE\n"])
def test_unknown_is_neither_an_answer_nor_no_tiling(daily, text):
    with pytest.raises(BudgetExhausted) as said:
        decode(daily, ("Oct", "6"), text)
    assert str(said.value) == (
        "answer: the solver says UNKNOWN: it stopped before it knew whether a-puzzle-a-day Oct 6 "
        "has a tiling; give it more time"
    )


WAS_IT = "; was the formula exported for this board, reveal and --place?"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            f"s SATISFIABLE\nv {model(1, 2)} 0",
            f"answer: this is no tiling: L4 covers r0c1, which is covered already{WAS_IT}",
        ),
        (
            f"s SATISFIABLE\nv {model(1)} 0",
            f"answer: this is no tiling: L4 is used 1 times, not 2{WAS_IT}",
        ),
        (
            f"s SATISFIABLE\nv {model()} 0",
            f"answer: this is no tiling: L4 is used 0 times, not 2{WAS_IT}",
        ),
        (
            f"v {FIRST} 0\nv {model(1, 5)} 0\ns SATISFIABLE",
            "answer: model 2: this is no tiling: L4 covers r0c0, which is covered already" + WAS_IT,
        ),
    ],
)
def test_a_model_that_is_no_tiling_is_refused_with_the_reason(puzzle, text, message):
    with pytest.raises(NoTiling) as said:
        decode(puzzle, (), text)
    assert str(said.value) == message


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        ((), "it reveals no label of the category letter"),
        ((113, 115, 117), "it reveals A and C of the category letter"),
        ((113,), "it reveals no label of the category digit"),
    ],
)
def test_a_model_of_an_open_formula_must_reveal_one_label_per_category(letters, labels, reason):
    with pytest.raises(NoTiling) as said:
        decode(letters, None, f"s SATISFIABLE\nv {model(*labels, top=120)} 0\n")
    assert str(said.value) == (
        f"answer: this is no tiling: {reason}; was the open formula of this board exported?"
    )


# --- what is no answer ------------------------------------------------------------------------

WRONG = {
    "empty": ("\n \n", f"a.txt: it is empty; {HOW}"),
    "no status": (
        f"v {FIRST} 0\n",
        "a.txt: no status line such as 's SATISFIABLE', so it is no solver's answer or a part of "
        f"one; {HOW}",
    ),
    "prose": (
        "Dear reader,\nthere are two tilings.\n",
        "a.txt: no status line such as 's SATISFIABLE', so it is no solver's answer or a part of "
        f"one; {HOW}",
    ),
    "formula": (
        "c t pmc\np cnf 8 42\n1 5 7 0\n",
        f"a.txt: line 2: this is a formula, not a solver's answer to it; {HOW}",
    ),
    "other status": (
        f"s OPTIMUM FOUND\nv {FIRST} 0\n",
        "a.txt: line 1: 's OPTIMUM FOUND' is no status of a SAT solver; expected "
        "'s SATISFIABLE', 's UNSATISFIABLE' or 's UNKNOWN'",
    ),
    "two statuses": (
        f"s SATISFIABLE\nv {FIRST} 0\nc again\ns UNSATISFIABLE\n",
        "a.txt: line 4: 's UNSATISFIABLE' contradicts line 1; is this the output of two runs?",
    ),
    "no zero": (
        f"c x\ns SATISFIABLE\nv {FIRST}\n",
        "a.txt: line 3: the model does not end with 0; is the file cut short?",
    ),
    "no zero before the next model": (
        f"c Answer: 1\nv {FIRST}\nc Answer: 2\nv {SECOND} 0\ns SATISFIABLE\n",
        "a.txt: line 2: the model does not end with 0; is the file cut short?",
    ),
    "no zero in minisat's file": (
        f"SAT\n{FIRST}\n",
        "a.txt: line 2: the model does not end with 0; is the file cut short?",
    ),
    "no literal": (
        "s SATISFIABLE\nv 1 -2 three 0\n",
        "a.txt: line 2: 'three' is no literal; a model is a list such as 1 -2 3 0",
    ),
    "half a literal": (
        "s SATISFIABLE\nv 1 - 2 0\n",
        "a.txt: line 2: '-' is no literal; a model is a list such as 1 -2 3 0",
    ),
    "out of range": (
        "s SATISFIABLE\nv 1 -99999999999 0\n",
        "a.txt: line 2: literal -99999999999 is out of range; is the file damaged?",
    ),
    "contradictory": (
        f"s SATISFIABLE\nv {FIRST}\nv 2 0\n",
        "a.txt: line 3: the model has both 2 and -2; are two answers mixed?",
    ),
    "contradictory in one line": (
        "s SATISFIABLE\nv 1 2 -1 0\n",
        "a.txt: line 2: the model has both 1 and -1; are two answers mixed?",
    ),
    "missing variable": (
        "s SATISFIABLE\nv 1 -2 -3 4 -5 -6 -8 0\n",
        "a.txt: line 2: the model has no value for variable 7 of 8; is it the answer to this "
        "puzzle and reveal?",
    ),
    "missing end of a pseudo-Boolean model": (
        "s SATISFIABLE\nv x1 -x2\n",
        "a.txt: line 2: the model has no value for variable 3 of 8; is it the answer to this "
        "puzzle and reveal?",
    ),
    "no model": (
        "c cadical -n\ns SATISFIABLE\n",
        f"a.txt: line 2: SATISFIABLE, but no model follows; {HOW}",
    ),
    "the screen of minisat": (
        "=====\n| Number of variables: 8 |\nSATISFIABLE\n",
        f"a.txt: line 3: SATISFIABLE, but no model follows; {HOW}",
    ),
    "model of nothing": (
        f"s UNSATISFIABLE\nv {FIRST} 0\n",
        "a.txt: line 2: a model, although line 1 says UNSATISFIABLE; is this the output of two "
        "runs?",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_answer_is_refused_with_its_line_and_the_way_out(puzzle, name):
    text, message = WRONG[name]
    with pytest.raises(FormatError) as refused:
        decode(puzzle, (), text, where="a.txt")
    assert str(refused.value) == message


def test_a_number_too_long_for_python_is_an_error_and_not_a_crash(puzzle):
    with pytest.raises(FormatError, match="line 2"):
        decode(puzzle, (), f"s SATISFIABLE\nv {'9' * 5000} 0\n")


def test_a_damaged_answer_is_refused_or_still_a_tiling(puzzle):
    right = f"c Answer: 1\nv {FIRST} 0\nc Answer: 2\nv {SECOND} 0\ns SATISFIABLE\n"
    rng = random.Random(1)
    refused = 0
    for _ in range(2000):
        text = list(right)
        for _ in range(rng.randrange(1, 4)):
            text[rng.randrange(len(text))] = rng.choice("0123456789- vscSATx\n")
        try:
            assert set(tilings(puzzle, "".join(text))) <= {FIRST_TILING, SECOND_TILING}
        except (FormatError, NoTiling):
            refused += 1
    assert refused > 1000


def test_a_formula_without_variables_has_an_empty_model():
    assert parse_answer("s SATISFIABLE\nv 0\n", 0) == SolverAnswer(Verdict.SAT, (frozenset(),))
    assert parse_answer("SAT\n0\n", 0) == SolverAnswer(Verdict.SAT, (frozenset(),))
