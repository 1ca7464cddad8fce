"""The archive of a certificate: a tar file that can be written in one way only.

The last part, ``digest.sha256``, holds the SHA-256 of every byte before it. Reading packs the
parts again and compares, so that the digest fits and nothing hides in headers, padding or links.
Nothing is ever unpacked to a disk.
"""

from __future__ import annotations

import hashlib
import lzma
import tarfile
from collections.abc import Mapping

from satcal.errors import CertificateRefused, TooLarge

BLOCK = 512  # POSIX.1-1988 ustar: headers and contents in blocks of this size
DIGEST = "digest.sha256"
MAX_FILE = 512 * 1024 * 1024  # bytes
MAX_PARTS = 20_000


def pack(parts: Mapping[str, bytes]) -> bytes:
    """Return the archive of the parts, in their order, with the digest behind them."""
    body = b"".join(_member(name, content) for name, content in parts.items())
    digest = hashlib.sha256(body).hexdigest().encode() + b"\n"
    return body + _member(DIGEST, digest) + bytes(2 * BLOCK)


def _member(name: str, content: bytes) -> bytes:
    """Return a part: a header without clock, owner or path, and its content."""
    info = tarfile.TarInfo(name)
    info.size = len(content)
    return info.tobuf(tarfile.USTAR_FORMAT) + content + bytes(-len(content) % BLOCK)


def unpack(data: bytes) -> dict[str, bytes]:
    """Return the parts of an archive, the digest left out.

    Raises CertificateRefused for what :func:`pack` does not write, TooLarge for more
    bytes or parts than we read.
    """
    if len(data) > MAX_FILE:
        raise TooLarge(f"certificate: larger than {MAX_FILE} bytes; is it the right file?")
    parts: dict[str, bytes] = {}
    position = 0
    while position < len(data) and DIGEST not in parts:
        try:
            header = tarfile.TarInfo.frombuf(data[position : position + BLOCK], "ascii", "strict")
        except (tarfile.HeaderError, UnicodeDecodeError) as error:
            raise CertificateRefused(f"archive: byte {position}: no part begins here") from error
        if len(parts) >= MAX_PARTS:
            raise TooLarge(f"archive: more than {MAX_PARTS} parts")
        start, size = position + BLOCK, max(header.size, 0)
        parts[header.name] = data[start : start + size]
        position = start + size + -size % BLOCK
    parts.pop(DIGEST, None)
    if pack(parts) != data:
        raise CertificateRefused(
            "archive: packing its parts again gives other bytes; it was cut off, or changed"
        )
    return parts


def unsqueeze(content: bytes, size: int, name: str) -> bytes:
    """Return what xz bytes hold, which is never more than a byte above the size stated.

    Raises CertificateRefused if they are damaged, or hold more or less.
    """
    reader = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=256 * 1024 * 1024)
    try:
        content = reader.decompress(content, max_length=size + 1)
    except lzma.LZMAError as error:
        raise CertificateRefused(f"{name}: damaged compressed data ({error})") from error
    if not reader.eof or reader.unused_data:
        raise CertificateRefused(f"{name}: it does not end where the {size} bytes stated end")
    return content
