"""Records what satcal answers, and compares: the witness that a rebuild changes nothing.

``python tools/witness.py FOLDER`` runs some 170 commands, asks a service, and writes every answer
as a file of FOLDER. Two such folders, of two checkouts on one machine, are compared with
``diff -r``. A folder ``old`` in FOLDER holds what the release before wrote, and is read only:
certificates, and a store of counts.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BOARDS = [path.stem for path in sorted((ROOT / "satcal/puzzle/library").glob("*.toml"))]
SMALL = [f"encodings/puzzles/{name}.toml" for name in
         ("two-L4", "dominoes-4x4", "tetrominoes-4x5", "letter-and-digit")]  # fmt: skip
TIMES = re.compile(r"\d+(\.\d+)? ?(ms|s|min|h|MiB|GiB|MB|kB)\b|\d+:\d\d(:\d\d)?")
FORMULAS = ("plain", "owner", "ladder", "card-seqcounter", "card-bitwise", "card-totalizer",
            "card-kmtotalizer", "card-cardnetwrk")  # fmt: skip

COMMANDS = """
boards
boards --json
show rhombus
show weekday --json
show a-puzzle-a-day --reveal Dec,25
show pentomino-8x8-hole
show nobody
show rhombus --pieces crea-makerspace
count --date 2025-12-25 --format csv
count --date 2025-12-25 --format csv --method sat --store none
count --date 2025-12-25 --format csv --method search --store none
count -b rhombus --year 2025 --format csv -q
count -b rhombus --month 2025-10 --format table -q
count -b rhombus --month 2025-10 --format calendar -q
count -b rhombus --month 2025-10 --format json -q
count -b rhombus --month 2025-10 --format ndjson -q
count -b rhombus --year 2025 --format csv --verify 0
count -b rhombus --date 2025-10-23 --format csv --verify 1
count -b weekday --from 2025-01-01 --to 2025-01-05 --format csv -q
count -b a-puzzle-a-day --all-dates --format csv -q
count -b rhombus --reveal Thu,Oct,23 --place S4@r2c3 -q --format csv
count -b pentomino-8x8-hole --up-to-symmetry --format csv -q
count -b pentomino-3x20 --format csv --verify 0
count -b pentomino-3x20 --up-to-symmetry --format csv --verify 0
count -b rhombus --flip none --month 2025-10 --format csv -q
count -b a-puzzle-a-day --pieces crea-makerspace --month 2025-02 --format csv -q
count -b jarring-words --month 2025-02 --format csv -q
count --date 2025-12-25 --method sat --conflicts 5 --format csv --store none
count --date 2025-12-25 --method sat --cubes 20 --format csv --store none
count --date 2025-12-25 --method sat --encoding plain --format csv --store none
count --date 2025-12-25 --method sat --encoding owner --solver glucose4 --format csv --store none
count --date 2025-12-25 --method sat --encoding card-seqcounter --lemmas none --format csv
count --date 2025-12-25 --method sat --order free --lemmas single --format csv --store none
count --date 2025-12-25 --method search --pruning none --format csv --store none
count --date 2025-12-25 --method search --pruning smallest --format csv --store none
count --date 2025-02-29
count --date 2025-13-01
count --date 2025-12-25 --method sat --solver nobody
count --date 2025-12-25 --method sat --encoding nobody
count -b nobody
count -b rhombus --reveal Thu,Oct
count -b rhombus --reveal Thu,Oct,99
count -b rhombus --place Z9@r2c3 --date 2025-10-23
count -b rhombus --place S4@r99c3 --date 2025-10-23
count --verify many
count --memory-limit 1M -b weekday --all-reveals -q --no-cache
count -b pentomino-3x20 --year 2025
verify --date 2025-12-25 --format csv --store none
verify -b rhombus --date 2025-10-23 --methods diagram,sat --format table --store none
verify --date 2025-12-25 --methods diagram --format csv --store none
verify --date 2025-12-25 --methods diagram,nobody --store none
verify --from 2025-12-20 --to 2025-12-26 --methods diagram,sat --format csv --store none
solve --date 2025-12-25
solve --date 2025-12-25 --all --format lines
solve --date 2025-12-25 --random --seed 3
solve --date 2025-12-25 --format json --limit 2
solve --date 2025-12-25 --exists
solve -b weekday --month 2025-02 --exists
solve -b rhombus --date 2025-10-23 --method sat --limit 3 --format lines
solve -b rhombus --date 2025-09-25 --method search --limit 3 --format lines
solve -b rhombus --reveal Fri,Feb,29
solve -b rhombus --date 2025-10-23 --up-to-symmetry --limit 3 --format lines
solve -b pentomino-3x20 --all --up-to-symmetry --format lines
solve -b pentomino-3x20 --all
hint --date 2025-12-25
hint --date 2025-12-25 -m
hint --date 2025-12-25 -mm
hint -b rhombus --date 2025-10-23 --place S4@r2c3
stats --year 2025 --what histogram -o OUT/h.csv
stats --year 2025 --what month-day -o OUT/m.json
stats -b rhombus --year 2025 --what weekday -o OUT/w.csv
stats --year 2025 --what ranking -o OUT/r.csv
stats --date 2025-12-25 --what cover -o OUT/c.csv
stats --year 2025 --what compare --with rhombus -o OUT/x.json
stats --year 2025 --what histogram -o OUT/h.svg
stats --year 2025 --what ranking -o OUT/r.png --size 500
survey -b a-puzzle-a-day -q
survey -b a-puzzle-a-day -q --format csv
survey -b a-puzzle-a-day -q --format json --place N@r0c0
survey -b rhombus -q --memory-limit 1M
export -b rhombus --date 2025-10-23 --format opb
export -b rhombus --date 2025-10-23 --format dlx
export -b rhombus --date 2025-10-23 --format asp
export -b rhombus --open --format dimacs
export -b rhombus --month 2025-10 -o OUT/folder
export --date 2025-12-25 -o OUT/one.cnf.gz
export --date 2025-12-25 -o OUT/one.cnf.gz
export --date 2025-12-25 --place N@r0c0 --format dimacs
export --date 2025-12-25 --format nobody
export --date 2025-12-25 --encoding nobody
export -b encodings/puzzles/two-L4.toml --encoding card-ladder
decode --date 2025-12-25
draw --date 2025-12-25
draw --date 2025-12-25 --theme dark
draw --date 2025-12-25 --theme print
draw --date 2025-12-25 --what sheet --limit 12
draw -b rhombus --year 2025 --what year
draw --what pieces
draw --what board
draw --laser
draw -b rhombus --laser --cell 15 --kerf 0.1
draw --date 2025-12-25 --random --seed 4
draw --date 2025-12-25 -o OUT/t.png --size 400
draw --date 2025-12-25 -o OUT/t.pdf
draw --date 2025-12-25 -o OUT/t.bmp
draw --date 2025-12-25 --theme nobody
animate --date 2025-12-25 -o OUT/a.gif --frames 10 --size 120 -q
animate --date 2025-12-25 -o OUT/s.webp --what sat --frames 5 --size 120 -q
animate --month 2025-02 -o OUT/d.gif --what dates --frames 5 --size 120 -q
certify --date 2025-10-06 -o OUT/oct6.satcert -q --store none
certify -b rhombus --date 2025-10-23 -o OUT/thu.satcert --store none
certify -b encodings/puzzles/two-L4.toml -o OUT/two.satcert -q --store none
certify -b encodings/puzzles/tetrominoes-4x5.toml -o OUT/none.satcert -q --store none
certify --from 2025-10-06 --to 2025-10-08 --together -o OUT/three.satcert -q --store none
check OUT/oct6.satcert
check OUT/oct6.satcert --format json
check OUT/oct6.satcert -b rhombus
check OUT/oct6.satcert --reveal Oct,7
check OUT/oct6.satcert --checker cdclkit --checker dratify
check OUT/oct6.satcert --export OUT/exported
check OUT/three.satcert
check README.md
check results/certificates/a-puzzle-a-day.Oct-6.satcert
check results/certificates/rhombus.Thu-Sep-6.satcert
check results/certificates/rhombus.Fri-Feb-29.satcert
check results/certificates/weekday.Mon-Apr-6.satcert
check OLD/certificates/a-puzzle-a-day.Oct-6.satcert
check OLD/certificates/rhombus.Thu-Sep-6.satcert
check OLD/certificates/a-puzzle-a-day.Jan-25.satcert
claims --recount 0 -q
claims --recount 0 --format csv -q
claims --recount 0 --format json
claims --recount 0 --format markdown -q
claims results/claims.md
cross-check -b encodings/puzzles/two-L4.toml --with clasp,minisat,cadical --format csv -q
cross-check --date 2025-10-06 --with clasp,xcover,cp-sat --format table
cross-check --date 2025-10-06 --with nobody
plan -b rhombus --month 2025-10 --method sat --sample 2 -q
count -b rhombus --from 2025-10-20 --to 2025-10-22 --method sat --format csv -q --store OUT/new.db
count -b rhombus --from 2025-10-20 --to 2025-10-22 --method sat --format csv --store OUT/new.db
store list --store OUT/new.db
store list --store OUT/new.db --format json
store info --store OUT/new.db
store check --store OUT/new.db
store export --store OUT/new.db
store list --store OLD/store.db
store export --store OLD/store.db
store info --store OLD/store.db
store check --store OLD/store.db
store evidence --store OLD/store.db
count -b rhombus --from 2025-10-20 --to 2025-10-24 --method sat --format csv --store OLD/store.db
store list --store OUT/nowhere.db
store prune --store OUT/new.db
store prune --store OUT/new.db --board rhombus --yes
serve --host 0.0.0.0
serve --board nobody
--version
nobody
count --nobody
"""

URLS = """
/
/puzzles/rhombus?date=2025-10-23
/make
/claims
/health
/api/v1/openapi.json
/openapi.json
/api/v1/puzzles
/api/v1/puzzles/rhombus
/api/v1/puzzles/nobody
/api/v1/puzzles/rhombus/counts?from=2025-10-01&to=2025-10-31
/api/v1/puzzles/rhombus/counts?from=0001-01-01&to=9999-12-31
/api/v1/puzzles/rhombus/counts?date=2025-13-01
/api/v1/puzzles/rhombus/remaining?date=2025-10-23
/api/v1/puzzles/rhombus/hint?date=2025-10-23
/api/v1/puzzles/rhombus/tilings?date=2025-10-23&limit=3
/api/v1/puzzles/rhombus/tilings/random?date=2025-10-23&seed=5
/api/v1/puzzles/rhombus/tilings/7?date=2025-10-23
/api/v1/puzzles/rhombus/tilings/7000?date=2025-10-23
/api/v1/puzzles/rhombus/board.svg
/api/v1/puzzles/rhombus/pieces.svg
/api/v1/puzzles/rhombus/tiling.svg?date=2025-10-23
/api/v1/puzzles/rhombus/export?date=2025-10-23&format=dlx
/api/v1/jobs
/api/v1/jobs/nobody
/api/v1/nothing
"""


def commands() -> Iterator[list[str]]:
    """Yield the arguments of each command, in the order in which they are run."""
    for line in COMMANDS.strip().splitlines():
        yield line.split()
    for board in BOARDS:
        big = board in ("pentomino-5x12", "pentomino-6x10")
        yield ["count", "-b", board, "--all-reveals", "--format", "csv", "--verify", "0"]
        yield ["solve", "-b", board, *([] if big else ["--all-reveals"]), "--format", "lines"]
    for board in SMALL:
        yield ["show", board]
        yield ["count", "-b", board, "--all-reveals", "--format", "csv", "--store", "none"]
        for encoding in FORMULAS:
            yield [
                "export",
                "-b",
                board,
                "--encoding",
                encoding,
                *(["--open"] if "letter" in board else []),
            ]
    for encoding in FORMULAS:
        yield ["export", "--reveal", "Dec,25", "--encoding", encoding]


def steady(text: str, *folders: Path) -> str:
    """Return a text without what differs from run to run: times, sizes and temporary paths."""
    for folder in folders:
        text = text.replace(str(folder), "FOLDER")
    return TIMES.sub("TIME", text)


def kept(data: bytes) -> bytes:
    """Return data as it is kept: what is large or binary as its size and digest."""
    import hashlib

    if len(data) < 200_000 and b"\0" not in data:
        return data
    return f"{len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}\n".encode()


def run_commands(folder: Path, work: Path) -> None:
    """Run all commands; write exit code, stderr, stdout and the files each one wrote."""
    out = work / "out"
    out.mkdir()
    environment = {**os.environ, "XDG_CACHE_HOME": str(work / "cache"), "COLUMNS": "100",
                   "XDG_DATA_HOME": str(work / "data"), "TZ": "UTC"}  # fmt: skip
    known: dict[str, bytes] = {}
    for number, arguments in enumerate(commands()):
        real = [
            word.replace("OUT", str(out)).replace("OLD", str(work / "old")) for word in arguments
        ]
        ended = subprocess.run(
            [sys.executable, "-m", "satcal", *real], capture_output=True, cwd=ROOT,
            env=environment, timeout=900, stdin=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        name = re.sub(r"[^\w.,=-]+", "_", " ".join(arguments))[:120]
        errors = steady(ended.stderr.decode(), out, work, ROOT)
        text = kept(ended.stdout)
        if b"\0" not in text:
            text = steady(text.decode(errors="replace"), out, work, ROOT).encode()
        with (folder / f"{number:03} {name}").open("wb") as file:
            file.write(
                f"exit {ended.returncode}\n--- stderr\n{errors}\n--- stdout\n".encode() + text
            )
            for path in sorted(out.rglob("*")):
                relative = str(path.relative_to(out))
                if path.is_file() and path.suffix not in (".db", ".gz") and "-" not in path.suffix:
                    data = path.read_bytes()
                    if known.get(relative) != data:
                        known[relative] = data
                        if path.suffix == ".pdf":
                            data = re.sub(rb"/CreationDate \(.*?\)", b"", data)
                        file.write(f"--- {relative}\n".encode() + kept(data))
        print(number, " ".join(arguments), ended.returncode, flush=True)


def ask_service(folder: Path, work: Path) -> None:
    """Ask a service, started as a user would; write each answer and its headers of interest."""
    environment = {
        **os.environ,
        "XDG_CACHE_HOME": str(work / "cache"),
        "XDG_DATA_HOME": str(work / "d"),
    }
    port = 8731
    server = subprocess.Popen(
        [sys.executable, "-m", "satcal", "serve", "--port", str(port)], cwd=ROOT, env=environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    base = f"http://127.0.0.1:{port}"
    try:
        for _ in range(200):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(base + "/health", timeout=2).read()
                break
            time.sleep(0.1)
        asked: list[tuple[str, bytes | None]] = [(url, None) for url in URLS.strip().splitlines()]
        text = (ROOT / SMALL[0]).read_text()
        count = {"kind": "count", "puzzle": "rhombus", "method": "sat", "date": "2025-10-23"}
        asked += [("/api/v1/puzzles", json.dumps({"definition": text}).encode()),
                  ("/api/v1/puzzles", b'{"definition": "a.a.a = 1"}'),
                  ("/api/v1/jobs", json.dumps(count).encode()),
                  ("/api/v1/jobs", b'{"kind": "nothing"}')]  # fmt: skip
        for number, (url, data) in enumerate(asked):
            request = urllib.request.Request(base + url, data, {"Content-Type": "application/json"})
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    code, headers, body = answer.status, answer.headers, answer.read()
            except urllib.error.HTTPError as error:
                code, headers, body = error.code, error.headers, error.read()
            shown = {
                name: headers[name]
                for name in sorted(headers)
                if name.lower() not in ("date", "etag", "content-length", "server", "x-request-id")
            }
            text = re.sub(
                r'"(id|created_at|changed_at|started_at)":"[^"]*"',
                r'"\1":""',
                steady(body.decode(errors="replace")),
            )
            text = re.sub(r"\?v=[0-9a-f]+|nonce-[\w+/=-]+|nonce=\"[^\"]*\"", "", text)
            heads = re.sub(r"nonce-[\w+/=-]+|[0-9a-f]{16}", "", json.dumps(shown, indent=1))
            name = re.sub(r"[^\w.,=-]+", "_", url)[:100]
            (folder / f"http {number:02} {name}").write_text(f"{code}\n{heads}\n{text}\n")
    finally:
        server.terminate()
        server.wait()


def main(folder: Path) -> None:
    """Record into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        shutil.copytree(folder / "old", work / "old")
        run_commands(folder, work)
        ask_service(folder, work)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
