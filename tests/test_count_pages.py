"""The pages of the counts in the documentation: what they say of numbers, dates and claims."""

import re
import sys
from pathlib import Path

import pytest
from docutils import nodes

from satcal.draw.theme import contrast, ink_on, load_theme
from satcal.puzzle.calendar import WEEKDAYS
from tools.count_pages import book as books
from tools.count_pages import design_page, pieces, puzzle_page, verdict_page, year_map
from tools.count_pages.book import SHADES, Book, Ranking

ROOT = Path(__file__).parent.parent
CSS = (ROOT / "docs" / "_static" / "satcal.css").read_text(encoding="utf-8")
LARGE = 400_000  # bytes of a page that a phone still opens with pleasure


def verdict(**fields):
    blank = {"id": "", "statement": "", "truth": "", "reason": "", "certificate": "", "see": ""}
    return {**blank, "board": "rhombus", "source": "a page", **fields}


@pytest.fixture(scope="module")
def rhombus():
    return Book("rhombus", [])


@pytest.fixture(scope="module")
def daily():
    return Book("a-puzzle-a-day", [])


def test_a_board_with_weekdays_says_them_of_each_date(rhombus):
    text = "\n".join(year_map.section(rhombus))
    assert '"Tue 14 July 2026: 1,035 solutions, the 54th from the top of 365">1,035<' in text
    assert '"Thu 6 September: 4 solutions, the fewest of 2,562">4<' in text
    assert [re.sub("<.*?>", "", line) for line in text.splitlines() if "<summary>" in line] == [
        f"{name}s" for name in year_map.LONG
    ]


def test_the_maps_of_all_weekdays_have_every_number_of_the_table_that_is_a_date(rhombus):
    shown = [count for name in WEEKDAYS for count in rhombus.on(name).values()]
    real = [n for reveal, n in rhombus.known.items() if rhombus.puzzle.calendar.is_date(reveal)]
    assert sorted(shown) == sorted(real) and len(shown) == 2562


def test_the_largest_page_is_not_too_large(rhombus):
    assert len("\n".join(year_map.section(rhombus))) < LARGE


def test_a_board_without_weekdays_has_one_map_with_29_february(daily):
    text = "\n".join(year_map.section(daily))
    assert text.count("<table") == 1 and '"29 February: ' in text and "<details>" not in text


