"""Editions of the page, served while they are written anew."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from satcal.puzzle.loading import load
from satcal.site.edition import build_site

SHARED = "edition"
"""How the name of a folder begins that no test changes."""
LATE = float(os.environ.get("SATCAL_TEST_LATE", "0"))
"""Up to so many seconds each file is late: no test may need a page that is whole at once."""


class Quiet(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # one connection for many files

    def log_message(self, *_: object) -> None:
        pass

    def send_head(self) -> Any:
        """Send the file as it is now: two editions of one second have the same date."""
        threading.Event().wait(random.uniform(0, LATE))
        del self.headers["If-Modified-Since"]
        return super().send_head()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send it, unless the page is left meanwhile."""
        with suppress(ConnectionError):
            super().copyfile(source, outputfile)

    def end_headers(self) -> None:
        """Let browsers keep the list of boards, and the edition that is never written anew."""
        kept = self.path.endswith("puzzles.json") or self.path.startswith(f"/{SHARED}")
        self.send_header("Cache-Control", "max-age=600" if kept else "no-cache")
        super().end_headers()


@contextmanager
def serving(root: Path) -> Iterator[str]:
    """Serve a folder, as by `python -m http.server`; give its address."""
    handler = partial(Quiet, directory=str(root))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def write(folder: Path, *names: str) -> None:
    """Write an edition of these boards, also over another one."""
    build_site(folder, {name: load(name) for name in names}, names[0], force=True)
