"""Where a store is: a file or a PostgreSQL database."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import platformdirs

from satcal.errors import OptionError

NONE = "none"
PATIENCE = 10.0  # seconds to wait for another process's lock; a transaction of ours takes far less
MOST_PATIENCE = 1_000_000  # its milliseconds fit the 31 bits that both databases have for them
# File systems whose locks or shared memory other machines do not see; WAL needs both.
REMOTE = ("9p", "afs", "ceph", "cifs", "fuse", "gfs", "glusterfs", "lustre", "nfs", "smb", "ncp")


@dataclass(frozen=True)
class Location:
    """Where a store is: the ``path`` of a file, or the ``url`` of a database."""

    path: Path | None = None
    url: str = ""
    patience: float = PATIENCE  # a URL sets it by ``?timeout=2``

    def __str__(self) -> str:
        return str(self.path) if self.path is not None else _shown(self.url)


def _shown(url: str) -> str:
    """Return a URL without its password and its options."""
    return re.sub(r"(://[^:@]*):.*@", r"\1:***@", url).partition("?")[0]


def parse_location(text: str | None) -> Location | None:
    """Return the location that ``--store`` names, None for ``none``, or raise OptionError."""
    if text == NONE:
        return None
    if not text:
        return Location(usual_path())
    if "://" in text:
        return _of_url(text)
    try:
        return Location(Path(text).expanduser())
    except RuntimeError as error:
        raise OptionError(
            f"--store {text}: there is no such user; write the whole path, or ./{text}"
        ) from error


def usual_path() -> Path:
    """Return the path of a store that is not named: its folder is ours to make."""
    return Path(platformdirs.user_data_dir("satcal")) / "store.sqlite"


def _of_url(text: str) -> Location:
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        parts = urlsplit(text)
        patience = _patience(parts.query, text)
        if parts.scheme in ("postgresql", "postgresql+psycopg", "postgres"):
            # without the option that is ours
            query = "&".join(p for p in parts.query.split("&") if not p.startswith("timeout="))
            url = parts._replace(scheme="postgresql+psycopg", query=query).geturl()
            make_url(url)
            return Location(url=url, patience=patience)
    except (ArgumentError, ValueError) as error:
        raise OptionError(
            f"--store {_shown(text)}: no URL of a database; write it as "
            "postgresql+psycopg://USER@HOST:PORT/DATABASE, and special characters of a password "
            "as %XX"
        ) from error
    if parts.scheme not in ("sqlite", "sqlite+pysqlite"):
        raise OptionError(
            f"--store: no database '{parts.scheme}'; use a file, sqlite:///FILE, "
            "postgresql+psycopg://USER@HOST/DATABASE, or none"
        )
    path = parts.path[1:]
    if parts.netloc or not path or path == ":memory:":
        raise OptionError(
            f"--store {_shown(text)}: write the file as sqlite:///FILE, or FILE alone"
        )
    return Location(Path(path), patience=patience)


def _patience(query: str, url: str) -> float:
    text = parse_qs(query).get("timeout", [str(PATIENCE)])[0]
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1
    if not 0 <= seconds <= MOST_PATIENCE:
        raise OptionError(
            f"--store {_shown(url)}: timeout={text} is no number of seconds from 0 to "
            f"{MOST_PATIENCE:,}"
        )
    return seconds


def is_local(path: Path, mounts: Path = Path("/proc/mounts")) -> bool:
    """Return whether a file is on a disk of this machine."""
    try:
        lines = [line.split() for line in mounts.read_text().splitlines()]
    except OSError:
        return not str(path).startswith("\\\\")
    target = Path(os.path.realpath(path))
    folders = {Path(folder.replace("\\040", " ")): kind for _, folder, kind, *_ in lines}
    nearest = next((folder for folder in [target, *target.parents] if folder in folders), None)
    return nearest is None or not folders[nearest].startswith(REMOTE)
