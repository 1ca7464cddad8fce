"""``satcal serve``: the HTTP API and the page."""

from __future__ import annotations

import click
import cloup

from satcal.cli.words import DEFAULT_BOARD
from satcal.errors import Missing, OptionError, StoreLocked
from satcal.parts import command_for
from satcal.processes import cores
from satcal.puzzle.loading import library
from satcal.store.database import open_store

LOOPBACK = ("localhost", "127.0.0.1", "::1")
MIN_TOKEN = 16
GIB = 2**30


@cloup.command()
@cloup.option_group(
    "Who may ask",
    cloup.option("--host", default="127.0.0.1", help="Address to listen on."),
    cloup.option(
        "--port", default=8000, type=click.IntRange(0, 65535), help="Port; 0 picks a free one."
    ),
    cloup.option(
        "--token",
        envvar="SATCAL_TOKEN",
        default="",
        show_default=False,
        help="A secret that clients must send. Without it, only this machine may ask.",
    ),
    cloup.option(
        "--public",
        is_flag=True,
        help="Let everybody read, and use the page; jobs need the token. Without it, the page is "
        "for this machine only.",
    ),
)
@cloup.option_group(
    "What it uses",
    cloup.option(
        "--board",
        envvar="SATCAL_BOARD",
        default=DEFAULT_BOARD,
        type=click.Choice(library()),
        metavar="NAME",
        help="The board that the page shows first.",
    ),
    cloup.option(
        "--store",
        envvar="SATCAL_STORE",
        default="",
        metavar="FILE|URL",
        show_default=False,
        help="Where jobs and counts are kept; default: a file in your data folder.",
    ),
    cloup.option(
        "-j", "--jobs", type=click.IntRange(2, 64), help="Worker processes; default: one per core."
    ),
    cloup.option(
        "--memory-limit",
        default=3.0,
        type=click.FloatRange(0.5),
        metavar="GB",
        help="Memory of each worker process.",
    ),
    cloup.option(
        "--cluster",
        envvar="SATCAL_CLUSTER",
        default="",
        show_default=False,
        metavar="tcp://HOST:8786",
        help="Count the dates of jobs on the workers of this Dask scheduler.",
    ),
)
def serve(
    host: str,
    port: int,
    token: str,
    public: bool,
    board: str,
    store: str,
    jobs: int | None,
    memory_limit: float,
    cluster: str,
) -> None:
    """Serve the page and the HTTP API until Ctrl-C."""
    if token and (len(token) < MIN_TOKEN or not token.isascii()):
        raise OptionError(f"--token: use at least {MIN_TOKEN} ASCII characters, at random")
    if not token and (public or host not in LOOPBACK):
        asked = "--public" if public else f"--host {host}"
        raise OptionError(f"{asked} opens satcal to other machines; add --token SECRET")
    if store == "none":
        raise OptionError("--store none: a server keeps its jobs; name a store, or leave it out")
    try:
        from satcal.service.serving import free_port, serve_forever
        from satcal.service.settings import Settings
    except ImportError as error:
        raise Missing(f"serve needs {error.name}: {command_for('service')}") from error
    if cluster:
        from satcal.counting.cluster import Cluster

        Cluster(cluster).shutdown()  # the server would fail on it in a child process, without words
    port = free_port(host, port)
    kept = open_store(store)
    end_claim = kept.claim()
    if end_claim is None:
        raise StoreLocked(f"store {kept.where}: another server uses it; end that one first")
    kept.close()  # the claim stays
    address = f"[{host}]" if ":" in host else host
    click.echo(f"serving http://{address}:{port}/ (press Ctrl-C to stop)", err=True)
    workers, memory = max(2, jobs or cores()), int(memory_limit * GIB)
    serve_forever(
        Settings(store, host, port, token, public, board, workers, memory, cluster=cluster)
    )
    end_claim()
