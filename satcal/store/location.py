"""Where a store is: a file, by default in the user's data directory, or a PostgreSQL database."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import platformdirs

from satcal.errors import OptionError

NONE = "none"
PATIENCE = 10.0  # seconds to wait for another process's lock; a transaction of ours takes far less
# File systems whose locks or shared memory other machines do not see; WAL needs both.
REMOTE = ("9p", "afs", "ceph", "cifs", "fuse", "gfs", "glusterfs", "lustre", "nfs", "smb", "ncp")


@dataclass(frozen=True)
class Location:
    """Where a store is: ``path`` of a file, or ``url`` of a database, and whose lock it awaits.

    ``patience`` is in seconds; a URL sets it by ``?timeout=2``.
    """

    path: Path | None = None
    url: str = ""
    patience: float = PATIENCE

    def __str__(self) -> str:
        if self.path is not None:
            return str(self.path)
        parts = urlsplit(self.url)
        user, _, host = parts.netloc.rpartition("@")
        if ":" in user:  # a password is nobody's business
            user = user.partition(":")[0] + ":***"
        netloc = f"{user}@{host}" if user else host
        return parts._replace(netloc=netloc, query="").geturl()


def parse_location(text: str | None) -> Location | None:
    """Return the location that ``--store`` names; None for ``none``, the default for None.

    Raises:
        OptionError: a URL of a database that is not supported.
    """
    if text == NONE:
        return None
    if not text:
        return Location(Path(platformdirs.user_data_dir("satcal")) / "store.sqlite")
    if "://" not in text:
        return Location(Path(text).expanduser())
    parts = urlsplit(text)
    options = parse_qs(parts.query)
    patience = _seconds(options.pop("timeout", [str(PATIENCE)])[0])
    if parts.scheme in ("sqlite", "sqlite+pysqlite"):
        path = parts.path[1:]
        if parts.netloc or not path or path == ":memory:":
            raise OptionError(f"--store {text}: write the file as sqlite:///FILE, or FILE alone")
        return Location(Path(path), patience=patience)
    if parts.scheme in ("postgresql", "postgresql+psycopg", "postgres"):
        query = "&".join(p for p in parts.query.split("&") if not p.startswith("timeout="))
        return Location(
            url=parts._replace(scheme="postgresql+psycopg", query=query).geturl(),
            patience=patience,
        )
    raise OptionError(
        f"--store: no database '{parts.scheme}'; use a file, sqlite:///FILE, "
        "postgresql+psycopg://USER@HOST/DATABASE, or none"
    )


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise OptionError(f"--store: timeout={text} is no number of seconds") from error


def is_local(path: Path, mounts: Path = Path("/proc/mounts")) -> bool:
    """Return whether a file is on a disk of this machine, as far as the system tells."""
    try:
        lines = [line.split() for line in mounts.read_text().splitlines()]
    except OSError:
        return not str(path).startswith("\\\\")
    target = os.path.realpath(path)
    best, kind = "", ""
    for _, where, name, *_ in lines:
        folder = where.replace("\\040", " ")
        inside = target == folder or target.startswith(folder.rstrip("/") + "/")
        if inside and len(folder) >= len(best):
            best, kind = folder, name
    return not kind.startswith(REMOTE)
