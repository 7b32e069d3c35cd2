"""Which keys can be stored: every keeper takes the same ones, so that objects can move between them."""

from sightline.errors import InvalidInput

LONGEST_KEY = 1024
LONGEST_COMPONENT = 255  # what file systems take as a name
HIDDEN = ".sightline"
"""The disk keeper's own directory, which no key can name."""


def check_key(key: str) -> str:
    """The key itself, or an error that says what is wrong with it."""
    reason = _complaint(key)
    if reason is not None:
        raise InvalidInput(f"{key[:200]!r} is not a key that can be stored: {reason}", details={"code": "InvalidKey"})
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
    if len(encoded) > LONGEST_KEY:
        return f"it is longer than {LONGEST_KEY} bytes"
    if "\0" in key:
        return "it holds a NUL"
    components = key.split("/")
    if not all(components):
        return "a part of it between slashes is empty"
    if "." in components or ".." in components:
        return "`.` and `..` lead elsewhere"
    if components[0].casefold() == HIDDEN:
        return f"{HIDDEN} is the store's own"
    if any(len(component.encode()) > LONGEST_COMPONENT for component in components):
        return f"a part of it between slashes is longer than {LONGEST_COMPONENT} bytes"
    return None
