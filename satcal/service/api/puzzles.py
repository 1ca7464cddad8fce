"""Puzzles: the library, one of them, and those that somebody posts."""

from __future__ import annotations

import math
from typing import Any

from fastapi import APIRouter, Request, Response

from satcal.draw.theme import load_theme
from satcal.service.diagrams import etag
from satcal.service.models import Definition, PuzzleModel, PuzzleSummary
from satcal.service.puzzles import Entry
from satcal.service.routing import Named, Running, send, send_json
from satcal.service.security import caller_of

puzzles = APIRouter(prefix="/puzzles", tags=["puzzles"])


def summary(entry: Entry) -> dict[str, Any]:
    """Return what a list says of a puzzle."""
    puzzle = entry.puzzle
    return {
        "id": entry.id, "title": puzzle.title or puzzle.name, "source": puzzle.source,
        "cells": len(puzzle.cells), "pieces": sum(piece.copies for piece in puzzle.pieces),
        "reveals": math.prod(map(len, puzzle.categories.values())),
        "dates": puzzle.calendar.parts is not None,
    }  # fmt: skip


def whole(entry: Entry) -> dict[str, Any]:
    """Return all of a puzzle."""
    puzzle = entry.puzzle
    colours = load_theme().piece_colours(puzzle)
    return summary(entry) | {
        "name": puzzle.name, "digest": puzzle.digest,
        "rows": puzzle.rows, "columns": puzzle.columns, "board": puzzle.cells,
        "labels": [
            {"text": label.text, "category": label.category, "cells": label.cells}
            for label in puzzle.labels.values()
        ],
        "categories": puzzle.categories,
        "piece_set": [
            {"name": piece.name, "copies": piece.copies, "flip": piece.flip,
             "colour": colours[piece.name], "orientations": piece.orientations}
            for piece in puzzle.pieces
        ],
        "placements": entry.placements,
    }  # fmt: skip


@puzzles.get("", response_model=list[PuzzleSummary])
async def list_puzzles(service: Running) -> list[dict[str, Any]]:
    """List the library."""
    return [summary(entry) for entry in service.shelf.library()]


@puzzles.post("", status_code=201, response_model=PuzzleModel)
async def post_puzzle(
    request: Request, service: Running, posted: Definition, response: Response
) -> dict[str, Any]:
    """Validate a puzzle of your own and keep it; everything else works on it as on the library."""
    caller, limits = caller_of(request), service.config.limits
    cells = limits.small if caller.owner is None else limits.cells
    entry = await service.shelf.post(posted.definition, caller.client, cells)
    response.headers["Location"] = f"/api/v1/puzzles/{entry.id}"
    return whole(entry)


@puzzles.get("/{puzzle}", response_model=PuzzleModel)
async def get_puzzle(request: Request, entry: Named) -> Response:
    """Describe a puzzle: its board, its labels and its pieces."""
    return send_json(request, entry, "puzzle", whole(entry))


@puzzles.get(
    "/{puzzle}/definition",
    response_class=Response,
    responses={200: {"content": {"application/toml": {}}}},
)
async def get_definition(request: Request, service: Running, entry: Named) -> Response:
    """Return the TOML text that defines a puzzle."""
    text = await service.shelf.definition(entry)
    return send(request, text.encode(), "application/toml", etag(entry, "definition"))
