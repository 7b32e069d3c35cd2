"""Headers that every response has: browsers neither guess its type nor let foreign pages embed it."""

from collections.abc import MutableMapping
from typing import Any

from sightline.api.s3 import is_object_path
from sightline.observability import CORRELATION_HEADER

_CORRELATION_NAME = CORRELATION_HEADER.encode()
_NOSNIFF = (b"x-content-type-options", b"nosniff")
_SAME_ORIGIN = (b"cross-origin-resource-policy", b"same-origin")
# Any page may use a signed address, as a picture or a video too: the signature is the permission.
_CROSS_ORIGIN = (b"cross-origin-resource-policy", b"cross-origin")


def add_headers(message: MutableMapping[str, Any], path: str, correlation_id: str) -> None:
    """Adds to `http.response.start` what the response does not say itself, and the correlation id in place of any other."""
    headers = [header for header in message.get("headers", ()) if header[0].lower() != _CORRELATION_NAME]
    headers.append((_CORRELATION_NAME, correlation_id.encode("latin-1")))
    present = {name.lower() for name, _ in headers}
    policy = _CROSS_ORIGIN if is_object_path(path) else _SAME_ORIGIN
    headers += [header for header in (_NOSNIFF, policy) if header[0] not in present]
    message["headers"] = headers
