"""The options that say by which methods, and in what run, a command counts."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

import click

from satcal.cli import options
from satcal.counting.settings import (
    METHODS,
    SOLVERS,
    Assignment,
    ByDiagram,
    BySat,
    BySearch,
    Cutting,
    Method,
    Question,
    Run,
)
from satcal.errors import OptionError, unknown

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


@dataclass(frozen=True)
class CountOptions:
    """What the options of a count ask for: the question, each method by its name, and the run.

    ``name`` is the method that ``--method`` names, or the default.
    """

    question: Question
    methods: Mapping[str, Method]
    run: Run
    name: str = ByDiagram.name

    def assignment_to(self, name: str) -> Assignment:
        """The question, put to a method with its options; dates are cut only for one that can.

        Raises:
            OptionError: there is no such method, or it cannot answer.
        """
        if name not in self.methods:
            raise unknown("method", name, self.methods, OptionError)
        method = self.methods[name]
        run = self.run if method.cuts else replace(self.run, cubes=None)
        return Assignment(self.question, method, run)


method_option = click.option(
    "--method", type=click.Choice([*METHODS]), help=f"How to count.  [default: {ByDiagram.name}]"
)

_budget_options = (
    options.encoding_option,
    click.option(
        "--solver",
        cls=options.Listed,
        values=lambda: SOLVERS,  # whatever this PySAT has: the help is the same everywhere
        help="PySAT solver for --method sat.  [default: cadical195]",
    ),
    click.option(
        "--lemmas",
        type=click.Choice(["auto", "none", "single", "pair", "closed"]),
        default="auto",
        help="Extra clauses that hold for every tiling, for --method sat.",
    ),
    click.option(
        "--order",
        type=click.Choice(["static", "free"]),
        default="static",
        help="Order in which the SAT solver decides: along the cells (static, if the solver can), "
        "or its own choice (free).",
    ),
    click.option(
        "--pruning",
        type=click.Choice(["none", "smallest", "sums"]),
        default="sums",
        help="When --method search gives up a branch. none: never; smallest: if a part is smaller "
        "than the smallest piece left; sums: if no pieces left add up to its area.",
    ),
    click.option(
        "--conflicts",
        type=options.Limit(min=1),
        help="Stop each SAT count after this many conflicts.",
    ),
    click.option(
        "--up-to-symmetry",
        is_flag=True,
        help="Count tilings that are rotations or reflections of each other only once.",
    ),
    click.option(
        "--time-limit",
        type=options.seconds,
        metavar="SECONDS",
        help="Time for the whole run.",
    ),
    options.memory_option(
        "Memory for the diagram. If it would need more, fewer dates are counted at once, and with "
        "--cluster a date is split into shares.  [default: 3/4 of what is free, on Linux]"
    ),
    click.option(
        "--cache/--no-cache",
        "use_cache",
        default=True,
        help="Keep diagrams in the user's cache directory (SATCAL_CACHE moves it).",
    ),
)

_task_options = (
    options.jobs_option,
    click.option(
        "--cubes",
        type=options.Limit(min=1),
        metavar="N",
        help="Split dates with more than N tilings into subproblems (cubes), each one task for sat "
        "or search.",
    ),
    options.cluster_option,
)


def counting_options(
    tasks: bool = True, choose: bool = True
) -> Callable[[Decorated], Callable[..., Any]]:
    """Add method, encoding, solver and budgets; the command takes ``count_options``.

    A command that does not ``choose`` one method has no ``--method``. ``tasks``: how many are done
    at a time, and by whom, is an option too.
    """
    chosen = [method_option] if choose else []

    def decorate(command: Decorated) -> Callable[..., Any]:
        @options.together(*chosen, *_budget_options, *(_task_options if tasks else ()))
        @functools.wraps(command)
        def wrapped(selection: options.Selection, up_to_symmetry: bool, **rest: Any) -> Any:
            name = rest.pop("method", None) or ByDiagram.name
            methods = {name: _from_options(method, rest) for name, method in METHODS.items()}
            run = Run(
                rest.pop("jobs", None),
                rest.pop("cluster", None),
                _cutting(rest.pop("cubes", None), methods),
                rest.pop("time_limit"),
            )
            unused = {field.name for method in METHODS.values() for field in fields(method)}
            rest = {key: value for key, value in rest.items() if key not in unused}
            # with --verify others count, too, by options of their own
            alone = choose and not rest.get("verify")
            if alone:
                _refuse_unused(name)
            question = Question(
                selection.puzzle, selection.reveals, selection.demands, up_to_symmetry
            )
            if alone:
                Assignment(question, methods[name], run)  # raises what does not go together
            return command(
                selection=selection,
                count_options=CountOptions(question, methods, run, name),
                **rest,
            )

        return wrapped

    return decorate


def _from_options(method: type[Method], values: Mapping[str, Any]) -> Method:
    """The method, with the options that it heeds."""
    named = {field.name: values.get(field.name) for field in fields(method)}
    return method(**{name: value for name, value in named.items() if value is not None})


def _cutting(most: int | None, methods: Mapping[str, Method]) -> Cutting | None:
    diagram = methods[ByDiagram.name]
    assert isinstance(diagram, ByDiagram)
    return None if most is None else Cutting(most, diagram)


def _refuse_unused(name: str) -> None:
    """Raise OptionError for an option of another method than the one that is named.

    Where none is named others count a sample again, and heed theirs. What the diagram heeds
    holds for the one that cuts dates into cubes, or measures them, too.
    """
    if options.given("method"):
        for other in (BySat, BySearch):
            if other.name != name:
                own = [field.name for field in fields(other)]
                options.refuse(f"only applies to --method {other.name}", *own)
