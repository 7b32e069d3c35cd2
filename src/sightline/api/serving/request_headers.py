"""Headers of a request, read from its scope. Most requests lack most of those they are asked for, and `Headers` raises for each."""

from starlette.types import Scope


def header_of(scope: Scope, name: bytes) -> str | None:
    """The first one of this lower-case name."""
    for key, value in scope["headers"]:
        if key == name:
            found: str = value.decode("latin-1")
            return found
    return None
