"""The diagram of a puzzle: the kernel's answers in the puzzle's words; the cache."""

from __future__ import annotations

import hashlib
import io
import logging
import os
import random
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

import numpy as np
import platformdirs

from satcal.diagram.build import build
from satcal.diagram.graph import Diagram, Tilings
from satcal.diagram.model import Array, DiagramError, MemoryLimitError, Problem, Progress
from satcal.errors import FileTrouble, FormatError, NoTiling, OptionError, PlacementError, TooLarge
from satcal.files import make_folder, write_bytes
from satcal.processes import memory_to_use
from satcal.puzzle.demands import Demand, allowed
from satcal.puzzle.model import Placement, Puzzle, Reveal, Tiling
from satcal.puzzle.placements import Cover, Option, cover, filling_order, keep
from satcal.version import __version__

FORMAT = 1  # of a file; raise it when one of before would be read wrongly
ARRAYS = ("layer_start", "frontier", "remaining", "arc_start", "arc_child", "arc_option", "unit")
EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time a zip can hold: no clock in the file
# RuntimeError: a flag says that a member is encrypted, or packed in a way nobody knows
DAMAGE = (
    zipfile.BadZipFile, zlib.error, KeyError, ValueError, EOFError, OSError, RuntimeError
)  # fmt: skip
_log = logging.getLogger(__name__)


def problem_of(whole: Cover) -> Problem:
    """Return an open cover as the kernel sees it, its cells in the order of filling."""
    at = {cell: number for number, cell in enumerate(whole.cells)}
    listed = [[at[cell] for cell in option.cells] for option in whole.options]
    rank = {cell: number for number, cell in enumerate(filling_order(whole))}
    return Problem(
        cells=len(whole.cells),
        copies=[copies for _, copies, _ in whole.items],
        item=whole.item_of,
        mask=[sum(1 << rank[cell] for cell in cells) for cells in listed],
        categories=len(whole.puzzle.categories),
    )


