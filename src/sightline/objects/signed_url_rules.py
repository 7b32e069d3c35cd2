"""What holds for signed addresses of every keeper."""

from urllib.parse import quote

from sightline.objects.refusals import refused
from sightline.objects.sigv4 import LONGEST_EXPIRY_S


def check_expiry(expires_s: float) -> int:
    if not 1 <= expires_s <= LONGEST_EXPIRY_S:
        raise refused(
            "InvalidArgument", f"an address can be good for 1 to {LONGEST_EXPIRY_S} seconds, not {expires_s:g}"
        )
    return int(expires_s)


def attachment(name: str) -> str:
    """A Content-Disposition that makes browsers save under this name, whatever letters it has."""
    plain = "".join(letter if " " <= letter <= "~" and letter not in '"\\' else "_" for letter in name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
