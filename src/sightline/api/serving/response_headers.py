"""Headers that every response has: browsers neither guess its type nor let foreign pages embed it."""

from collections.abc import MutableMapping
from typing import Any

from sightline.api.s3 import is_object_path

_NOSNIFF = (b"x-content-type-options", b"nosniff")
_SAME_ORIGIN = (b"cross-origin-resource-policy", b"same-origin")
# Any page may use a signed address, as a picture or a video too: the signature is the permission.
_CROSS_ORIGIN = (b"cross-origin-resource-policy", b"cross-origin")


def add_safe_headers(message: MutableMapping[str, Any], path: str) -> None:
    """Adds to `http.response.start` what the response does not say itself."""
    headers = [*message.get("headers", ())]
    present = {name.lower() for name, _ in headers}
    policy = _CROSS_ORIGIN if is_object_path(path) else _SAME_ORIGIN
    headers += [header for header in (_NOSNIFF, policy) if header[0] not in present]
    message["headers"] = headers
