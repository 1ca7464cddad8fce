"""The shapes of requests and answers, for the API's description."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from satcal.puzzle.toml import shown
from satcal.service.routing import DATE, PLACE

RevealTexts = Annotated[
    list[Annotated[str, Field(max_length=32)]], Field(max_length=32, fail_fast=True)
]
PUZZLE_NAME = Field(max_length=64, examples=["rhombus"])


class Problem(BaseModel):
    """A problem as RFC 9457 describes it."""

    type: str
    title: str
    status: int
    detail: str


class PieceModel(BaseModel):
    """A piece: its orientations as lists of [row, column]."""

    name: str
    copies: int
    flip: bool
    colour: str
    orientations: list[list[tuple[int, int]]]


class LabelModel(BaseModel):
    """A label and the cells that it stays uncovered on."""

    text: str
    category: str
    cells: list[tuple[int, int]]


class PuzzleSummary(BaseModel):
    """A puzzle in a list."""

    id: str
    title: str
    source: str
    cells: int
    pieces: int
    reveals: int
    dates: bool


class PuzzleModel(PuzzleSummary):
    """A puzzle: its board, its labels and its pieces."""

    name: str
    digest: str
    rows: int
    columns: int
    board: list[tuple[int, int]]
    labels: list[LabelModel]
    categories: dict[str, list[str]]
    piece_set: list[PieceModel]
    placements: int


class Sent(BaseModel):
    """What a client sends. Its first mistake is enough: a megabyte may hold a hundred thousand."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    @model_validator(mode="before")
    @classmethod
    def _known(cls, given: Any) -> Any:
        for name in given if isinstance(given, dict) else ():
            if name not in cls.model_fields:
                raise PydanticCustomError(
                    "extra", "there is no field {name}", {"name": shown(name)}
                )
        return given


class Definition(Sent):
    """A puzzle's definition: the TOML text of a puzzle file."""

    definition: str = Field(max_length=262_144)


class CountRow(BaseModel):
    """The number of tilings of one reveal; a number may exceed 2^53."""

    date: str | None = None
    reveal: list[str]
    tilings: int


class CountsModel(BaseModel):
    """Counts by the diagram."""

    puzzle: str
    total: int
    rows: list[CountRow]


class Remaining(BaseModel):
    """How many tilings contain what is placed."""

    reveal: list[str]
    place: list[str]
    tilings: int


class HintModel(Remaining):
    """The piece with the fewest places left, a next placement, places left of each piece."""

    tightest: str | None
    next: str | None
    places: dict[str, int]


class TilingModel(BaseModel):
    """A tiling: its rank in the diagram's order, and its placements."""

    rank: int
    placements: list[str]


class TilingsModel(Remaining):
    """A page of tilings in the diagram's order."""

    offset: int
    items: list[TilingModel]


class RandomModel(Remaining):
    """A tiling, all equally likely; the same seed, the same tiling."""

    seed: int
    items: list[TilingModel]


class CountRequest(Sent):
    """Count by a method as a job; ``sat`` verifies every tiling and proves that there is no other.

    Either a date, or reveals.
    """

    kind: Literal["count"]
    puzzle: str = PUZZLE_NAME
    method: Literal["diagram", "sat", "search"] = "sat"
    date: str | None = Field(None, pattern=DATE)
    reveals: list[RevealTexts] = Field([], max_length=4000, fail_fast=True)
    place: list[Annotated[str, Field(pattern=PLACE, max_length=2500)]] = Field([], max_length=64)


class CertificateRequest(Sent):
    """Make a certificate of a date, or of a reveal."""

    kind: Literal["certificate"]
    puzzle: str = PUZZLE_NAME
    date: str | None = Field(None, pattern=DATE)
    reveal: list[Annotated[str, Field(max_length=32)]] | None = Field(
        None, max_length=32, fail_fast=True
    )


class JobModel(BaseModel):
    """A job: ``state`` is queued, running, done, failed or cancelled."""

    id: str
    kind: str
    puzzle: str | None
    state: str
    starts: int
    progress: dict[str, Any]
    result: dict[str, Any] | None
    error: dict[str, Any] | None
    file: str | None = Field(description="where its file can be downloaded")
    changed_at: str


class ClaimsModel(BaseModel):
    """The verdicts on published statements; empty until the job that examines them is done."""

    job: JobModel
    verdicts: list[dict[str, str]]
