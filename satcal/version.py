"""The version of satcal, and the digest of the sources that decide its numbers."""

# Nothing is imported here: until the signal handlers of satcal.__main__ are installed, Ctrl-C
# meets the interpreter.

__version__ = "1.0.0"
DECIDING = ("puzzle", "encoding", "counting", "diagram")
"""The rooms whose code decides a number."""
digests: dict[str, str] = {}
"""The digest of each package that was read."""


def sources_digest(package: str = "") -> str:
    """Return a digest of the source files that decide a number, read once per process.

    Whatever is kept for later, or asked of another process, is kept and asked under it: a number of
    other code is not taken for one of this code.
    """
    if package not in digests:
        import hashlib
        from pathlib import Path

        digest = hashlib.sha256(__version__.encode())
        folder = Path(package or Path(__file__).parent)
        for room in DECIDING:
            for path in sorted((folder / room).glob("*.py")):
                source = path.read_bytes()
                digest.update(f"\n{room}/{path.name} {len(source)}\n".encode() + source)
        digests[package] = digest.hexdigest()[:32]
    return digests[package]
