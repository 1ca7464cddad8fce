"""``satcal serve``: the HTTP API and the page."""

from __future__ import annotations

import re

import click

from satcal.cli.options import Command, add_section, board_option, memory_option
from satcal.cli.words import read_board
from satcal.errors import Missing, OptionError, StoreLocked
from satcal.parts import command_for
from satcal.puzzle.loading import library
from satcal.resources import cores
from satcal.store.opening import open_store

LOOPBACK = ("localhost", "127.0.0.1", "::1")
MIN_TOKEN = 16


@click.command(cls=Command)
@add_section(
    "Who may ask",
    click.option("--host", default="127.0.0.1", help="Address to listen on."),
    click.option("--port", default=8000, type=click.IntRange(0, 65535), help="0 takes a free one."),
    click.option(
        "--token",
        envvar="SATCAL_TOKEN",
        help=f"A secret of {MIN_TOKEN} characters or more that clients must send.",
    ),
    click.option("--public", is_flag=True, help="Let anyone use the page and read its counts."),
)
@add_section(
    "What it uses",
    board_option,
    click.option("--store", envvar="SATCAL_STORE", metavar="FILE|URL", help="For jobs and counts."),
    click.option(
        "-j",
        "--jobs",
        type=click.IntRange(3, 64),
        help="Processes; default: all cores, at least 3.",
    ),
    memory_option(3, "For each process that counts.", minimum=0.5),
    click.option(
        "--cluster",
        envvar="SATCAL_CLUSTER",
        metavar="tcp://HOST:PORT",
        help="Dask scheduler for jobs.",
    ),
)
def serve(
    host: str,
    port: int,
    token: str | None,
    public: bool,
    board: str | None,
    store: str | None,
    jobs: int | None,
    memory_limit: int,
    cluster: str | None,
) -> None:
    """Serve the page and the HTTP API until Ctrl-C.

    Without --token, only this machine may ask. With --token and --public, anyone may use the
    page and read; jobs need the token. Clients send JSON, with the header Content-Type:
    application/json. The page opens with the board of --board. The default store is a file in your
    data folder.
    """
    store, token, cluster = store or "", token or "", cluster or ""
    if token and not re.fullmatch(rf"[!-~]{{{MIN_TOKEN},}}", token):
        raise OptionError(f"--token: use at least {MIN_TOKEN} ASCII characters without spaces")
    if not token and (public or host not in LOOPBACK):
        option = "--public" if public else f"--host {host}"
        raise OptionError(f"{option} opens satcal to other machines; add --token SECRET")
    board = read_board([], board)
    if board not in library():
        raise OptionError(f"--board {board}: the page shows boards of the library; name one")
    if store == "none":
        raise OptionError(
            "--store none: a server stores its jobs; name a store, or leave out --store"
        )
    try:
        from satcal.service.serving import find_free_port, serve_forever
        from satcal.service.settings import Settings
    except ImportError as error:
        raise Missing(f"serve needs {error.name}; run {command_for('service')}") from error
    if cluster:
        from satcal.counting.cluster import Cluster

        # connect once here: an error in the server process would have no message
        Cluster(cluster).shutdown()
    port = find_free_port(host, port)
    opened_store = open_store(store)
    end_reservation = opened_store.reserve()  # a function; None if another server has reserved it
    opened_store.close()  # the reservation stays
    if end_reservation is None:
        raise StoreLocked(
            f"store {opened_store.location}: another server uses it; end that one first"
        )
    workers = max(3, jobs or cores())
    serve_forever(
        Settings(store, host, port, token, public, board, workers, memory_limit, cluster=cluster),
        lambda url: click.echo(f"serving {url} (press Ctrl-C to stop)", err=True),
    )
    end_reservation()
