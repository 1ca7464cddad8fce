"""The version of satcal, and the digest of the sources that determine its counts."""

# This module imports nothing, because it runs before satcal.__main__ installs the signal handlers.

__version__ = "1.0.0"
DECIDING = ("puzzle", "encoding", "counting", "diagram")
"""The packages whose code determines a count."""
digests: dict[str, str] = {}
"""The cached digests, by folder."""


def sources_digest(folder: str = "") -> str:
    """Return a digest of the source files that determine a count, read once per process.

    It is a part of the keys of stored counts and of requests to a cluster, so that a count of other
    code is never used.
    """
    if folder not in digests:
        import hashlib
        from pathlib import Path

        digest = hashlib.sha256(__version__.encode())
        root = Path(folder or Path(__file__).parent)
        for package in DECIDING:
            for path in sorted((root / package).glob("*.py")):
                source = path.read_bytes()
                digest.update(f"\n{package}/{path.name} {len(source)}\n".encode() + source)
        digests[folder] = digest.hexdigest()[:32]
    return digests[folder]
