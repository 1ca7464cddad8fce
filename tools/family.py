"""The kept answers and checksums of the benchmark family, computed anew.

``python -m tools.family encodings/family`` completes the list: file, tilings and answer follow
from the other columns, and writes the checksums. ``--check`` compares them alone.
"""

from __future__ import annotations

import csv
import hashlib
import io
import sys
from dataclasses import asdict, fields, replace
from pathlib import Path

import click

from satcal.cli.main import run
from satcal.cli.progress import say
from satcal.external import family
from satcal.external.family import Instance
from satcal.files import write_bytes


def completed(instance: Instance) -> Instance:
    """An instance with its file's name, its board's tilings and its answer."""
    tilings = instance.count()
    reveal = instance.reveal.replace(",", "-") or "board"
    how = "+".join([instance.encoding, *{instance.lemmas} - {"none"}]).strip("+")
    blocked = {"none": "", "all": "all-blocked", "all but one": "one-left"}[instance.blocked]
    suffix = {"dimacs": "cnf", "opb": "opb"}[instance.format]
    parts = [instance.board, reveal, instance.task, blocked, how, suffix]
    answer = str(tilings)
    if instance.task == family.DECIDE:
        left = 0 if instance.blocked == "all" else tilings
        answer = "SATISFIABLE" if left else "UNSATISFIABLE"
    return replace(instance, file=".".join(filter(None, parts)), tilings=tilings, answer=answer)


def update(folder: Path, check: bool = False) -> list[str]:
    """Write list and checksums unless told to check alone; return which of them changed."""
    listed = [completed(instance) for instance in family.instances()]
    table = io.StringIO()
    names = [field.name for field in fields(Instance)]
    writer = csv.DictWriter(table, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(asdict, listed))
    sums = [
        f"{hashlib.sha256(instance.text().encode()).hexdigest()}  {instance.file}\n"
        for instance in listed
    ]
    kept = {family.LIST: table.getvalue(), family.CHECKSUMS: "".join(sums)}
    changed = []
    for name, text in kept.items():
        path = folder / name
        if not path.exists() or path.read_text("utf-8") != text:
            changed.append(f"{path}: differs from what satcal writes")
            if not check:
                write_bytes(path, text.encode())
    return changed


@click.command()
@click.argument("folder", type=Path)
@click.option("--check", is_flag=True, help="Compare, and write nothing.")
def command(folder: Path, check: bool) -> int:
    """Write or check the list and the checksums of the benchmark family."""
    changed = update(folder, check)
    for file in changed:
        say(file)
    return 1 if changed and check else 0


if __name__ == "__main__":
    sys.exit(run(None, command, "python -m tools.family"))
