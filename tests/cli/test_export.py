import gzip
import lzma

import pytest
from pysat.solvers import NoSuchSolverError

from helpers.commands import run
from satcal.counting import sat
from satcal.encoding import ENCODINGS


def test_an_export_goes_to_stdout_or_to_a_file_compressed_by_its_name(satcal, tmp_path):
    plain = satcal("export --date 2025-10-06").out
    assert "\np cnf " in plain
    for name, opened in (("x.cnf", open), ("x.cnf.gz", gzip.open), ("x.cnf.xz", lzma.open)):
        path = tmp_path / name
        assert satcal(f"export --date 2025-10-06 -o {path}").code == 0
        with opened(path, "rt") as stream:
            assert stream.read() == plain


def test_a_range_makes_a_file_for_each_date(satcal, tmp_path):
    dates = "--from 2025-10-06 --to 2025-10-08"
    assert satcal(f"export {dates} -o {tmp_path}/ --compress gz --format opb").code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"a-puzzle-a-day-Oct-{day}.opb.gz" for day in (6, 7, 8)
    ]


@pytest.mark.parametrize("style", ["dimacs", "opb", "dlx", "asp"])
def test_the_open_formula_comes_in_every_format(satcal, small, style):
    said = satcal(f"export -b {small} --open --format {style}")
    assert said.code == 0
    assert "open: one label of each category is revealed" in said.out


@pytest.fixture
def decoded(satcal, tmp_path):
    """Let CaDiCaL answer what is exported, and decode that."""

    def call(options):
        formula, answer = tmp_path / "formula.cnf", tmp_path / "answer.txt"
        assert satcal(f"export {options} -o {formula} --force").code == 0
        answer.write_text(run("cadical", "-q", str(formula)))
        said = satcal(f"decode {options} {answer}")
        assert said.code == 0
        return said.out

    return call


def test_the_answer_of_cadical_comes_back_as_one_of_the_tilings(satcal, decoded):
    drawn = decoded("--date 2025-10-06")
    assert drawn.startswith("Oct 6, verified\n┌───")
    every = satcal("solve --date 2025-10-06 --all").out
    assert drawn.partition("\n")[2] in every


def test_a_formula_says_whose_answer_it_is(satcal, tmp_path):
    formula, answer = tmp_path / "formula.cnf.gz", tmp_path / "answer.txt"
    for options in ("rhombus --reveal Thu,Sep,6", "Oct 6 --place O@r0c0 --encoding plain"):
        satcal(f"export {options} -o {formula} --force")
        text = gzip.decompress(formula.read_bytes()).decode()
        (tmp_path / "plain").write_text(text)
        answer.write_text(run("cadical", "-q", str(tmp_path / "plain")))
        said = satcal(f"decode {formula} {answer}")
        assert said.code == 0
        assert "verified\n" in said.out


@pytest.fixture
def refused(satcal, tmp_path):
    """Say that an exported formula is unsatisfiable; return the exit code and what satcal says."""
    (tmp_path / "answer").write_text("s UNSATISFIABLE\n")

    def call(export, change=lambda text: text, options=""):
        path = tmp_path / ("f.opb" if "opb" in export else "f.cnf")
        path.write_text(change(satcal(f"export {export}").out))
        said = satcal(f"decode {path} {options} {tmp_path}/answer")
        return said.code, (said.out + said.err).replace(f"{tmp_path}/", "")

    return call


NO = "answer: the solver says UNSATISFIABLE"
ERROR = f"satcal: error: {NO}"


@pytest.mark.parametrize("style", ["dimacs", "opb"])
def test_unsatisfiable_is_a_disagreement_where_satcal_has_tilings(refused, style):
    code, said = refused(f"Oct 6 --format {style}")
    assert (code, said) == (
        1,
        f"{ERROR}, but satcal counts 7 solutions of a-puzzle-a-day Oct 6\n",
    )
    code, said = refused(f"--open --format {style}")
    assert (code, said) == (
        1,
        f"{ERROR}, but satcal counts 25,061 solutions of a-puzzle-a-day\n",
    )


def test_unsatisfiable_is_an_answer_where_there_is_no_tiling_or_where_clauses_were_added(refused):
    assert refused("Oct 6 --place O@29 --place V@31") == (
        1,
        f"{NO}, and so does satcal: a-puzzle-a-day Oct 6 has no solution\n",
    )
    code, said = refused("Oct 6", lambda text: f"{text}1 0\n-1 0\n")
    assert (code, said.endswith("Oct 6 has 7 solutions, and f.cnf excludes each\n")) == (1, True)
    code, said = refused("Oct 6", lambda text: f"{text}0\n")  # the empty clause
    assert (code, said.endswith("Oct 6 has 7 solutions, and f.cnf excludes each\n")) == (1, True)
    code, said = refused("Oct 6", lambda text: f"{text}800 0\n-800 0\n")  # of auxiliaries
    assert code == 1
    assert said.endswith("so this says nothing about the board; export it again\n")