def test_each_shade_has_about_as_many_numbers_and_the_darkest_the_fewest():
    ranking = Ranking(range(90))
    assert [ranking.shade(count) for count in range(90)] == [n // 10 for n in range(90)]
    assert Ranking([5, 5, 5]).shade(5) == 0


def test_the_shades_of_the_style_sheet_are_the_heat_of_the_theme_and_can_be_read():
    shades = re.findall(r"\.shade-\d \{ background: (#\w+); color: (#\w+); \}", CSS)
    assert len(shades) == SHADES
    for number, (background, ink) in enumerate(shades):
        assert background == load_theme().heat_colour(number / (SHADES - 1))
        full = "#" + "".join(2 * digit for digit in ink[1:])
        assert full == ink_on(background) and contrast(background, full) >= 4.5


def test_a_summary_names_dates_as_people_write_them_and_separates_thousands(daily, rhombus):
    assert "The fewest are 7 solutions (6 October)" in puzzle_page.summary(daily)
    assert "; and 4 more)" in puzzle_page.summary(rhombus)
    assert re.search(r"the median is \d\d,\d{3}\.", puzzle_page.summary(Book("sh1ura-11", [])))


def test_all_that_share_the_fewest_are_named_below(rhombus, monkeypatch):
    monkeypatch.setattr(puzzle_page, "measures", lambda book: ())
    (line,) = [line for line in puzzle_page.extremes(rhombus) if "Fewest" in line]
    assert line.count("Thursday") == 6 and "more" not in line


@pytest.mark.parametrize(("board", "proved"), [("pentomino-8x8", False), ("rhombus", True)])
def test_a_page_says_whether_its_numbers_are_theorems(board, proved):
    text = " ".join(puzzle_page.proofs(Book(board, [])))
    assert ("are [theorems]" in text) == proved == ("is not a" not in text)


def test_what_is_refuted_has_the_sentence_of_the_findings_and_links_what_shows_it():
    (row,) = list(
        verdict_page.table(
            [
                verdict(
                    id="3b",
                    verdict="refuted",
                    statement="Jan 20 | the most: 195",
                    certificate="certificates/a-puzzle-a-day.satcert",
                )
            ]
        )
    )[1:-1]
    assert row == (
        r"| [refuted]{.refuted} | Jan 20 \| the most: 195 | Jan 25 has 216 | "
        "[certificate](../../results/certificates/a-puzzle-a-day.satcert) | a page |"
    )


def test_every_wrong_or_settled_statement_has_a_sentence():
    text = (ROOT / "results" / "claims.md").read_text(encoding="utf-8").partition("### Und")[0]
    ids = [id for id in re.findall(r"^\| ([\w-]+) \|", text, re.MULTILINE) if id != "---"]
    assert len(ids) == 20 and set(ids) <= set(verdict_page.facts())


def test_a_file_that_the_sentence_links_is_not_linked_twice():
    those = verdict(id="6b", verdict="refuted", see="claims/6b.svg counts/a-puzzle-a-day.csv")
    assert "6b.svg" in verdict_page.truth(those)
    assert verdict_page.evidence(those) == "[table](../../results/counts/a-puzzle-a-day.csv)"


def test_a_certificate_is_not_said_to_show_a_number_of_placements():
    file = "certificates/a-puzzle-a-day.satcert"
    placements = verdict(verdict="confirmed", truth="782 placements", certificate=file)
    assert not verdict_page.evidence(placements)
    for truth in ("92", "216 (Jan 25)", "at least 7", "the fewest is 0"):
        assert verdict_page.evidence(verdict(verdict="confirmed", truth=truth, certificate=file))


def test_statements_about_boards_that_nobody_wrote_down_have_a_heading():
    assert "not written down" in verdict_page.heading("a board not defined", None)


@pytest.mark.parametrize(
    ("dates", "said"),
    [(0, ""), (1, "; 1 date has exactly one"), (14, "; 14 dates have exactly one")],
)
def test_a_design_says_how_many_dates_have_one_solution(dates, said):
    assert design_page.alone(dates) == said


def test_every_piece_is_drawn_in_both_themes(daily):
    text = "".join(pieces.row_of_pieces(daily.puzzle))
    assert text.count("<figure>") == 8
    assert text.count('class="only-light"') == text.count('class="only-dark"') == 8


def test_a_number_of_a_book_comes_from_the_kept_table(daily):
    assert daily.known["Oct", "6"] == 7 and books.number(daily.total, "x") == "25,061 xs"


@pytest.fixture
def stacked_tables(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "_extensions"))
    sys.modules.pop("stacked_tables", None)
    import stacked_tables

    return stacked_tables


def table(*rows):
    """A table of docutils, its heads first."""
    made = [
        nodes.row("", *(nodes.entry("", nodes.paragraph("", cell)) for cell in row)) for row in rows
    ]
    body = nodes.tbody("", *made[1:])
    return nodes.table("", nodes.tgroup("", nodes.thead("", made[0]), body))


def test_the_cells_of_a_wordy_table_say_their_column(stacked_tables):
    wordy = table(("", "published", "shown by"), ("3b", "x" * 41, "y" * 41), ("4", "z", ""))
    stacked_tables.stack(None, wordy)
    assert wordy["classes"] == ["stacked"]
    said = [entry.astext() for entry in wordy.findall(nodes.entry)][3:]
    assert said == [
        "3b",
        f"published: {'x' * 41}",
        f"shown by: {'y' * 41}",
        "4",
        "published: z",
        "",
    ]


def test_a_table_of_numbers_stays_a_table(stacked_tables):
    numbers = table(("a", "b", "c"), ("1", "2", "x" * 41))
    stacked_tables.stack(None, numbers)
    assert not numbers["classes"]


def test_the_findings_say_how_many_numbers_are_theorems():
    proved = {path.stem for path in (ROOT / "theorem" / "results").glob("long_*.v")}
    boards = [path.stem for path in (ROOT / "results" / "counts").glob("*.csv")]
    those = [board for board in boards if f"long_{board.replace('-', '_')}" in proved]
    numbers = sum(len(Book(board, []).rows) for board in those)
    findings = " ".join((ROOT / "results" / "README.md").read_text(encoding="utf-8").split())
    assert f"are theorems, too, {numbers:,} of {len(those)} puzzles" in findings
    assert {*boards} - {*those} == {"pentomino-8x8"}
