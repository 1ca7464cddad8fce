"""The page of all verdicts on published statements, and their tables on the pages of puzzles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from tools.count_pages.book import ROOT, Book, by_number
from tools.count_pages.parts import head

Verdict = Mapping[str, str]
VERDICTS = ("refuted", "settled", "undecided", "confirmed")
PLURALS = {"refuted": "wrong", "settled": "settled", "undecided": "undecided", "confirmed": "right"}
RESULTS = "../../results"
KINDS = {".satcert": "certificate", ".csv": "table", ".svg": "drawing", ".md": "measurement"}
FACTS = re.compile(r"^\| ([\w, -]+?) \| [^|]+ \| ([^|]+) \| [^|]+ \|$", re.MULTILINE)
"""A row of the tables of results/README.md: ids, what is published, what is true, by whom."""
COUNT = re.compile(r"((at|the) \w+ (is )?)?[\d,]+( \(.+\))?")  # what a certificate can show


def page(books: Sequence[Book], verdicts: Sequence[Verdict]) -> Iterator[str]:
    """The page of all verdicts, puzzle by puzzle."""
    found = Counter(verdict["verdict"] for verdict in verdicts)
    yield from head(
        "Published statements about calendar puzzles: which are right, and what is true."
    )
    yield "# Published counts, and what is true\n"
    yield f"We examined {len(verdicts)} published statements: {found['confirmed']} are right,"
    yield f"{found['refuted']} wrong, {found['undecided']} cannot be decided;"
    yield f"{found['settled']} say nothing definite, or count in another way, and are *settled* by"
    yield f"the exact number. [What is wrong, and by how much]({RESULTS}/README.md).\n"
    yield "Each row links what shows the truth. A certificate holds every solution and a proof that"
    yield "there is no other; check it with `satcal check FILE --reveal Jan,25`, or"
    yield "[without satcal](../how-to/check-a-certificate.md). Is a statement missing?"
    yield "[Here is how to check it](../how-to/number-is-wrong.md).\n"
    titles = {book.board: book for book in books}
    boards = dict.fromkeys(verdict["board"] for verdict in verdicts)
    for board in sorted(boards, key=lambda name: (name not in titles, by_number(name))):
        own = [verdict for verdict in verdicts if verdict["board"] == board]
        yield f"## {heading(board, titles.get(board))}\n"
        yield f"{tally(own)}.\n"
        yield from table(own)


def heading(board: str, book: Book | None) -> str:
    """What stands over the verdicts about a board."""
    if book:
        return f"[{book.title}]({board}.md)"
    if " " in board:
        return "Boards that are not written down"
    return f"Another board: {board}"


def section(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """What was published about one puzzle; what is right is folded."""
    if not verdicts:
        return
    yield "## What others have published\n"
    yield f"{tally(verdicts)}. [What the verdicts mean](verdicts.md).\n"
    doubtful = [each for each in verdicts if each["verdict"] != "confirmed"]
    right = [each for each in verdicts if each["verdict"] == "confirmed"]
    if doubtful:
        yield from table(doubtful)
    if right:
        yield "<details><summary>What is right</summary>\n"
        yield from table(right)
        yield "</details>\n"


def tally(verdicts: Iterable[Verdict]) -> str:
    """How many statements have which verdict."""
    found = Counter(verdict["verdict"] for verdict in verdicts)
    return ", ".join(f"{found[name]} {PLURALS[name]}" for name in VERDICTS if found[name])


def table(verdicts: Iterable[Verdict]) -> Iterator[str]:
    """A table of verdicts, the refuted ones first."""
    yield "| verdict | published | true | shown by | by |\n|---|---|---|---|---|"
    for verdict in sorted(verdicts, key=lambda each: VERDICTS.index(each["verdict"])):
        name = verdict["verdict"]
        said, source = plain(verdict["statement"]), plain(verdict["source"])
        cells = (f"[{name}]{{.{name}}}", said, truth(verdict), evidence(verdict), source)
        yield f"| {' | '.join(cells)} |"
    yield ""


def plain(text: str) -> str:
    """Text that Markdown leaves as it is, also in a table."""
    return re.sub(r"([\\`*_{}\[\]<>|#~$])", r"\\\1", text)


@cache
def facts() -> dict[str, str]:
    """The sentences of results/README.md on what is wrong or settled, by the statements' ids."""
    text = (ROOT / "results" / "README.md").read_text(encoding="utf-8")
    return {id: fact for ids, fact in FACTS.findall(text) for id in ids.split(", ")}


def truth(verdict: Verdict) -> str:
    """What is true, in words that need no knowledge of how claims are written."""
    if verdict["verdict"] in ("refuted", "settled"):
        return re.sub(r"\]\((?!http)", f"]({RESULTS}/", facts()[verdict["id"]])
    text = re.sub(r"\(from ([\d.]+)\)", r"(\1 before it is rounded)", verdict["truth"])
    return plain(text or verdict["reason"])


def evidence(verdict: Verdict) -> str:
    """Links to the files that show what is true."""
    files = verdict["see"].split()
    if verdict["certificate"] and (
        verdict["verdict"] != "confirmed" or COUNT.fullmatch(verdict["truth"])
    ):
        files.insert(0, verdict["certificate"])
    said = truth(verdict)  # may link some of them
    new = [file for file in files if f"/{file})" not in said]
    return ", ".join(f"[{KINDS[Path(file).suffix]}]({RESULTS}/{file})" for file in new)
