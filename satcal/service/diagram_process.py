"""``python -m satcal.service.diagram_process``: holds one puzzle's diagram and answers questions.

The first line describes the puzzle; its answer comes when the diagram is built.
"""

from __future__ import annotations

from functools import partial

from satcal.diagram.puzzle import open_diagram
from satcal.puzzle.toml import parse_puzzle
from satcal.service.answers import Answers
from satcal.service.child import answer, begin, dumps, lines


def main() -> None:
    """Build, then answer until the server is gone."""
    begin()
    messages = lines()
    first = next(messages)
    built: list[Answers] = []

    def build() -> bytes:
        puzzle = parse_puzzle(first["text"], first["where"])
        diagram = open_diagram(
            puzzle, list(puzzle.reveals()), use_cache=first["cache"], memory_limit=first["memory"]
        )
        built.append(Answers(diagram))
        return dumps({"nodes": diagram.diagram.nodes})

    if not answer(build):
        return
    for question in messages:
        answer(partial(built[0].ask, question))


if __name__ == "__main__":
    main()
