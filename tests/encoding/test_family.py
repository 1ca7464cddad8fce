"""The benchmark family: its bytes, its answers, and the proofs of two that have no model."""

from __future__ import annotations

import csv
import hashlib
import re

import pytest

import satcal
from benchmarks.family import questions
from helpers.checkers import replay
from helpers.commands import run
from satcal.certificates.checking import proof_of
from satcal.errors import Disagreement, SatcalError, Unsatisfiable
from satcal.external import family
from satcal.external.answers import answered, read_formula
from satcal.external.family import Instance
from tools import family as listed

INSTANCES = {each.file: each for each in family.instances()}
MODELS = [name for name, each in INSTANCES.items() if each.answer != "UNSATISFIABLE"]
LARGE = 3_000  # blocking clauses; more take seconds to write
PROVED = (
    "a-puzzle-a-day.Oct-6.decide.all-blocked.plain.cnf",
    "jarring-words.Apr-6.decide.all-blocked.plain.cnf",
)


def check_bytes(name: str, text: str) -> None:
    assert hashlib.sha256(text.encode()).hexdigest() == family.checksums()[name]


def model(instance: Instance) -> tuple[frozenset[int], satcal.Tiling]:
    """The last tiling of the first reveal: of *one-left* the only one that is not blocked."""
    reveal, cover = instance.reveals[0], instance.cover
    last = satcal.count(instance.puzzle, reveal) - 1
    tiling = satcal.kth_tiling(instance.puzzle, reveal, last)
    labels = reveal if cover.reveal is None else ()
    chosen = {*tiling, *(cover.puzzle.labels[text] for text in labels)}
    return frozenset(n for n, each in enumerate(cover.options, 1) if each in chosen), tiling


def with_units(text: str, literals: list[int]) -> str:
    """A DIMACS formula and these units."""
    size = re.search(r"^p cnf (\d+) (\d+)$", text, re.M)
    assert size
    head = f"p cnf {size[1]} {int(size[2]) + len(literals)}"
    units = "".join(f"{literal} 0\n" for literal in literals)
    return text[: size.start()] + head + text[size.end() :] + units


def meets(text: str, true: frozenset[int]) -> bool:
    """Whether a set of variables meets every equation and inequality of an OPB text."""
    for line in text.splitlines():
        if not line.startswith("*"):
            terms, relation, bound = re.fullmatch(r"(.*) (=|>=) (-?\d+) ;", line).groups()
            found = re.findall(r"([+-]1) x(\d+)", terms)
            total = sum(int(factor) for factor, number in found if int(number) in true)
            if not (total == int(bound) if relation == "=" else total >= int(bound)):
                return False
    return True


@pytest.mark.parametrize("name", MODELS)
def test_a_model_of_each_satisfiable_instance_decodes_to_a_tiling(name, tmp_path):
    instance, path = INSTANCES[name], tmp_path / name
    text = instance.text()
    check_bytes(name, text)
    path.write_text(text)
    true, tiling = model(instance)
    literals = [n if n in true else -n for n in range(1, len(instance.cover.options) + 1)]
    if instance.format == "opb":
        assert meets(text, true)
        values = " ".join(f"x{n}" if n > 0 else f"-x{-n}" for n in literals)
        answer = f"s SATISFIABLE\nv {values}\n"
    else:
        formula = tmp_path / "units.cnf"
        formula.write_text(with_units(text, literals))
        answer = run("cadical", "-q", str(formula))
    asked = (instance.puzzle, instance.cover.reveal, answer, read_formula(path))
    [decoded] = answered(*asked)
    assert decoded.tiling == tuple(tiling)


@pytest.mark.parametrize("name", PROVED)
def test_that_nothing_is_left_where_all_is_blocked_has_a_proof(name):
    instance = INSTANCES[name]
    [reveal] = instance.reveals
    certificate = satcal.certify(instance.puzzle, reveal)
    proof = proof_of(certificate, reveal, 10**7, 10**9)
    text = instance.text()
    check_bytes(name, text)
    clauses = [line for line in text.splitlines() if line[0] not in "cp"]
    assert sorted(clauses) == sorted(line.strip() for line in list(proof.dimacs())[1:])
    assert replay("".join(proof.dimacs()), "".join(proof.lines("lrat"))) > 0


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.long] if each.tilings > LARGE else [])
        for name, each in INSTANCES.items()
        if name not in (*MODELS, *PROVED)
    ],
)
def test_the_bytes_of_the_others_are_those_whose_checksums_are_kept(name):
    check_bytes(name, INSTANCES[name].text())


def test_the_answers_are_the_counts_of_the_diagram():
    for instance in INSTANCES.values():
        if instance.reveal != "open":
            assert listed.completed(instance) == instance


def test_the_open_answers_are_the_sums_of_the_shipped_tables():
    for instance in INSTANCES.values():
        if instance.reveal == "open":
            path = family.shipped("results/counts") / f"{instance.board}.csv"
            with path.open() as file:
                assert sum(int(row["tilings"]) for row in csv.DictReader(file)) == instance.tilings


