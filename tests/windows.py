"""Windows of a browser, which tests share: a new one takes a second of computing."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from playwright.sync_api import Browser, Page

OWN = re.compile(r"http://(127\.0\.0\.1|localhost):|blob:")
# what is asked anew; what a test provokes; Playwright's own words
ALLOWED = ("ERR_ABORTED", "422 (Unprocessable", "blocked by Playwright")


class Windows:
    """Windows of a browser; nothing is kept in one that is opened, and nothing may complain."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._used: list[Page] = []
        self._complaints: list[str] = []
        self._page = cache(self._new_page)

    def open(self, size: tuple[int, int] = (1366, 650), **options: Any) -> Page:
        """Return the window with these options of Playwright's, with nothing in it."""
        options = {"reduced_motion": "reduce", "service_workers": "block", **options}
        page = self._page(**options)
        page.goto("about:blank")
        session = page.context.new_cdp_session(page)
        session.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
        session.detach()
        page.set_viewport_size({"width": size[0], "height": size[1]})
        self._used.append(page)
        return page

    def leave(self) -> list[str]:
        """Leave what was opened, and return the complaints since the last time."""
        for page in self._used:
            page.unroute_all()
            page.goto("about:blank")
            for tab in page.context.pages[1:]:
                tab.close()
        self._used.clear()
        complaints = [each for each in self._complaints if not any(a in each for a in ALLOWED)]
        self._complaints.clear()
        return complaints

    def _new_page(self, **options: Any) -> Page:
        page = self._browser.new_context(**options).new_page()
        complain = self._complaints.append
        page.on("console", lambda message: complain(message.text))
        page.on("pageerror", lambda error: complain(str(error)))
        page.on("requestfailed", lambda asked: complain(f"{asked.url}: {asked.failure}"))
        page.on("request", lambda asked: OWN.match(asked.url) or complain(asked.url))
        return page
