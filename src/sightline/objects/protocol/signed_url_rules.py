"""Rules for signed URLs of every backend."""

from urllib.parse import quote

from sightline.objects.errors import invalid_request
from sightline.sigv4 import MAX_EXPIRY_S


def check_expiry(expires_s: float) -> int:
    if not 1 <= expires_s <= MAX_EXPIRY_S:
        raise invalid_request(
            "InvalidArgument", f"a signed URL can be valid for 1 to {MAX_EXPIRY_S} seconds, not {expires_s:g}"
        )
    return int(expires_s)


def attachment_disposition(name: str) -> str:
    """A Content-Disposition that makes browsers save under this name, in any script."""
    plain = "".join(letter if " " <= letter <= "~" and letter not in '"\\' else "_" for letter in name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