def test_the_times_are_of_listed_instances_and_no_solver_was_wrong():
    with (family.folder() / family.TIMES).open() as file:
        rows = list(csv.DictReader(file))
    assert len({(row["file"], row["solver"]) for row in rows}) == len(rows)
    for row in rows:
        assert row["file"] in INSTANCES
        assert row["status"] in ("right", "late", "failed")
        assert float(row["seconds"]) < 102


def test_every_solver_was_asked_what_it_can_be_asked_and_some_instances_are_hard():
    with (family.folder() / family.TIMES).open() as file:
        rows = list(csv.DictReader(file))
    assert list(questions({(row["file"], row["solver"]) for row in rows})) == []
    best = {
        name: min(
            (float(r["seconds"]) for r in rows if (r["file"], r["status"]) == (name, "right")),
            default=None,
        )
        for name in INSTANCES
    }
    assert sum(seconds is None for seconds in best.values()) >= 6
    assert sum(seconds is not None and seconds > 10 for seconds in best.values()) >= 6


def test_the_command_writes_the_instances_and_what_is_kept(satcal_family, tmp_path):
    said = satcal_family(f"export --family {tmp_path}/out --compress xz")
    assert said.code == 0
    names = {path.name for path in (tmp_path / "out").iterdir()}
    kept = {name.partition("/")[0] for name, _ in family.kept()}
    assert kept == {"family.csv", "SHA256SUMS", "times.csv", "boards", "README.md", "ENCODINGS.md"}
    assert names == {*kept, *(f"{name}.xz" for name in list(INSTANCES)[:2])}
    for link in re.findall(r"\]\(([^)]+)\)", (tmp_path / "out" / "README.md").read_text()):
        assert (tmp_path / "out" / link).exists()
    assert satcal_family("export --family out --date 2025-10-06").code == 2


def unsatisfiable(name, folder):
    """What is raised where a solver says so of an instance."""
    (folder / name).write_text(INSTANCES[name].text())
    asked = (INSTANCES[name].puzzle, INSTANCES[name].cover.reveal, "s UNSATISFIABLE")
    with pytest.raises(SatcalError) as raised:
        answered(*asked, read_formula(folder / name))
    return raised.value


@pytest.mark.parametrize(
    "name",
    [
        "a-puzzle-a-day.Oct-6.decide.all-blocked.plain.cnf",
        "rhombus.Thu-Sep-6.decide.all-blocked.ladder+pair.cnf",
        "rhombus.Thu-Oct-23.decide.all-blocked.opb",
    ],
)
def test_unsatisfiable_is_right_of_what_excludes_each_tiling_and_of_nothing_less(name, tmp_path):
    error = unsatisfiable(name, tmp_path)
    assert isinstance(error, Unsatisfiable)
    assert str(error).endswith(f"and {tmp_path / name} excludes each")
    lines = INSTANCES[name].text().splitlines(keepends=True)
    formula = tmp_path / f"less.{name.rpartition('.')[2]}"
    asked = (INSTANCES[name].puzzle, INSTANCES[name].cover.reveal, "s UNSATISFIABLE")
    formula.write_text("".join(lines[:-1]))  # the last blocking clause
    with pytest.raises(Disagreement, match="satisfies"):
        answered(*asked, read_formula(formula))
    first = next(n for n, line in enumerate(lines) if line[0] not in "cp*")
    formula.write_text("".join(lines[:first] + lines[first + 1 :]))  # one of satcal's own
    with pytest.raises(Unsatisfiable, match="this says nothing"):
        answered(*asked, read_formula(formula))


def test_one_that_is_left_is_a_disagreement(tmp_path):
    for name in (
        "a-puzzle-a-day.Oct-6.decide.one-left.plain.cnf",
        "rhombus.Thu-Oct-23.decide.one-left.opb",
    ):
        assert isinstance(unsatisfiable(name, tmp_path), Disagreement)


def test_a_board_of_the_family_is_found_beside_an_instance(satcal, tmp_path):
    name = "tetromino-copies-4x24"
    boards = tmp_path / "boards"
    boards.mkdir()
    (boards / f"{name}.toml").write_text((family.folder() / "boards" / f"{name}.toml").read_text())
    formula, answer = tmp_path / "f.opb", tmp_path / "answer"
    satcal(f"export {boards / name}.toml -o {formula}")
    answer.write_text("s UNKNOWN\n")
    assert "give it more time" in satcal(f"decode {formula} {answer}").err
    (boards / f"{name}.toml").unlink()
    assert "name the board's file" in satcal(f"decode {formula} {answer}").err


def test_other_bytes_than_those_kept_are_a_disagreement(satcal_family, monkeypatch, tmp_path):
    monkeypatch.setattr(family, "checksums", dict)
    said = satcal_family(f"export --family {tmp_path}/out")
    assert said.code == Disagreement.exit_code
    assert "not the bytes whose checksum is kept" in said.err


@pytest.fixture
def satcal_family(satcal, monkeypatch):
    """The command line with a family of two."""
    some = family.instances()[:2]
    monkeypatch.setattr(family, "instances", lambda: some)
    return satcal
