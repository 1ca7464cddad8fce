"""Settings that all tests share; helpers are in ``helpers/`` beside this file."""

from __future__ import annotations

import datetime
import os
import signal
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from command import Answer, run_in_process
from helpers.commands import Fake
from helpers.programs import closing_lines, need, path_of
from satcal.resources import cores

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from helpers.browser import Windows
    from satcal.puzzle.model import Puzzle

pytest_plugins = ["accounts", "databases", "guard", "order"]
BEGUN_ONCE = ("cluster", "published", "service", "store")
"""Rooms with an examination, servers, browsers, or a database, which many tests ask."""
WITH_BROWSERS = ("site", "sockets")
"""The folders whose tests with a browser `make test` runs."""

# A shell starts what runs in its background with Ctrl-C ignored, and children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A loaded machine is slow, so no example has a time limit. A contract runs one test for each of its
# subclasses, which hypothesis calls differing executors. `ci` draws the same examples every time.
FINE = [HealthCheck.too_slow, HealthCheck.differing_executors]
settings.register_profile(
    "ci",
    derandomize=True,
    max_examples=20,
    deadline=None,
    database=None,
    suppress_health_check=FINE,
)
settings.register_profile(
    "long", max_examples=1000, deadline=None, database=None, suppress_health_check=FINE
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.hookimpl(tryfirst=True)  # before pytest leaves out tests by their marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that use a browser."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            if item.path.parent.name not in WITH_BROWSERS:
                raise pytest.UsageError(f"{item.nodeid}: make test runs no browser there")
            item.add_marker("browser")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test marked ``needs`` where that is missing."""
    for mark in item.iter_markers("needs"):
        need(*mark.args)


@pytest.hookimpl(optionalhook=True)  # also without the plugin pytest-xdist
def pytest_xdist_auto_num_workers() -> int:
    """Return one worker more than cores: browsers, servers and clusters are often waited for."""
    return cores() + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep tests on one worker where what they share takes seconds to begin."""
    from xdist.scheduler import LoadScopeScheduling

    class ByRoom(LoadScopeScheduling):  # pytest 9.2 ignores the groups of its marks
        def _split_scope(self, nodeid: str) -> str:
            path = Path(nodeid.partition("::")[0])
            if "postgresql" in nodeid or path.name == "test_stores.py":
                return "store"  # one database is enough
            if path.parent.name in WITH_BROWSERS or path.name == "test_rooms.py":
                return str(path)  # a file has a server, a browser, or reads all modules
            return path.parent.name if path.parent.name in BEGUN_ONCE else nodeid

    return ByRoom(config, log)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Make a skipped test a failed one where everything should be installed."""
    report = yield
    if report.skipped and os.environ.get("SATCAL_TEST_ALL") == "1":
        report.outcome = "failed"
        report.longrepr = f"skipped under SATCAL_TEST_ALL=1: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Generator[None]:
    """Say last what was skipped because something is missing, and how to get it."""
    yield
    reasons = [report.longrepr[2] for report in terminalreporter.getreports("skipped")]
    for line in closing_lines(reasons):
        terminalreporter.write_line(line, yellow=True)


@pytest.fixture(scope="session", autouse=True)
def diagram_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep diagrams out of the cache of the user; each is built once in a run."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SATCAL_CACHE", str(folder / "diagrams"))
        yield


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every test the same environment, and no store: the user's is never touched.

    A check by default takes as long as it needs: the machine may be busy.
    """
    for name in [name for name in os.environ if name.startswith("SATCAL_")]:
        if name not in ("SATCAL_CACHE", "SATCAL_VERIFIED", "SATCAL_TEST_ALL", "SATCAL_TEST_ORDER"):
            monkeypatch.delenv(name)
    for name, value in {"SATCAL_STORE": "none", "COLUMNS": "100", "NO_COLOR": "1"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("satcal.cli.count.SAMPLE_SECONDS", 1e6)


@pytest.fixture
def today() -> datetime.date:
    """The day on which every command runs. A test may override it."""
    return datetime.date(2025, 12, 25)


@pytest.fixture
def run(today: datetime.date) -> Callable[..., Answer]:
    """Run a command line in this process; return its exit code, its output and its rows."""
    return lambda line="", *words, text=None: run_in_process([*line.split(), *words], today, text)


@pytest.fixture
def refused(run: Callable[..., Answer]) -> Callable[[str, int, str], None]:
    """Check that a line ends with an exit code, and that its error names one thing."""

    def check(line: str, code: int, word: str) -> None:
        answer = run(line)
        assert answer.code == code, answer.err or answer.out
        assert word in answer.err
        assert answer.out == ""
        assert "Traceback" not in answer.err

    return check


@pytest.fixture(scope="session")
def daily() -> Puzzle:
    """The 43-cell board whose counts are published most often."""
    from satcal.puzzle.loading import load

    return load("a-puzzle-a-day")


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    """Put a shell script on the PATH, before any program of that name."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def make(name: str, script: str) -> Path:
        path = folder / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return path

    return make


@pytest.fixture(scope="session")
def program() -> Iterator[str]:
    """The path of ``satcal-verified``, which satcal finds from now on."""
    from satcal.counting import verified
    from satcal.errors import Missing

    built = Path(__file__).parents[1] / "theorem" / "build" / verified.NAME
    with pytest.MonkeyPatch.context() as patch:
        if built.is_file():
            patch.setenv("SATCAL_VERIFIED", str(built))
        try:
            found = verified.program()
        except Missing:
            need("coqc", "ocamlopt")
            pytest.skip(f"{verified.NAME} is not built: make theorem")
        patch.setenv("SATCAL_VERIFIED", found)
        yield found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium without windows, which takes two thirds of the computing."""
    from playwright.sync_api import expect, sync_playwright

    from helpers.waiting import PATIENCE

    need("chromium-headless-shell")
    with sync_playwright() as playwright:
        path = path_of("chromium-headless-shell")
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox"], timeout=1000 * PATIENCE
        )
        expect.set_options(timeout=1000 * PATIENCE)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def all_windows(browser: Browser) -> Windows:
    """The windows of all tests."""
    from helpers.browser import Windows

    return Windows(browser)


@pytest.fixture
def windows(all_windows: Windows) -> Iterator[Windows]:
    """The windows of a test, on which nothing may complain."""
    yield all_windows
    assert all_windows.leave() == []
