"""``satcal serve``: the HTTP API and the page."""

from __future__ import annotations

import gc
import logging
import sys

import click

from satcal.cli import options
from satcal.errors import FileTrouble, Missing
from satcal.parts import command_for
from satcal.puzzle.loading import library
from satcal.store.location import parse_location


@options.command()
@click.option("--host", default="127.0.0.1", help="Address to listen on.")
@click.option(
    "--port",
    default=8000,
    type=click.IntRange(0, 65535),
    help="Port to listen on; 0 picks a free one.",
)
@click.option(
    "--token",
    "tokens",
    multiple=True,
    envvar="SATCAL_TOKEN",
    show_envvar=True,
    help="Secret that clients must send; required unless --host is a loopback address. Each token "
    "has its own jobs. May be repeated.",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    help="Host name by which clients reach the service, for example through a proxy. May be "
    "repeated.",
)
@click.option(
    "--public", is_flag=True, help="Let anyone play without a token; jobs still need one."
)
@click.option(
    "--board",
    envvar="SATCAL_BOARD",
    default=options.DEFAULT_BOARD,
    type=click.Choice(library()),
    metavar="NAME",
    help="Board to show first.",
)
@options.memory_option("Memory for each process.  [default: 3G]")
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(min=1, max=64),
    help="Number of jobs that run at a time.",
)
@click.option(
    "--cluster",
    envvar="SATCAL_CLUSTER",
    show_envvar=True,
    metavar="tcp://HOST:8786",
    help="Run the tasks of jobs on the workers of this Dask scheduler.",
)
@options.store_option
@click.pass_context
def serve(
    ctx: click.Context,
    host: str,
    port: int,
    tokens: tuple[str, ...],
    names: tuple[str, ...],
    public: bool,
    board: str,
    memory_limit: int | None,
    jobs: int | None,
    cluster: str | None,
    where: str | None,
) -> None:
    """Serve the HTTP API and a web page on which to solve, explore and prove today's puzzle."""
    try:
        from satcal.service.app import create_app, listen, server
        from satcal.service.config import Config, Limits
    except ImportError as error:
        raise Missing(f"serve needs {error.name}: {command_for('service')}") from error
    given = {"memory": memory_limit, "running": jobs}
    limits = Limits(**{name: value for name, value in given.items() if value is not None})
    config = Config(
        host,
        port,
        tokens,
        board,
        parse_location(where),
        names,
        limits,
        lambda: options.today(ctx),
        cluster,
        public,
    )
    try:
        socket = listen(host, port)
    except OSError as error:
        raise FileTrouble(f"cannot listen on {host}:{port}: {error.strerror or error}") from error
    with socket:
        # after listening: a server that finds its port taken must not take up another one's jobs
        app = create_app(config)
        logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="satcal: %(message)s")
        address = f"[{host}]" if ":" in host else host
        port = socket.getsockname()[1]
        click.echo(f"serving http://{address}:{port}/ (press Ctrl-C to stop)", err=True)
        click.echo("/api/v1/puzzles lists the puzzles; /docs shows each route", err=True)
        # what is there now stays: a large body makes Python look for garbage, and not in all of it
        gc.freeze()
        server(app, config).run(sockets=[socket])
