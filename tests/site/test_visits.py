"""What a visit loads and keeps: few bytes before the first count, few more for play offline."""

from __future__ import annotations

import gzip

from playwright.sync_api import expect

from helpers.editions import write
from helpers.player import HERE, PUZZLE, Player
from helpers.waiting import until

COUNTED = "!!document.querySelector('#status[data-tilings]')"
STYLES = ("print.css", "contrast.css", "sheet.css", ".woff2", ".ico", ".svg", ".png")
MODULES = ("clock", "cache", "habit", "week", "views", "print", "tutorial", "free-cells", "notices")
LATER = (*STYLES, *(f"{name}.js" for name in (*MODULES, "picker", "days", "offline")), "-more.json")
"""Requests that come after the count, or never hold it up."""
ALL_KEPT = """async board => {
  const text = await (await fetch("offline.js")).text();
  const names = ["puzzles", board, `${board}.year`, `${board}.evidence`];
  const data = names.map(name => `data/${name}.json`);
  const wanted = [...JSON.parse(/KEPT = (.*);/.exec(text)[1]).files, ...data];
  const kept = await Promise.all(wanted.map(async file =>
    await caches.match(new URL(file, location)) || (await fetch(file)).status === 404));
  return Boolean(navigator.serviceWorker.controller) && kept.every(Boolean);
}"""
"""Whether the service worker is in charge and has kept the page and a board: all there is."""


def test_the_first_count_needs_few_bytes_and_offline_play_few_more(windows, site, edition):
    page = windows.open(private=True, service_workers="allow")
    requested: list[str] = []
    by_page: list[str] = []
    page.context.on("request", lambda request: requested.append(request.url))
    page.on("request", lambda request: by_page.append(request.url))  # not the service worker's
    page.goto(f"{site}#rhombus/2025-09-25")
    page.wait_for_function(COUNTED)
    early = [url for url in by_page if not url.endswith(LATER)]  # what the first count waits for
    until(lambda: page.evaluate(ALL_KEPT, "rhombus"))
    page.wait_for_load_state("networkidle")

    def size(urls: list[str]) -> int:
        paths = {url.removeprefix(site).partition("?")[0].partition("#")[0] for url in urls}
        files = [(edition / (path or "index.html")).read_bytes() for path in paths]
        return sum(min(len(file), len(gzip.compress(file))) for file in files)  # as a host sends it

    first, whole = size([site, *early]), size([site, *requested])
    print(f"\n{first:,} bytes until the first count, {whole:,} in all")
    assert first <= 60_000
    assert whole <= 230_000  # with every board, all calendars, and what makes boards


def test_before_any_module_has_come_the_tools_have_words_and_the_board_is_asked_for(windows, site):
    page = windows.open(private=True)
    page.route("**/app.js", lambda route: route.abort())
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.goto(site)
    expect(page.locator("#undo")).to_have_text("Undo")
    expect(page.locator("#message")).to_contain_text("Cover every cell")
    until(lambda: page.title() and f"{site}data/{PUZZLE.name}.json" in requested)
    windows.leave()  # of the module that did not come, and of what was preloaded for it


def test_few_formats_of_intl_are_made_before_the_first_count(windows, site):
    page = windows.open(private=True)
    page.add_init_script("""window.made = 0;
      for (const name of ["DateTimeFormat", "NumberFormat", "PluralRules"]) {
        const construct = (...each) => (made += 1, Reflect.construct(...each));
        Intl[name] = new Proxy(Intl[name], { construct });
      }""")
    page.route(lambda url: url.endswith(LATER), lambda _: None)  # which never come
    page.goto(f"{site}#{HERE}", wait_until="commit")
    page.wait_for_function(COUNTED)
    assert 0 < page.evaluate("made") <= 6  # each takes milliseconds


def test_the_second_visit_needs_no_network_and_lost_boards_are_grey(windows, hosted, tmp_path):
    player = Player(windows.open(private=True, service_workers="allow"), hosted(tmp_path))
    write(tmp_path, PUZZLE.name, "tetromino", "pentomino-3x20", "jarring-words")
    for name in ("data/jarring-words.json", "share.js"):  # files that the host lacks
        (tmp_path / name).unlink()
    player.open()
    kept = ("tetromino.json", "pentomino-3x20.json", "pentomino-3x20.bin", f"{PUZZLE.name}.json")
    has = "name => caches.match(new URL(`data/${name}`, location)).then(Boolean)"
    until(lambda: all(player.page.evaluate(has, name) for name in kept))
    until(lambda: player.page.evaluate(ALL_KEPT, PUZZLE.name))
    player.page.context.set_offline(True)
    player.open()  # which loads it anew
    player.finish()
    player.click("to-year")
    expect(player.find("#months a")).to_have_count(365)
    player.click("close")
    player.page.evaluate(f"location.hash = 'evidence/{HERE}'")
    expect(player.find("#evidence")).to_have_text("7 solutions: proved")
    player.click("close")
    grey = player.find("#puzzle option:disabled")
    expect(grey).to_have_count(1)
    expect(grey).to_have_attribute("value", "jarring-words")
    for name in ("tetromino", "pentomino-3x20"):
        player.open(name)
        expect(player.find("#puzzle")).to_have_value(name)
    windows.leave()  # of the missing files, and of what a browser asks by itself


def test_editions_of_one_host_are_apart_and_a_lost_board_locks_nobody_out(
    windows, hosted, tmp_path
):
    page, address, box = windows.open(), hosted(tmp_path), "pentomino-3x20"
    for name in ("one", "two"):
        write(tmp_path / name, PUZZLE.name, box)

    def expect_board(there: str, board: str) -> None:
        page.goto("about:blank")
        page.goto(f"{address}{there}")
        page.wait_for_function(COUNTED)
        expect(page.locator("#puzzle")).to_have_value(board)

    expect_board(f"one/#{box}", box)
    expect_board("two/", PUZZLE.name)
    expect_board("one/", box)  # which was liked there
    like = "([key, box]) => localStorage.setItem(`satcal /${key}/two/ preference puzzle`, box)"
    page.evaluate(like, [tmp_path.name, box])  # a board that was never fetched from there
    write(tmp_path / "two", PUZZLE.name)
    (tmp_path / "two" / "data" / f"{box}.json").unlink()
    for _ in range(2):
        expect_board("two/", PUZZLE.name)
    gone = windows.leave()  # of the file that a list in the browser's cache still named
    assert gone and all("404" in each for each in gone)


def test_the_file_itself_says_what_to_do(windows, edition):
    page = windows.open()
    page.goto((edition / "index.html").as_uri())
    expect(page.locator(".from-file")).to_contain_text("satcal site -o today.html")
    expect(page.locator("#play")).to_be_hidden()
    windows.leave()  # of modules in files
