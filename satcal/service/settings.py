"""What the operator of a server chooses."""

from __future__ import annotations

from dataclasses import dataclass

VARIABLE = "SATCAL_SERVE"
"""The variable with which the server's process gets its settings."""


@dataclass(frozen=True)
class Settings:
    """What the operator chooses; ``memory`` in bytes and ``seconds`` bound each task."""

    store: str
    host: str = "127.0.0.1"
    port: int = 8000
    token: str = ""
    public: bool = False
    board: str = "a-puzzle-a-day"
    workers: int = 2
    memory: int = 3 * 2**30
    seconds: float = 3600
    cluster: str = ""