@pytest.mark.parametrize(
    ("style", "added"), [("dimacs", "{} 0\n"), ("opb", "{} >= -6 ;\n"), ("dimacs", "odd 0\n")]
)
def test_a_tiling_that_a_formula_forbids_is_no_model_of_it(satcal, tmp_path, style, added):
    formula, answer = tmp_path / f"f.{'opb' if style == 'opb' else 'cnf'}", tmp_path / "answer"
    satcal(f"export Oct 6 -o {formula}")
    satcal(f"export Oct 6 -o {tmp_path}/plain.cnf")
    answer.write_text(run("cadical", "-q", str(tmp_path / "plain.cnf")))
    assert satcal(f"decode {formula} {answer}").code == 0
    model = [int(word) for word in answer.read_text().split() if word.lstrip("-").isdigit()]
    true = [literal for literal in model if 0 < literal <= 681]
    term = "-1 x{}" if style == "opb" else "-{}"
    forbidden = added.format(" ".join(term.format(variable) for variable in true))
    formula.write_text(formula.read_text() + forbidden)
    said = satcal(f"decode {formula} {answer}")
    if "odd" in added:
        assert said.code == 2
        assert "'odd 0' is neither a clause nor an equation; export it again" in said.err
    else:
        assert said.code == 1
        assert f"this is not a model of {formula}: it violates '{forbidden:.30}" in said.err


def test_a_files_suffix_says_its_format(satcal, tmp_path):
    for suffix, start in ((".opb", b"* "), (".dlx", b"| "), (".lp", b"% "), (".cnf", b"c ")):
        assert satcal(f"export Oct 6 -o {tmp_path}/x{suffix}").code == 0
        assert (tmp_path / f"x{suffix}").read_bytes().startswith(start)
    said = satcal(f"export Oct 6 --format opb -o {tmp_path}/y.cnf")
    assert (said.code, "change one of them" in said.err) == (2, True)


def test_what_would_not_be_heeded_is_refused(satcal, tmp_path):
    said = satcal(f"export --open Oct 6 -o {tmp_path}/x.cnf")
    assert (said.code, "cannot be combined with --open; drop one" in said.err) == (2, True)
    said = satcal(f"export --family {tmp_path}/family rhombus")
    assert (said.code, "does not apply to the benchmark family" in said.err) == (2, True)


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        (
            lambda text: text.replace("c satcal export", "c export"),
            "",
            "is missing, so its board is unknown",
        ),
        (
            lambda text: text.replace("specification 1", "specification 9"),
            "",
            "another version of satcal",
        ),
        (lambda text: text.replace("c digest ", "c digest 1"), "", "the digests differ"),
        (lambda text: text, "--board tetromino", "the digests differ"),
        (lambda text: text, "rhombus", "it was not exported from rhombus"),
        (lambda text: text, "tomorrow", "tomorrow cannot be combined with a formula file"),
        (lambda text: text.replace("c puzzle a-", "c puzzle my-"), "", "is not in the library"),
        (lambda text: text.replace("c options ", "c options x"), "", "is not a number"),
        (lambda text: text.replace("c reveal ", "c rev "), "", "its head has no 'c reveal ...'"),
        (lambda text: text.replace("c var 9 place O", "c var 9 place U"), "", "variable 9 is"),
        (lambda text: text, "--date 2025-10-06", "--date cannot be combined with a formula file"),
        (lambda text: text, "other.cnf", "two formulas"),
    ],
)
def test_a_formula_of_something_else_is_refused_by_name(refused, change, options, message):
    code, said = refused("Oct 6", change, options)
    assert code == (4 if "specification 9" in said else 2)
    assert message in said


def test_a_model_alone_says_whose_date_it_assumes(satcal, tmp_path):
    (tmp_path / "answer").write_text("s UNSATISFIABLE\n")
    said = satcal(f"decode rhombus --date 2025-10-23 {tmp_path}/answer")
    assert "answer: read as the answer for 2025-10-23 on rhombus\n" in said.err


def test_the_help_says_which_encodings_only_a_projected_counter_counts_right(satcal):
    said = "".join(satcal("export --help").out.split())  # it breaks lines at hyphens, too
    listed = [name for name, each in ENCODINGS.items() if not each.determined]
    sentence = f"With {', '.join(listed[:-1])} and {listed[-1]}, use a projected model counter"
    assert sentence.replace(" ", "") in said


@pytest.mark.parametrize(
    ("solver", "way"), [("minisatgh", "use c"), ("cryptosat", "`pip install pycryptosat`, or use")]
)
def test_a_solver_that_pysat_was_built_without_is_named(satcal, monkeypatch, solver, way):
    def missing(name):
        raise NoSuchSolverError(name)

    monkeypatch.setattr(sat, "Solver", missing)
    said = satcal(f"solve Oct 6 --method sat --solver {solver}")
    assert said.code == 4
    assert f"solver {solver} is missing in this build of PySAT; {way}" in said.err


def test_the_answer_to_an_open_formula_says_which_reveal_it_chose(decoded, small):
    assert decoded(f"-b {small} --open").split(",")[0] in ("a", "b")
