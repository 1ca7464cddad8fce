"""Write a manual page for each command, and completion for three shells, into a folder.

python -m tools.shell_files build/share
"""

from __future__ import annotations

import sys
from pathlib import Path

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete
from click_man.core import write_man_pages

from satcal.cli.main import COMMANDS, cli
from satcal.version import __version__

COMPLETIONS: dict[str, type[ShellComplete]] = {
    "satcal.bash": BashComplete,
    "_satcal": ZshComplete,
    "satcal.fish": FishComplete,
}


def main(folder: Path) -> None:
    """Write the files; no day stands in the manual pages, so that they are the same each time."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in COMMANDS:  # the group itself imports a command only to run it
        if command := cli.get_command(click.Context(cli), name):
            cli.add_command(command, name)
    write_man_pages("satcal", cli, version=__version__, target_dir=str(folder), date=" ")
    for name, completion in COMPLETIONS.items():
        (folder / name).write_text(completion(cli, {}, "satcal", "_SATCAL_COMPLETE").source())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
