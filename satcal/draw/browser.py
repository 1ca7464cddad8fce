"""A full-screen browser of dates and tilings, by Textual."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Footer, Input, Label, ListItem, ListView, Static

from satcal.counting.hint import advice, hint
from satcal.diagram.puzzle import PuzzleDiagram
from satcal.draw.board import draw_tiling
from satcal.draw.tables import count_of
from satcal.draw.terminal import coloured
from satcal.errors import RevealError, SatcalError
from satcal.puzzle.calendar import parse_date
from satcal.puzzle.demands import Demand, parse_demands
from satcal.puzzle.model import Piece, Placement
from satcal.puzzle.ranges import Row, labels_in
from satcal.puzzle.shapes import Cell, Shape, extent, normalise, reflect, rotate

PAGE = 10  # tilings that PgUp and PgDn pass
BUTTONS = {
    "previous": "step(-1)", "next": "step(1)", "random": "random", "hint": "hint", "play": "play"
}  # fmt: skip
ARROWS = (("up", -1, 0), ("down", 1, 0), ("left", 0, -1), ("right", 0, 1))
QUESTIONS = {
    "date": "date or reveal, such as 2025-12-25 or Dec 25",
    "place": "what is placed, such as N@r2c3 or N:r2c3,...",
}


class Hand(NamedTuple):
    """A piece that is held over the board, not necessarily where it fits."""

    piece: Piece
    shape: Shape = ((0, 0),)
    corner: Cell = (0, 0)

    @property
    def placement(self) -> Placement:
        """Where it would stand."""
        row, column = self.corner
        return Placement(self.piece.name, tuple((row + y, column + x) for y, x in self.shape))


class Board(Static):
    """The board; while somebody plays on it, it has the keys that move the piece in hand."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *((key, f"app.move({row}, {column})", "") for key, row, column in ARROWS),
        ("n,tab", "app.take(1)", "next piece"),
        ("p", "app.take(-1)", "previous"),
        ("t", "app.turn", "turn"),
        ("f", "app.flip", "flip"),
        ("enter,space", "app.put", "place"),
        ("u,backspace", "app.undo", "undo"),
    ]


