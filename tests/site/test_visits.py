"""What a visit loads and keeps: few bytes before the first count, few more for play offline."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import expect

from helpers.editions import write
from helpers.player import HERE, LEFT, PUZZLE, SOLUTION
from helpers.waiting import becomes, until

COUNTED = "!!document.querySelector('#status[data-tilings]')"
LATER = (
    *(".woff2", ".ico", ".svg", ".png", "print.css", "contrast.css", "offline.js", "sheet.css"),
    *("sentences-en-more.js", "more-sentences.js", "clock.js", "cache.js", "week.js", "views.js"),
    *("print.js", "tutorial.js", "free-cells.js", "notices.js", "picker.js", "days.js"),
)
"""What is asked when the count is known, or never holds it up."""
ALL_KEPT = """async board => {
  const text = await (await fetch("offline.js")).text();
  const names = ["puzzles", board, `${board}.year`];
  const data = names.map(name => `data/${name}.json`);
  const wanted = [...JSON.parse(/KEPT = (.*);/.exec(text)[1]).files, ...data];
  const kept = await Promise.all(wanted.map(async file =>
    await caches.match(new URL(file, location)) || (await fetch(file)).status === 404));
  return Boolean(navigator.serviceWorker.controller) && kept.every(Boolean);
}"""
"""Whether the service worker is in charge and has kept the page and a board: all there is."""


def test_the_first_count_needs_few_bytes_and_offline_play_few_more(windows, site, edition) -> None:
    page = windows.open(own=True, service_workers="allow")
    asked: list[str] = []
    own: list[str] = []
    page.context.on("request", lambda request: asked.append(request.url))
    page.on("request", lambda request: own.append(request.url))  # not the service worker's
    page.goto(f"{site}#rhombus/2025-09-25")
    page.wait_for_function(COUNTED)
    early = [url for url in own if not url.endswith(LATER)]  # what the first count waits for
    until(lambda: page.evaluate(ALL_KEPT, "rhombus"))
    page.wait_for_load_state("networkidle")

    def size(urls: list[str]) -> int:
        paths = {url.removeprefix(site).partition("?")[0].partition("#")[0] for url in urls}
        return sum((edition / (path or "index.html")).stat().st_size for path in paths)

    print(
        f"\n{size([site, *early]):,} bytes until the first count, {size([site, *asked]):,} in all"
    )
    assert size([site, *early]) <= 150_000
    assert size([site, *asked]) <= 400_000  # with every board of this edition


def test_before_any_module_has_come_the_tools_have_words_and_the_board_is_asked_for(
    windows, site
) -> None:
    page = windows.open(own=True)
    page.route("**/app.js", lambda route: route.abort())
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    def boards() -> list[str]:
        return [url for url in asked if "/data/" in url and not url.endswith("puzzles.json")]

    for address, preferred, board in (
        ("", "", PUZZLE.name),
        ("", "rhombus", "rhombus"),
        ("", "gone", PUZZLE.name),
        ("#year/rhombus", "", "rhombus"),
        ("#nope/2025-10-06", "", ""),
    ):
        page.goto(f"{site}heading.LICENSE.txt")
        keep = "([key, board]) => localStorage.setItem(key, board)"
        page.evaluate(keep, [f"satcal {urlsplit(site).path} preference puzzle", preferred])
        asked.clear()
        page.goto(f"{site}{address}")
        expect(page.locator("#undo")).to_have_text("Undo")
        expect(page.locator("#message")).to_contain_text("Drag a piece")
        becomes(boards, [f"{site}data/{board}.json"] if board else [])
    windows.leave()  # of the module that did not come, and of what was preloaded for it


def test_few_formats_of_intl_are_made_before_the_first_count(windows, site) -> None:
    page = windows.open(own=True)
    page.add_init_script("""window.made = 0;
      for (const name of ["DateTimeFormat", "NumberFormat", "PluralRules"]) {
        const construct = (...each) => (made += 1, Reflect.construct(...each));
        Intl[name] = new Proxy(Intl[name], { construct });
      }""")
    page.route(lambda url: url.endswith(LATER), lambda _: None)  # which never come
    page.goto(f"{site}#{HERE}", wait_until="commit")
    page.wait_for_function(COUNTED)
    assert 0 < page.evaluate("made") <= 6  # each takes milliseconds


def test_with_the_network_cut_after_the_first_visit_it_is_the_same_page(player, windows) -> None:
    me = player(own=True, service_workers="allow")
    until(lambda: me.page.evaluate(ALL_KEPT, PUZZLE.name))
    me.page.context.set_offline(True)
    me.open(HERE)  # which loads it anew
    me.lay(SOLUTION[0])
    me.remain(LEFT[0])
    me.click("to-year")
    expect(me.page.locator("#months a")).to_have_count(365)
    me.page.keyboard.press("Escape")
    me.finish()
    windows.leave()  # of what a browser asks the network by itself


def test_after_the_first_visit_every_board_opens_without_a_network_and_others_are_grey(
    windows, hosted, tmp_path: Path
) -> None:
    page = windows.open(own=True, service_workers="allow")
    address = hosted(tmp_path)
    write(tmp_path, PUZZLE.name, "tetromino", "pentomino-3x20", "jarring-words")
    (tmp_path / "data" / "jarring-words.json").unlink()
    page.goto(f"{address}#{HERE}")
    kept = ("tetromino", "pentomino-3x20", PUZZLE.name)
    has = "name => caches.match(new URL(`data/${name}.json`, location)).then(Boolean)"
    until(lambda: all(page.evaluate(has, name) for name in kept))
    until(lambda: page.evaluate(ALL_KEPT, PUZZLE.name))
    page.context.set_offline(True)
    page.reload()
    page.wait_for_function(COUNTED)
    grey = page.locator("#puzzle option:disabled")
    expect(grey).to_have_count(1)
    expect(grey).to_have_attribute("value", "jarring-words")
    for name in ("tetromino", "pentomino-3x20"):
        page.goto(f"{address}#{name}")
        expect(page.locator("#puzzle")).to_have_value(name)
        page.wait_for_function(COUNTED)
    windows.leave()  # of the missing file, and of what a browser asks by itself


def test_a_file_that_the_host_lacks_keeps_nothing_from_the_others(
    windows, hosted, tmp_path: Path
) -> None:
    page = windows.open(own=True, service_workers="allow")
    address = hosted(tmp_path)
    write(tmp_path, PUZZLE.name)
    (tmp_path / "share.js").unlink()
    page.goto(f"{address}#{HERE}")
    until(lambda: page.evaluate(ALL_KEPT, PUZZLE.name))
    page.context.set_offline(True)
    page.reload()
    page.wait_for_function(COUNTED)
    windows.leave()  # of the missing file


def test_a_liked_board_that_left_the_edition_locks_nobody_out(
    windows, hosted, tmp_path: Path
) -> None:
    page = windows.open()
    address = hosted(tmp_path)
    write(tmp_path, "a-puzzle-a-day", "tetromino")
    page.goto(f"{address}#tetromino")
    page.wait_for_function(COUNTED)
    write(tmp_path, "a-puzzle-a-day")
    for _ in range(2):
        page.goto("about:blank")
        page.goto(address)
        page.wait_for_function(COUNTED)
        expect(page.locator("#puzzle")).to_have_value("a-puzzle-a-day")
    gone = windows.leave()  # of the file that a list in the browser's cache still named
    assert all("404" in each for each in gone), gone


def test_two_editions_on_one_host_keep_their_things_apart(windows, hosted, tmp_path: Path) -> None:
    page = windows.open()
    address = hosted(tmp_path)
    write(tmp_path / "one", "a-puzzle-a-day", "tetromino")
    write(tmp_path / "two", "a-puzzle-a-day", "tetromino")
    page.goto(f"{address}one/#tetromino")
    page.wait_for_function(COUNTED)
    page.goto(f"{address}two/")
    page.wait_for_function(COUNTED)
    expect(page.locator("#puzzle")).to_have_value("a-puzzle-a-day")
    page.goto(f"{address}one/")
    page.wait_for_function(COUNTED)
    expect(page.locator("#puzzle")).to_have_value("tetromino")


def test_the_file_itself_says_what_to_do(windows, edition) -> None:
    page = windows.open()
    page.goto((edition / "index.html").as_uri())
    expect(page.locator(".from-file")).to_contain_text("satcal site -o today.html")
    expect(page.locator("#play")).to_be_hidden()
    windows.leave()  # of modules in files
