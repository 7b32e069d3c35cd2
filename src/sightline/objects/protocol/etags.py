"""ETags as S3 computes them: the md5 of the bytes, or the md5 of the parts' ETags with their number."""

import hashlib
import re
from collections.abc import Iterable

_MD5 = re.compile(r"[0-9a-f]{32}")
_CRC = re.compile(r"[0-9a-f]{8}-crc32c|[0-9a-f]{16}-crc64nvme")


def bare_etag(etag: str) -> str:
    """Without the quotes that headers and clients put around it."""
    return etag.strip().strip('"').lower()


def quoted_etag(etag: str) -> str:
    return f'"{etag}"'


def etag_of_parts(etags: Iterable[str]) -> str | None:
    """The ETag of an object made of parts with these ETags; None if they are neither md5s nor checksums of this platform."""
    found = [bare_etag(etag) for etag in etags]
    if not all(_MD5.fullmatch(etag) or _CRC.fullmatch(etag) for etag in found):
        return None
    parts = b"".join(bytes.fromhex(etag) if _MD5.fullmatch(etag) else etag.encode() for etag in found)
    joined = hashlib.md5(parts, usedforsecurity=False)
    return f"{joined.hexdigest()}-{len(found)}"
