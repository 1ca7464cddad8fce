"""The settings of a server."""

from __future__ import annotations

from dataclasses import dataclass

SETTINGS_VARIABLE = "SATCAL_SERVE"
"""The environment variable that passes the settings to the server process."""


@dataclass(frozen=True)
class Settings:
    """The settings; ``memory`` (bytes) limits each worker, ``seconds`` each task of a job."""

    store: str
    host: str = "127.0.0.1"
    port: int = 8000
    token: str = ""
    public: bool = False
    board: str = "a-puzzle-a-day"
    workers: int = 3
    memory: int = 3 * 2**30
    seconds: float = 3600
    cluster: str = ""

    @property
    def url(self) -> str:
        """The URL of the server."""
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}/"
