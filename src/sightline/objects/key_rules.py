"""Rules for object keys: every backend accepts the same keys, so that objects can move between them."""

from sightline.errors import InvalidInput

MAX_KEY_BYTES = 1024
MAX_COMPONENT_BYTES = 255  # the longest file name that file systems accept
HIDDEN = ".sightline"
"""The disk backend's own directory, which no key can name."""


def check_key(key: str) -> str:
    """Returns the key itself, or raises an error that says what is wrong with it."""
    reason = _complaint(key)
    if reason is not None:
        raise InvalidInput(f"{key[:200]!r} is not a valid object key: {reason}", details={"code": "InvalidKey"})
    return key


def is_key(key: str) -> bool:
    return _complaint(key) is None


def _complaint(key: str) -> str | None:
    try:
        encoded = key.encode()
    except UnicodeEncodeError:
        return "it is not text"
    if not key:
        return "it is empty"
    if len(encoded) > MAX_KEY_BYTES:
        return f"it is longer than {MAX_KEY_BYTES} bytes"
    if "\0" in key:
        return "it contains a NUL"
    components = key.split("/")
    if not all(components):
        return "a part of it between slashes is empty"
    if "." in components or ".." in components:
        return "`.` and `..` lead elsewhere"
    if components[0].casefold() == HIDDEN:
        return f"{HIDDEN} is reserved for the store"
    if any(len(component.encode()) > MAX_COMPONENT_BYTES for component in components):
        return f"a part of it between slashes is longer than {MAX_COMPONENT_BYTES} bytes"
    return None
