"""``satcal serve``: the HTTP API and the page."""

from __future__ import annotations

import logging
import sys

import click

from satcal.cli.options import DEFAULT_BOARD, MemorySize, today
from satcal.cli.storing import store_option
from satcal.errors import FileTrouble, Missing
from satcal.puzzle.loading import library


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(0, 65535),
    help="0 takes a free one.",
)  # fmt: skip
@click.option(
    "--token", envvar="SATCAL_TOKEN", show_envvar=True,
    help="What clients must send; required beyond loopback.",
)  # fmt: skip
@click.option("--name", "names", multiple=True, help="A name by which clients call the service.")
@click.option(
    "--board", envvar="SATCAL_BOARD", default=DEFAULT_BOARD, show_default=True,
    type=click.Choice(library()), metavar="NAME", help="Shown first.",
)  # fmt: skip
@click.option("--memory-limit", type=MemorySize(), help="Of each process.  [default: 3G]")
@click.option("--jobs", "-j", type=click.IntRange(min=1, max=64), help="Jobs at a time.")
@click.option(
    "--cluster", envvar="SATCAL_CLUSTER", show_envvar=True, metavar="tcp://HOST:8786",
    help="Do the tasks of jobs on the workers of this Dask scheduler. "
    'Needs `pip install "satcal[cluster]"`.',
)  # fmt: skip
@store_option
@click.pass_context
def serve(
    ctx: click.Context, host: str, port: int, token: str | None, names: tuple[str, ...], board: str,
    memory_limit: int | None, jobs: int | None, cluster: str | None, where: str | None,
) -> None:  # fmt: skip
    """Serve the API and the page on which today's puzzle is solved, explored and proved."""
    from satcal.service.config import Config, Limits
    from satcal.store.location import parse_location

    try:
        import uvicorn

        from satcal.service.app import create_app
        from satcal.service.limits import protocol
        from satcal.service.listening import listen
    except ImportError as error:
        raise Missing(f"serve needs {error.name}: pip install 'satcal[service]'") from error
    given = {"memory": memory_limit, "running": jobs}
    limits = Limits(**{name: value for name, value in given.items() if value is not None})
    config = Config(
        host, port, token, board, parse_location(where), names, limits, lambda: today(ctx), cluster
    )
    app = create_app(config)
    try:
        socket = listen(host, port)
    except OSError as error:
        raise FileTrouble(f"cannot listen on {host}:{port}: {error.strerror or error}") from error
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="satcal: %(message)s")
    address = f"[{host}]" if ":" in host else host
    click.echo(f"satcal serves http://{address}:{socket.getsockname()[1]}/ (Ctrl-C ends)", err=True)
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            http=protocol(limits.header_seconds),
            ws="none",
            lifespan="on",
            limit_concurrency=limits.connections,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=3,
            access_log=False,
            log_level="warning",
            server_header=False,
            h11_max_incomplete_event_size=65536,
        )
    )
    server.run(sockets=[socket])
