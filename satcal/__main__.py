"""The program ``satcal``, also ``python -m satcal``: Ctrl-C is heard before all is imported."""

import os
import signal
from types import FrameType


def _leave(number: int, frame: FrameType | None) -> None:
    """End at once: an exception in the middle of an import may be lost, or be a traceback."""
    os.write(2, b"satcal: stopped by Ctrl-C\n")
    os._exit(3)


def main() -> None:
    """Run the command line and exit."""
    heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # not with nohup
    if heard:
        signal.signal(signal.SIGINT, _leave)
    from satcal.cli.main import main as run

    if heard:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        run()
    except KeyboardInterrupt:  # before or after the command itself
        _leave(signal.SIGINT, None)


if __name__ == "__main__":
    main()
