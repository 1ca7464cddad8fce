"""A window of Debian's Firefox, by WebDriver BiDi: Playwright drives a Firefox of its own only.

It has those methods of Playwright's Page, Locator, Mouse and Keyboard that a Player needs.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tornado.httpclient import HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from helpers.waiting import PATIENCE, until

BUTTONS = {"left": 0, "right": 2}
KEYS = {
    "Escape": "\ue00c",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
    "Enter": "\ue007",
}
BOX = """element => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x, y, width, height };
}"""


class Firefox:
    """A browser with one window, in which nothing is kept."""

    def __init__(self, program: str, folder: Path) -> None:
        self.complaints: list[str] = []
        self.keyboard = self.mouse = Hands(self)
        self._words = [program, "--headless", "--profile", folder, "--remote-debugging-port=0"]
        self._said = folder / "said"
        self._runner = asyncio.Runner()  # in a thread: the tests' own has Playwright's loop
        self._thread = ThreadPoolExecutor(1)
        self._socket: WebSocketClientConnection | None = None
        (folder / "user.js").write_text('user_pref("ui.prefersReducedMotion", 1);\n')

    def __enter__(self) -> Firefox:
        with self._said.open("wb") as said:
            home = {**os.environ, "HOME": str(self._said.parent)}
            self._process = subprocess.Popen(self._words, stdout=said, stderr=said, env=home)
        try:
            self._socket = self._wait(_connect(until(self._address) + "/session"))
            self.ask("session.new", capabilities={})
            self.ask("session.subscribe", events=["log.entryAdded"])
            found = until(lambda: self.ask("browsingContext.getTree")["contexts"])
            self.window = found[0]["context"]
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        if self._socket:
            self._wait(_close(self._socket))
        self._thread.submit(self._runner.close).result(PATIENCE)
        self._thread.shutdown()

    def ask(self, method: str, **parameters: Any) -> Any:
        """Return the result of a command, after noting what the console says until then."""
        return self._wait(self._ask({"id": 1, "method": method, "params": parameters}))

    def set_viewport_size(self, width: int, height: int) -> None:
        viewport = {"width": width, "height": height}
        self.ask("browsingContext.setViewport", context=self.window, viewport=viewport)

    def goto(self, url: str) -> None:
        self.ask("browsingContext.navigate", context=self.window, url=url, wait="complete")

    def evaluate(self, function: str, *given: Any) -> Any:
        """Return what a function of the page returns or promises."""
        code = f"(async () => JSON.stringify([await ({function})(...{json.dumps(given)})]))()"
        target = {"context": self.window}
        answer = self.ask("script.evaluate", expression=code, target=target, awaitPromise=True)
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])[0]

    def has(self, selector: str) -> bool:
        return self.evaluate("selector => Boolean(document.querySelector(selector))", selector)

    def locator(self, selector: str) -> Found:
        return Found(self, selector)

    def _address(self) -> str | None:
        assert self._process.poll() is None, self._said.read_text()
        found = re.search(r"WebDriver BiDi listening on (\S+)\n", self._said.read_text())
        return found and found[1]

    def _wait(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self._thread.submit(self._runner.run, work).result(PATIENCE)

    async def _ask(self, command: dict[str, Any]) -> Any:
        await self._socket.write_message(json.dumps(command))
        while True:
            answer = json.loads(await self._socket.read_message() or "{}")
            if answer.get("type") != "event":
                assert answer.get("type") == "success", answer
                return answer["result"]
            if answer["params"]["level"] in ("error", "warn"):
                self.complaints.append(answer["params"]["text"])


async def _close(socket: WebSocketClientConnection) -> None:
    socket.close()
    while await socket.read_message() is not None:
        pass


async def _connect(address: str) -> WebSocketClientConnection:
    request = HTTPRequest(address, connect_timeout=PATIENCE, request_timeout=PATIENCE)
    return await websocket_connect(request)


@dataclass
class Found:
    """The first element that a selector finds."""

    page: Firefox
    selector: str

    @property
    def first(self) -> Found:
        return self

    def evaluate(self, function: str) -> Any:
        find = f"document.querySelector({json.dumps(self.selector)})"
        return self.page.evaluate(f"() => ({function})({find})")

    def bounding_box(self) -> dict[str, float]:
        return self.evaluate(BOX)

    def get_attribute(self, name: str) -> str | None:
        return self.evaluate(f"element => element?.getAttribute({json.dumps(name)})")

    def focus(self) -> None:
        self.evaluate("element => element.focus()")


@dataclass
class Hands:
    """What a mouse and keys do."""

    page: Firefox
    place: tuple[int, int] = (0, 0)

    def press(self, key: str) -> None:
        value = KEYS.get(key, key)
        self._act("key", {"type": "keyDown", "value": value}, {"type": "keyUp", "value": value})

    def move(self, x: float, y: float, steps: int = 1) -> None:
        del steps  # one is enough
        self.place = round(x), round(y)
        self._act("pointer", {"type": "pointerMove", **self._at()})

    def down(self, button: str = "left") -> None:
        self._act("pointer", {"type": "pointerDown", "button": BUTTONS[button]})

    def up(self, button: str = "left") -> None:
        self._act("pointer", {"type": "pointerUp", "button": BUTTONS[button]})

    def wheel(self, right: int, down: int) -> None:
        self._act("wheel", {"type": "scroll", **self._at(), "deltaX": right, "deltaY": down})

    def click(self, x: float, y: float, button: str = "left") -> None:
        self.move(x, y)
        self.down(button)
        self.up(button)

    def _at(self) -> dict[str, int]:
        return dict(zip("xy", self.place, strict=True))

    def _act(self, kind: str, *actions: dict[str, Any]) -> None:
        device = {"type": kind, "id": kind, "actions": actions}
        self.page.ask("input.performActions", context=self.page.window, actions=[device])
