"""The settings of a server."""

from __future__ import annotations

from dataclasses import dataclass

SETTINGS_VARIABLE = "SATCAL_SERVE"
"""The environment variable that passes the settings to the server process."""


@dataclass(frozen=True)
class Settings:
    """The settings; ``memory`` (bytes) limits each worker."""

    store: str
    host: str = "127.0.0.1"
    port: int = 8000
    token: str = ""
    public: bool = False
    board: str = "a-puzzle-a-day"
    workers: int = 3
    memory: int = 3 * 2**30
    cluster: str = ""
