"""A window of Debian's Firefox, by WebDriver BiDi: Playwright drives a Firefox of its own only.

It has those methods of Playwright's Page, Locator, Mouse and Keyboard that a Player needs.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

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


@contextmanager
def open_firefox(program: str, folder: Path) -> Iterator[Firefox]:
    """Start a browser with one window, in which nothing is kept."""
    (folder / "user.js").write_text('user_pref("ui.prefersReducedMotion", 1);\n')
    log = folder / "log"
    command = [program, "--headless", "--profile", folder, "--remote-debugging-port=0"]
    with log.open("wb") as output:
        home = {**os.environ, "HOME": str(folder)}
        process = subprocess.Popen(command, stdout=output, stderr=output, env=home)

    def address() -> str | None:
        assert process.poll() is None, log.read_text()
        found = re.search(r"WebDriver BiDi listening on (\S+)\n", log.read_text())
        return found and f"{found[1]}/session"

    try:
        limits = {"open_timeout": PATIENCE, "max_size": None}
        with connect(until(address), proxy=None, **limits) as socket:
            yield Firefox(socket)
    finally:
        process.kill()
        process.wait()


class Firefox:
    """The window of a browser."""

    def __init__(self, socket: ClientConnection) -> None:
        self.complaints: list[str] = []
        self.keyboard = self.mouse = Hands(self)
        self._socket = socket
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded"])
        self.window = until(lambda: self.send("browsingContext.getTree")["contexts"])[0]["context"]

    def send(self, method: str, **parameters: Any) -> Any:
        """Return the result of a command, after noting the messages of the console until then."""
        self._socket.send(json.dumps({"id": 1, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._socket.recv(PATIENCE))
            if answer.get("type") != "event":
                assert answer.get("type") == "success", answer
                return answer["result"]
            if answer["params"]["level"] in ("error", "warn"):
                self.complaints.append(answer["params"]["text"])

    def goto(self, url: str) -> None:
        self.send("browsingContext.navigate", context=self.window, url=url, wait="complete")

    def evaluate(self, function: str, *given: Any) -> Any:
        """Return what a function of the page returns or promises."""
        code = f"(async () => JSON.stringify([await ({function})(...{json.dumps(given)})]))()"
        target = {"context": self.window}
        answer = self.send("script.evaluate", expression=code, target=target, awaitPromise=True)
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])[0]

    def has(self, selector: str) -> bool:
        return self.evaluate("selector => Boolean(document.querySelector(selector))", selector)

    def locator(self, selector: str) -> Found:
        return Found(self, selector)


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
        return self.evaluate("element => element.getBoundingClientRect().toJSON()")

    def get_attribute(self, name: str) -> str | None:
        return self.evaluate(f"element => element?.getAttribute({json.dumps(name)})")

    def focus(self) -> None:
        self.evaluate("element => element.focus()")


@dataclass
class Hands:
    """What a mouse and keys do."""

    page: Firefox
    place: dict[str, int] = field(default_factory=dict)

    def press(self, key: str) -> None:
        value = KEYS.get(key, key)
        self._act("key", {"type": "keyDown", "value": value}, {"type": "keyUp", "value": value})

    def move(self, x: float, y: float, steps: int = 1) -> None:
        del steps  # one is enough
        self.place = {"x": round(x), "y": round(y)}
        self._act("pointer", {"type": "pointerMove", **self.place})

    def down(self, button: str = "left") -> None:
        self._act("pointer", {"type": "pointerDown", "button": BUTTONS[button]})

    def up(self, button: str = "left") -> None:
        self._act("pointer", {"type": "pointerUp", "button": BUTTONS[button]})

    def wheel(self, right: int, down: int) -> None:
        self._act("wheel", {"type": "scroll", **self.place, "deltaX": right, "deltaY": down})

    def click(self, x: float, y: float, button: str = "left") -> None:
        self.move(x, y)
        self.down(button)
        self.up(button)

    def _act(self, kind: str, *actions: dict[str, Any]) -> None:
        device = {"type": kind, "id": kind, "actions": actions}
        self.page.send("input.performActions", context=self.page.window, actions=[device])
