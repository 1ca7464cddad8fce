"""``--store`` and ``--fresh``: the options of commands that keep what they count."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import click

from satcal.cli.options import Selection
from satcal.errors import OptionError
from satcal.store.location import NONE, parse_location
from satcal.store.resuming import Keeper

store_option = click.option(
    "--store", "where", envvar="SATCAL_STORE", show_envvar=True, metavar="URL|FILE|none",
    help="Where finished counts are kept.  [default: a file in the user's data directory]",
)  # fmt: skip


def storing(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--store`` and ``--fresh``; the command takes a ``keeper`` instead of them."""

    @store_option
    @click.option("--fresh", is_flag=True, help="Count again what the store knows already.")
    @functools.wraps(command)
    def wrapped(
        selection: Selection, where: str | None, fresh: bool, quiet: bool, **rest: Any
    ) -> Any:
        location = parse_location(where)
        if fresh and where == NONE:
            raise OptionError("--fresh is about the store, and --store none has none")
        keeper = Keeper(location, selection.origin, fresh, quiet=quiet)
        try:
            return command(selection=selection, keeper=keeper, quiet=quiet, **rest)
        finally:
            keeper.close()

    return wrapped
