"""The archive of a certificate: a tar file that can be written in one way only.

Parts have short names without folders and follow one another; the last, ``digest.sha256``,
holds the SHA-256 of every byte before it. Reading packs the parts again and compares, so that
nothing hides in headers, padding, links or paths. Nothing is ever unpacked to a disk.
"""

from __future__ import annotations

import hashlib
import lzma
import re
import tarfile
from collections.abc import Mapping

from satcal.errors import CertificateRefused, TooLarge

BLOCK = 512  # POSIX.1-1988 ustar: headers and contents in blocks of this size
DIGEST = "digest.sha256"
MAX_FILE = 512 * 1024 * 1024
MAX_PARTS = 20_000
_NAME = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9.-]{0,62}")


def pack(parts: Mapping[str, bytes]) -> bytes:
    """Return the archive of the parts, in their order, with the digest behind them."""
    body = b"".join(_member(name, content) for name, content in parts.items())
    digest = hashlib.sha256(body).hexdigest().encode() + b"\n"
    return body + _member(DIGEST, digest) + bytes(2 * BLOCK)


def _member(name: str, content: bytes) -> bytes:
    """Return one part as a header without clock, owner or path, and its padded content."""
    info = tarfile.TarInfo(name)
    info.size = len(content)
    return info.tobuf(tarfile.USTAR_FORMAT) + content + bytes(-len(content) % BLOCK)


def unpack(data: bytes) -> dict[str, bytes]:
    """Return the parts of an archive, the digest left out.

    Raises:
        TooLarge: a larger file, or more parts, than we read.
        CertificateRefused: it is no archive that :func:`pack` writes, or its digest is wrong.
    """
    if len(data) > MAX_FILE:
        raise TooLarge(f"certificate: larger than {MAX_FILE} bytes; is it the right file?")
    parts: dict[str, bytes] = {}
    begun = position = 0
    while position < len(data) and DIGEST not in parts:
        begun = position
        name, size = _header(data[position : position + BLOCK], position)
        if name in parts:
            raise CertificateRefused(f"archive: the part {name} is there twice")
        if len(parts) >= MAX_PARTS:
            raise TooLarge(f"archive: more than {MAX_PARTS} parts")
        start = position + BLOCK
        parts[name] = data[start : start + size]
        position = start + size + -size % BLOCK
    if DIGEST not in parts:
        raise CertificateRefused(f"archive: the part {DIGEST} is missing; the file was cut off")
    said = parts.pop(DIGEST)
    if said.decode("ascii", "replace") != hashlib.sha256(data[:begun]).hexdigest() + "\n":
        raise CertificateRefused("archive: the digest does not fit the bytes before it")
    if pack(parts) != data:
        raise CertificateRefused("archive: it holds bytes that belong to no part")
    return parts


def _header(block: bytes, position: int) -> tuple[str, int]:
    """Return the name and the size that a header states, without trusting more of it."""
    try:
        info = tarfile.TarInfo.frombuf(block, "ascii", "strict")
    except (tarfile.HeaderError, UnicodeDecodeError) as error:
        raise CertificateRefused(f"archive: byte {position}: no part begins here") from error
    if not _NAME.fullmatch(info.name):
        raise CertificateRefused(f"archive: {info.name!r} is no name of a part")
    if not info.isreg() or info.size < 0:
        raise CertificateRefused(f"archive: the part {info.name} is no plain file")
    return info.name, info.size


def squeeze(content: bytes) -> bytes:
    """Return the xz form of a content; the preset is the one that pays for proofs."""
    return lzma.compress(content, preset=2)


def unsqueeze(content: bytes, size: int, name: str) -> bytes:
    """Return what xz bytes hold, never more than the size that the certificate states.

    Raises:
        CertificateRefused: they are damaged, or hold more or less.
    """
    reader = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=256 * 1024 * 1024)
    try:
        found = reader.decompress(content, max_length=size + 1)
    except lzma.LZMAError as error:
        raise CertificateRefused(f"{name}: damaged compressed data ({error})") from error
    if len(found) != size or not reader.eof or reader.unused_data:
        raise CertificateRefused(f"{name}: it does not hold the {size} bytes that are stated")
    return found
