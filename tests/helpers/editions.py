"""Editions of the page, served while they are written anew."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from satcal.puzzle.loading import load
from satcal.site.edition import build_site


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass

    def send_head(self) -> Any:
        """Send the file as it is now: two editions of one second have the same date."""
        del self.headers["If-Modified-Since"]
        return super().send_head()

    def end_headers(self) -> None:
        """A host may let browsers keep the list of boards, which must not lock anybody out."""
        kept = self.path.endswith("puzzles.json")
        self.send_header("Cache-Control", "max-age=600" if kept else "no-cache")
        super().end_headers()


class Folder:
    """Editions that are written anew while they are served."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def __enter__(self) -> str:
        handler = partial(Quiet, directory=str(self.root))
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_port}/"

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    def write(self, *names: str, at: str = "") -> None:
        build_site(self.root / at, {name: load(name) for name in names}, names[0], force=True)
