"""Windows of a browser, which tests share: a new one takes a second of computing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Page

from helpers.waiting import PATIENCE

OWN = re.compile(r"http://(127\.0\.0\.1|localhost):|blob:|data:|file:")
SITE = Path(__file__).parents[1] / "site"
# a request that is repeated; what a test provokes; Playwright's own words
ALLOWED = ("ERR_ABORTED", "ERR_INTERNET_DISCONNECTED", "422 (Unprocessable", "by Playwright")


def script(name: str) -> str:
    """Return a function of tests/site that a page is asked to run."""
    return (SITE / f"{name}.js").read_text()


class Windows:
    """Windows of a browser; nothing is kept in one that is opened, and nothing may complain."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._shared: dict[frozenset[tuple[str, Any]], Page] = {}
        self._used: list[Page] = []
        self._complaints: list[str] = []

    def open(
        self, size: tuple[int, int] = (1366, 650), private: bool = False, **options: Any
    ) -> Page:
        """Return a window with these options of Playwright's, with nothing in it.

        A test needs a ``private`` one if it changes what outlasts a page: a clock, scripts that run
        first, listeners, a service worker, a cut network; and if it opens a second one.
        """
        options = {"reduced_motion": "reduce", "service_workers": "block", **options}
        key = frozenset(options.items())
        if private or self._shared.get(key) in self._used:
            page = self._new_page(**options)
        else:
            page = self._shared[key] = self._shared.get(key) or self._new_page(**options)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        self._used.append(page)
        return page

    def leave(self) -> list[str]:
        """Leave what was opened, and return the complaints since the last time."""
        shared = set(self._shared.values())
        for page in self._used:
            if page not in shared or not _emptied(page):
                self._forget(page.context)
        self._used.clear()
        complaints = [each for each in self._complaints if not any(a in each for a in ALLOWED)]
        self._complaints.clear()
        return complaints

    def _forget(self, context: BrowserContext) -> None:
        """Close a context; a shared one is opened anew for the next test."""
        self._shared = {key: each for key, each in self._shared.items() if each.context != context}
        context.close()

    def _new_page(self, **options: Any) -> Page:
        context = self._browser.new_context(**options)
        context.set_default_timeout(1000 * PATIENCE)
        complain = self._complaints.append
        context.on("console", lambda message: complain(message.text))
        context.on("weberror", lambda event: complain(str(event.error)))
        context.on("requestfailed", lambda request: complain(f"{request.url}: {request.failure}"))
        context.on("request", lambda request: OWN.match(request.url) or complain(request.url))
        return context.new_page()


def _emptied(page: Page) -> bool:
    """Empty a window that a test has left; return whether it is as new."""
    context = page.context
    try:
        page.unroute_all()
        context.clear_permissions()
        for tab in context.pages:
            if tab != page:
                tab.close()
        page.evaluate("try { sessionStorage.clear() } catch {}")  # which outlasts what follows
        page.goto("about:blank")
        session = context.new_cdp_session(page)
        session.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
        session.detach()
    except Error:  # such as one whose page has crashed
        return False
    return True