class PuzzleDiagram:
    """All tilings of a puzzle, or of some reveals, and what can be asked of them.

    The order of tilings is that of the diagram: by the option that covers the first
    cell in the order of filling, then the next uncovered one. Where a question takes
    a ``reveal``, None asks about all together; ``demands`` is what is placed already.

    Raises:
        OptionError: by a question, if the diagram was not built for the reveal.
    """

    def __init__(
        self, whole: Cover, diagram: Diagram, reveals: frozenset[Reveal] | None = None
    ) -> None:
        self.cover = whole
        self.puzzle: Puzzle = whole.puzzle
        self.diagram = diagram
        self._reveals = reveals
        self._every = Tilings(diagram)
        self._asked: tuple[object, Tilings] = ((None, ()), self._every)

    @classmethod
    def build(
        cls,
        puzzle: Puzzle,
        reveals: Collection[Reveal] | None = None,
        demands: Sequence[Demand] = (),
        memory_limit: int | None = None,
        progress: Progress | None = None,
    ) -> PuzzleDiagram:
        """Return the diagram of what will be asked; arguments as for :func:`build`.

        Raises:
            TooLarge: too much memory, or too many states.
            PlacementError: demands that exclude each other.
        """
        whole = cover(puzzle, None)
        usable = np.flatnonzero(_allowed(whole, reveals, demands)).tolist()
        try:
            diagram = build(problem_of(whole), usable, memory_limit, progress)
        except MemoryLimitError as error:
            raise TooLarge(
                f"diagram of {puzzle.name}: {error}; raise --memory-limit, ask for one date, have "
                "its shares counted with --cluster, or use --method sat"
            ) from error
        except DiagramError as error:
            raise TooLarge(f"diagram of {puzzle.name}: {error}; use --method sat") from error
        return cls(whole, diagram, None if reveals is None else frozenset(reveals))

    def _tilings(self, reveal: Reveal | None, demands: Sequence[Demand]) -> Tilings:
        """Return the tilings that a question is about; those of the last are kept."""
        if self._reveals is not None:
            if reveal is None and len(self._reveals) == 1:
                (reveal,) = self._reveals
            if reveal not in self._reveals:
                which = f"the reveal {' '.join(reveal)}" if reveal else "all reveals; name one"
                raise OptionError(f"this diagram was not built for {which}")
        key = (reveal, tuple(demands))
        if self._asked[0] != key:
            self._asked = (key, self._restricted(None if reveal is None else [reveal], demands))
        return self._asked[1]

    def _restricted(self, reveals: Collection[Reveal] | None, demands: Sequence[Demand]) -> Tilings:
        usable = _allowed(self.cover, reveals, demands)
        return self._every if usable.all() else Tilings(self.diagram, usable)

    def only(self, labels: Collection[str]) -> PuzzleDiagram:
        """Return the smaller, quicker diagram of the reveals that have these labels."""
        reveals = [r for r in self._reveals or self.puzzle.reveals() if set(labels) <= set(r)]
        chosen = {self.puzzle.labels[text].category for text in labels}
        every = self.puzzle.labels.values()
        texts = {o.text for o in every if o.category not in chosen or o.text in labels}
        return self.using(lambda o: isinstance(o, Placement) or o.text in texts, reveals)

    def using(
        self, allows: Callable[[Option], bool], reveals: Collection[Reveal] | None = None
    ) -> PuzzleDiagram:
        """Return the smaller, quicker diagram of the tilings with allowed options alone."""
        usable = np.array(list(map(allows, self.cover.options)), bool)
        diagram, used = Tilings(self.diagram, usable).alone()
        known = self._reveals if reveals is None else frozenset(reveals)
        return PuzzleDiagram(keep(self.cover, used.tolist()), diagram, known)

    def counts(self, demands: Sequence[Demand] = ()) -> dict[Reveal, int]:
        """Return the number of tilings of each reveal, in canonical order."""
        table = self._restricted(None, demands).reveals()
        counted = zip(self.puzzle.reveals(), table.ravel().tolist(), strict=True)
        return {r: n for r, n in counted if self._reveals is None or r in self._reveals}

    def count(self, reveal: Reveal | None = None, demands: Sequence[Demand] = ()) -> int:
        """Return the number of tilings."""
        return self._tilings(reveal, demands).count()

    def containing(
        self, reveal: Reveal | None = None, demands: Sequence[Demand] = ()
    ) -> dict[Placement, int]:
        """Return for each placement the number of tilings that contain it."""
        numbers = self._tilings(reveal, demands).per_option().tolist()
        counted = zip(self.cover.options, numbers, strict=True)
        return {option: n for option, n in counted if isinstance(option, Placement)}

    def tiling(
        self, rank: int, reveal: Reveal | None = None, demands: Sequence[Demand] = ()
    ) -> Tiling:
        """Return the tiling of a rank, from 0; raise NoTiling if none has it."""
        tilings = self._tilings(reveal, demands)
        if not 0 <= rank < tilings.count():
            raise NoTiling(f"there is no tiling of rank {rank}: there are {tilings.count():,}")
        return self.cover.tiling(tilings.kth(rank))

    def rank(self, tiling: Tiling, reveal: Reveal) -> int:
        """Return the rank of a reveal's tiling; raise PlacementError if it is none."""
        options: list[Option] = [*tiling, *(self.puzzle.labels[text] for text in reveal)]
        try:
            numbers = [self.cover.options.index(option) for option in options]
            return self._tilings(reveal, ()).rank(numbers)
        except (ValueError, DiagramError) as error:
            raise PlacementError(f"this is no tiling of {' '.join(reveal)}") from error

    def random(
        self, generator: random.Random, reveal: Reveal | None = None, demands: Sequence[Demand] = ()
    ) -> Tiling:
        """Return a tiling, all equally likely; raise NoTiling if there is none."""
        count = self.count(reveal, demands)
        if not count:
            raise NoTiling("there is no tiling to draw")
        return self.tiling(generator.randrange(count), reveal, demands)

    def tilings(
        self, reveal: Reveal | None = None, demands: Sequence[Demand] = ()
    ) -> Iterator[Tiling]:
        """Yield every tiling once, in the diagram's order."""
        return map(self.cover.tiling, self._tilings(reveal, demands))


def _allowed(
    whole: Cover, reveals: Collection[Reveal] | None, demands: Sequence[Demand] = ()
) -> Array:
    """Return, per option, whether reveals (None: all) and demands leave it."""
    usable = np.array(allowed(whole, demands), bool)
    if reveals is not None:
        usable &= _with_labels(whole, {text for reveal in reveals for text in reveal})
    return usable


