"""A full-screen browser of dates and tilings, by Textual."""

from __future__ import annotations

import contextlib
import datetime
import random
from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Footer, Input, Label, ListItem, ListView, Static

from satcal.counting.hint import hint
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.draw.board import draw_tiling
from satcal.draw.tables import count_of
from satcal.draw.terminal import coloured
from satcal.errors import SatcalError
from satcal.puzzle.demands import Demand, parse_demands
from satcal.puzzle.model import Placement, cell_name
from satcal.puzzle.ranges import Row

PAGE = 10  # tilings that PgUp and PgDn pass
BUTTONS = {"previous": "step(-1)", "next": "step(1)", "random": "random", "hint": "hint"}
QUESTIONS = {
    "date": "date or reveal, such as 2025-12-25 or Dec 25",
    "place": "what is placed, such as N@r2c3 or N:r2c3,...",
}


class Browser(App[None]):
    """Dates on the left, one tiling of the chosen date on the right."""

    TITLE = "satcal"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #dates { width: 24; border-right: solid $primary; }
    #board { padding: 0 1; height: auto; }
    #message { height: auto; padding: 0 1; }
    #buttons { height: 3; }
    Button { min-width: 10; margin-right: 1; }
    Input { display: none; }
    Input.asking { display: block; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        ("n,right", "step(1)", "next"),
        ("p,left", "step(-1)", "previous"),
        ("pagedown", f"step({PAGE})", f"{PAGE} on"),
        ("pageup", f"step(-{PAGE})", f"{PAGE} back"),
        ("home", "show(0)", "first"),
        ("end", "show(-1)", "last"),
        ("r", "random", "random"),
        ("j", "ask('date')", "jump to date"),
        ("f", "ask('place')", "filter"),
        ("c", "clear", "clear filter"),
        ("h", "hint", "hint"),
        ("escape", "leave_question", "back"),
        ("q", "quit", "quit"),
    ]

    def __init__(
        self, diagram: PuzzleDiagram, rows: Sequence[Row], generator: random.Random,
        coloured: bool = True, demands: tuple[Demand, ...] = (),
    ) -> None:  # fmt: skip
        super().__init__()
        self.diagram, self.rows, self.generator = diagram, list(rows), generator
        self.coloured, self.demands = coloured, demands
        self.row, self.rank, self.total = 0, 0, 0
        self.asked = self.message = ""
        self.hinted: Placement | None = None

    def compose(self) -> ComposeResult:
        """Yield the widgets."""
        items = [ListItem(Label(str(row) or self.diagram.puzzle.name)) for row in self.rows]
        with Horizontal():
            yield ListView(*items, id="dates")
            with VerticalScroll(can_focus=False):
                yield Static(id="message", markup=False)
                yield Static(id="board")
                yield Horizontal(*(Button(name, id=name) for name in BUTTONS), id="buttons")
                yield Vertical(Input(id="question"))
        yield Footer()

    def on_mount(self) -> None:
        """Show the first date."""
        self.query_one(ListView).focus()
        self.choose(0)

    def on_list_view_highlighted(self, event: ListView.Highlighted) -> None:
        """Show the date on which the keys or the mouse have gone."""
        index = event.list_view.index
        if index is not None and index != self.row:
            self.choose(index)

    async def on_button_pressed(self, event: Button.Pressed) -> None:
        """Do what the key of the same name does."""
        await self.run_action(BUTTONS[event.button.id or ""])

    def choose(self, index: int) -> None:
        """Show the first tiling of a row; what was placed stays placed."""
        self.row, self.rank, self.hinted = index, 0, None
        self.total = self.diagram.count(self.rows[index].reveal, self.demands)
        self.tell("")

    def tell(self, text: str) -> None:
        """Show the tiling, and a line of text under its number."""
        row, number = self.rows[self.row], "no tiling"
        placed = " with " + " ".join(map(_written, self.demands)) if self.demands else ""
        tiling: Sequence[Placement] = ()
        if self.total:
            number = f"{self.rank + 1:,} of {count_of(self.total, 'tiling')}"
            tiling = self.diagram.tiling(self.rank, row.reveal, self.demands)
        if self.hinted is not None:
            placements = [Placement(d.piece, d.cells) for d in self.demands if d.whole]
            tiling = [self.hinted, *(p for p in placements if p != self.hinted)]
        self.message = "\n".join(filter(None, [f"{row}: {number}{placed}", text]))
        self.query_one("#message", Static).update(Text(self.message))
        shown = (self.diagram.puzzle, row.reveal, tiling)
        board = coloured(*shown) if self.coloured else Text(draw_tiling(*shown))
        self.query_one("#board", Static).update(board)

    def action_show(self, rank: int, text: str = "") -> None:
        """Go to a tiling by its number from 0, round at the ends."""
        if self.total:
            self.rank, self.hinted = rank % self.total, None
            self.tell(text)

    def action_step(self, by: int) -> None:
        """Go to a later or earlier tiling."""
        self.action_show(self.rank + by)

    def action_random(self) -> None:
        """Go to a tiling drawn from all of this date."""
        if self.total:
            self.action_show(self.generator.randrange(self.total), "drawn at random")

    def action_hint(self) -> None:
        """Show one next placement instead of the tiling."""
        left = hint(self.diagram, self.rows[self.row].reveal, self.demands)
        self.hinted = left.next()
        if self.hinted is None:
            self.tell("no hint: nothing is left to place")
            return
        places = count_of(len(left.places[self.hinted.piece]), "place")
        self.tell(f"the piece {self.hinted.piece} has the fewest places left: {places}")

    def action_ask(self, what: str) -> None:
        """Open the line of text for a date or a piece."""
        question = self.query_one(Input)
        self.asked, question.value = what, ""
        question.placeholder = QUESTIONS[what]
        question.add_class("asking")
        question.focus()

    def action_leave_question(self) -> None:
        """Close the line of text."""
        self.query_one(Input).remove_class("asking")
        self.query_one(ListView).focus()

    def action_clear(self) -> None:
        """Forget what is placed."""
        self.demands = ()
        self.choose(self.row)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Jump to the date, or keep only tilings with what is placed."""
        try:
            if self.asked == "date":
                self._jump(event.value)
            else:
                added = parse_demands(self.diagram.puzzle, event.value.split())
                # which may be refused, before anything is changed
                self.diagram.count(self.rows[self.row].reveal, (*self.demands, *added))
                self.demands += tuple(added)
                self.choose(self.row)
        except SatcalError as error:
            self.tell(str(error))
        else:
            self.action_leave_question()

    def _jump(self, text: str) -> None:
        wanted = text.strip().casefold()
        names = [str(row).casefold() for row in self.rows]
        if wanted not in names:
            with contextlib.suppress(ValueError):
                date = datetime.date.fromisoformat(wanted)
                wanted = " ".join(self.diagram.puzzle.reveal(date)).casefold()
        if wanted not in names:
            self.tell(f"'{text}' is not in the list on the left")
            return
        self.query_one(ListView).index = names.index(wanted)
        self.choose(names.index(wanted))


def _written(demand: Demand) -> str:
    return f"{demand.piece}{':' if demand.whole else '@'}{','.join(map(cell_name, demand.cells))}"