class Browser(App[None]):
    """Dates on the left, one tiling of the chosen date on the right, or the board to play on."""

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
        ("j", "ask('date')", "jump"),
        ("f", "ask('place')", "filter"),
        ("c", "clear", "clear"),
        ("h", "hint", "hint"),
        ("m", "play", "play"),
        ("escape", "leave_question", "back"),
        ("q", "quit", "quit"),
    ]

    def __init__(
        self, diagram: PuzzleDiagram, rows: Sequence[Row], generator: random.Random,
        coloured: bool = True, demands: tuple[Demand, ...] = (), first: int = 0,
    ) -> None:  # fmt: skip
        super().__init__()
        self.diagram, self.rows, self.generator = diagram, list(rows), generator
        self.coloured, self.demands = coloured, demands
        self.row, self.rank, self.total = first, 0, 0
        self.asked = self.message = ""
        self.hinted: Placement | None = None
        self.playing, self.hand = False, Hand(diagram.puzzle.pieces[0])

    def compose(self) -> ComposeResult:
        """Yield the widgets."""
        items = [
            ListItem(Label(str(row) or self.diagram.puzzle.name, markup=False)) for row in self.rows
        ]
        with Horizontal():
            yield ListView(*items, id="dates", initial_index=self.row)
            with VerticalScroll(can_focus=False):
                yield Static(id="message", markup=False)
                yield Board(id="board")
                buttons = (Button(n, id=n, action=f"app.{do}") for n, do in BUTTONS.items())
                yield Horizontal(*buttons, id="buttons")
                yield Vertical(Input(id="question"))
        yield Footer()

    def on_mount(self) -> None:
        """Show the date that was asked for."""
        self.query_one(ListView).focus()
        self.choose(self.row)

    def on_list_view_highlighted(self, event: ListView.Highlighted) -> None:
        """Show the date on which the keys or the mouse have gone."""
        index = event.list_view.index
        if index is not None and index != self.row:
            self.choose(index)

    def choose(self, index: int) -> None:
        """Show the first tiling of a row; what was placed stays placed."""
        self.row, self.rank, self.hinted = index, 0, None
        self.total = self.diagram.count(self.rows[index].reveal, self.demands)
        self.tell("")

    def tell(self, text: str) -> None:
        """Show the tiling, and a line of text under its number."""
        row, number = self.rows[self.row], "no tiling"
        name = str(row) or self.diagram.puzzle.name
        placed = " with " + " ".join(map(str, self.demands)) if self.demands else ""
        tiling: Sequence[Placement] = ()
        if self.total:
            number = f"{self.rank + 1:,} of {count_of(self.total, 'tiling')}"
            tiling = self.diagram.tiling(self.rank, row.reveal, self.demands)
        placements = [Placement(d.piece, d.cells) for d in self.demands if d.whole]
        if self.playing:
            number = f"{count_of(self.total, 'tiling')} left"
            tiling = [*placements, self.hand.placement]  # the last is drawn above the others
        elif self.hinted is not None:
            tiling = [self.hinted, *(p for p in placements if p != self.hinted)]
        self.message = "\n".join(filter(None, [f"{name}: {number}{placed}", text]))
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
        """Show one next placement instead of the tiling, or take it in hand."""
        reveal = self.rows[self.row].reveal
        left = hint(self.diagram, reveal, self.demands)
        self.hinted = left.next()
        if self.hinted is None:
            done = "no hint: nothing is left to place"
            self.tell(done if self.total else advice(self.diagram, reveal, self.demands))
            return
        piece, cells = self.diagram.puzzle.piece(self.hinted.piece), self.hinted.cells
        rows, columns = zip(*cells, strict=True)
        self.hand = Hand(piece, normalise(cells), (min(rows), min(columns)))
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
        """Close the line of text, and end playing."""
        self.query_one(Input).remove_class("asking")
        self.query_one(ListView).focus()
        if self.playing:
            self.playing = self.query_one(Board).can_focus = False
            self.choose(self.row)

    def action_clear(self) -> None:
        """Forget what is placed."""
        self.demands = ()
        self.choose(self.row)

    def action_play(self) -> None:
        """Show what is placed, and take the first piece that is left in hand."""
        self.playing = self.query_one(Board).can_focus = True
        self.query_one(Board).focus()
        self.action_take(0)

    def action_take(self, by: int) -> None:
        """Take another of the pieces that are left in hand, or the first of them."""
        used = Counter(demand.piece for demand in self.demands if demand.whole)
        left = [each for each in self.diagram.puzzle.pieces if used[each.name] < each.copies]
        if not left:
            self.action_leave_question()
            self.tell("every piece is placed")
            return
        at = left.index(self.hand.piece) + by if self.hand.piece in left else 0
        piece = left[at % len(left)]
        self.hold(Hand(piece, piece.shape, self.hand.corner))

    def hold(self, hand: Hand) -> None:
        """Hold a piece over the board, as near to its corner as the board allows."""
        puzzle = self.diagram.puzzle
        (high, wide), (row, column) = extent(hand.shape), hand.corner
        row = max(0, min(row, puzzle.rows - high))
        column = max(0, min(column, puzzle.columns - wide))
        self.hand = hand._replace(corner=(row, column))
        self.tell(f"{hand.piece.name} in hand: arrows move, t turns, f flips, Enter places it")

    def action_move(self, down: int, right: int) -> None:
        """Move the piece in hand."""
        row, column = self.hand.corner
        self.hold(self.hand._replace(corner=(row + down, column + right)))

    def action_turn(self) -> None:
        """Turn the piece in hand by 90 degrees."""
        self.hold(self.hand._replace(shape=rotate(self.hand.shape)))

    def action_flip(self) -> None:
        """Turn the piece in hand over."""
        if (flipped := reflect(self.hand.shape)) in self.hand.piece.orientations:
            self.hold(self.hand._replace(shape=flipped))
        else:
            self.tell(f"{self.hand.piece.name} may not be turned over")

    def action_put(self) -> None:
        """Place the piece in hand, where all its cells are free."""
        puzzle, placed = self.diagram.puzzle, self.hand.placement
        taken = puzzle.uncovered(self.rows[self.row].reveal)
        taken |= {cell for demand in self.demands if demand.whole for cell in demand.cells}
        if taken.isdisjoint(placed.cells) and set(placed.cells) <= set(puzzle.cells):
            self._play((*self.demands, Demand(placed.piece, placed.cells, whole=True)))
        else:
            self.tell(f"{placed.piece} does not fit here")

    def action_undo(self) -> None:
        """Take back what was placed last."""
        self._play(self.demands[:-1])

    def _play(self, demands: tuple[Demand, ...]) -> None:
        self.demands = demands
        self.choose(self.row)
        self.action_take(0)

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
        wanted = {label.casefold() for label in labels_in(text)}
        with contextlib.suppress(RevealError):  # then it names labels
            date = parse_date(text, "jump", self.rows[self.row].date)
            reveal = self.diagram.puzzle.reveal(date)
            dated = Row(reveal, date) in self.rows
            wanted = {date.isoformat()} if dated else set(map(str.casefold, reveal))
        for index, row in enumerate(self.rows):
            if wanted <= {str(row), *map(str.casefold, row.reveal)} and wanted:
                self.query_one(ListView).index = index
                self.choose(index)
                return
        self.tell(f"'{text}' is not in the list on the left")