def _with_labels(whole: Cover, texts: Collection[str]) -> Array:
    """Return, per option, whether it is a placement, or one of these labels."""
    return np.array([isinstance(o, Placement) or o.text in texts for o in whole.options], bool)


def cache_folder() -> Path:
    """Return the folder of the diagrams that are kept: ``SATCAL_CACHE``, or the user's."""
    return Path(os.environ.get("SATCAL_CACHE") or platformdirs.user_cache_dir("satcal"))


def cached_at(problem: Problem) -> Path:
    """Return the file in which a problem's diagram is kept, whether it is there or not."""
    return cache_folder() / f"diagram-{fingerprint(problem)[:32]}.zip"


def open_diagram(
    puzzle: Puzzle,
    reveals: Collection[Reveal],
    demands: Sequence[Demand] = (),
    use_cache: bool = True,
    memory_limit: int | None = None,
    progress: Progress | None = None,
) -> PuzzleDiagram:
    """Return a diagram that knows some reveals: cached, or the quickest to build.

    One of few labels or with something placed is built faster, so only the whole one
    is worth keeping, in ``SATCAL_CACHE`` or the user's cache directory. A cache that
    cannot be used is said, and no error. Arguments and errors as for
    :meth:`PuzzleDiagram.build`; no limit is three quarters of the memory that is free.
    """
    whole = cover(puzzle, None)
    limit = memory_limit or memory_to_use()
    problem = problem_of(whole)
    path = cached_at(problem)
    damaged = False
    if use_cache:
        try:
            return PuzzleDiagram(whole, parse(path.read_bytes(), problem, str(path)))
        except FileNotFoundError:
            pass
        except OSError as error:
            _log.warning("the cache is not used: %s", error)
        except FormatError as error:  # whoever meets it replaces it
            _log.warning("the cache is mended: %s", error)
            damaged = True
    if not damaged and (demands or not _allowed(whole, reveals).all()):
        return PuzzleDiagram.build(puzzle, reveals, demands, limit, progress)
    built = PuzzleDiagram.build(puzzle, None, (), limit, progress)
    if use_cache:
        try:
            make_folder(path.parent)
            write_bytes(path, dump(built.diagram))
        except FileTrouble as error:
            _log.warning("the diagram is not cached: %s", error)
    return built


# --- diagrams in files ------------------------------------------------------------------------


def fingerprint(problem: Problem) -> str:
    """Return SHA-256, in hexadecimal, of all that decides the arrays of a diagram."""
    # the version: a later one may mend what an earlier one built wrongly
    parts = [FORMAT, __version__, problem.cells]
    lists = [list(problem.copies), list(problem.item), list(problem.mask)]
    return hashlib.sha256(repr([*parts, *lists, problem.categories]).encode()).hexdigest()


def dump(diagram: Diagram) -> bytes:
    """Return a diagram as a zip of arrays; the same diagram, the same bytes."""
    out = io.BytesIO()
    # higher levels take longer than building the diagram anew
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr(zipfile.ZipInfo("fingerprint", EPOCH), fingerprint(diagram.problem))
        for name in ARRAYS:
            # numpy would turn a list with an integer beyond int64 into uint64 or float64
            values = getattr(diagram, name)
            array = np.array(values, object) if name == "unit" else values
            if array.dtype == object:  # as texts: a file must not hold pickles
                array = array.astype(str)
            member = io.BytesIO()
            np.lib.format.write_array(member, array)
            info = zipfile.ZipInfo(f"{name}.npy", EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, member.getvalue(), compresslevel=1)
    return out.getvalue()


def parse(data: bytes, problem: Problem, where: str) -> Diagram:
    """Return a problem's diagram from the bytes of a file.

    Raises:
        FormatError: damaged, of another version, or of another problem.
    """
    arrays: dict[str, Array] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if archive.read("fingerprint").decode() != fingerprint(problem):
                raise FormatError(f"{where}: a diagram of another puzzle or version; build it anew")
            for name in ARRAYS:
                member = io.BytesIO(archive.read(f"{name}.npy"))
                arrays[name] = array = np.lib.format.read_array(member, allow_pickle=False)
                if array.dtype.kind == "U":
                    arrays[name] = np.array([int(text) for text in array.tolist()], object)
    except DAMAGE as error:
        raise FormatError(f"{where}: a damaged diagram ({error}); build it anew") from error
    return Diagram(problem=problem, unit=arrays.pop("unit").tolist(), **arrays)
