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
@click.option("--port", default=8000, type=click.IntRange(0, 65535), help="0 takes a free one.")
@click.option(
    "--token",
    "tokens",
    multiple=True,
    envvar="SATCAL_TOKEN",
    show_envvar=True,
    help="What clients must send; required beyond loopback. Each token has jobs of its own.",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    help="A name by which clients call the service, as through a proxy.",
)
@click.option("--public", is_flag=True, help="All may play without the token; jobs need it still.")
@click.option(
    "--board",
    envvar="SATCAL_BOARD",
    default=options.DEFAULT_BOARD,
    type=click.Choice(library()),
    metavar="NAME",
    help="Shown first.",
)
@options.memory_option("Memory of each process.  [default: 3G]")
@click.option("--jobs", "-j", type=click.IntRange(min=1, max=64), help="Jobs at a time.")
@click.option(
    "--cluster",
    envvar="SATCAL_CLUSTER",
    show_envvar=True,
    metavar="tcp://HOST:8786",
    help="Do the tasks of jobs on the workers of this Dask scheduler.",
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
    """Serve the API and the page on which today's puzzle is solved, explored and proved."""
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
        click.echo(f"satcal serves http://{address}:{port}/ (Ctrl-C ends)", err=True)
        # what is there now stays: a large body makes Python look for garbage, and not in all of it
        gc.freeze()
        server(app, config).run(sockets=[socket])
