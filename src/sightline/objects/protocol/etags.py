"""ETags as S3 computes them: the md5 of the bytes, or the md5 of the parts' md5s with their number."""

import hashlib
import re
from collections.abc import Iterable

_MD5 = re.compile(r"[0-9a-f]{32}")


def bare_etag(etag: str) -> str:
    """Without the quotes that headers and clients put around it."""
    return etag.strip().strip('"').lower()


def quoted_etag(etag: str) -> str:
    return f'"{etag}"'


def etag_of_parts(etags: Iterable[str]) -> str | None:
    """The ETag of an object made of parts with these ETags; None if they are not md5s."""
    found = [bare_etag(etag) for etag in etags]
    if not all(_MD5.fullmatch(etag) for etag in found):
        return None
    joined = hashlib.md5(b"".join(bytes.fromhex(etag) for etag in found), usedforsecurity=False)
    return f"{joined.hexdigest()}-{len(found)}"
