"""Which scope a route asks of an API key: the one place where routes and scopes meet. Pure."""

from collections.abc import Mapping
from typing import Final

from sightline.errors import NotAllowed

READING = frozenset({"GET", "HEAD"})
ANY_KEY: Final = ""
"""A route that every key may call."""
NO_KEY: Final = None
"""A route that no key may call: a key that leaks must not be able to make others."""

# The beginning of a path: the scopes to read and to change what is there. The longest beginning counts.
_SCOPES: Mapping[str, tuple[str | None, str | None]] = {
    "/api/me": (ANY_KEY, NO_KEY),
    "/api/me/export": (NO_KEY, NO_KEY),
    "/api/me/data": (NO_KEY, NO_KEY),
    "/api/me/exports": (NO_KEY, NO_KEY),
    "/api/me/erasure": (NO_KEY, NO_KEY),
    "/api/keys": (NO_KEY, NO_KEY),
    "/api/session": (NO_KEY, NO_KEY),
    "/api/audit": ("audit:read", NO_KEY),
    "/videos": ("videos:read", "videos:write"),
    "/uploads": ("videos:read", "videos:write"),
    "/s3": ("videos:write", "videos:write"),
    "/files": ("videos:write", "videos:write"),
    "/clips": ("videos:read", "videos:write"),
    "/api/shares": ("videos:write", "videos:write"),
    "/search": ("videos:read", NO_KEY),
    "/api/trash": ("videos:read", "videos:write"),
    "/api/collections": ("videos:read", "videos:write"),
    "/api/saved-searches": ("videos:read", "videos:write"),
    "/api/pipelines": ("videos:read", "videos:write"),
    "/api/videos": ("videos:read", "videos:write"),
    "/api/technique-names": ("videos:read", NO_KEY),
    "/api/sample-video": (NO_KEY, "videos:write"),
    "/api/overview": ("jobs:read", NO_KEY),
    "/api/storage": ("jobs:read", "jobs:write"),
    "/api/usage": ("videos:read", NO_KEY),
    "/api/usage/owners": ("jobs:read", NO_KEY),
    "/api/usage/owners.csv": ("jobs:read", NO_KEY),
    "/api/storage/mine": ("videos:read", NO_KEY),
    "/jobs": ("jobs:read", "jobs:write"),
    "/api/languages": ("videos:read", "jobs:write"),
    "/api/status": ("jobs:read", NO_KEY),
    "/metrics": ("jobs:read", NO_KEY),
    "/api/health": (ANY_KEY, NO_KEY),
    "/docs": (ANY_KEY, NO_KEY),
    "/openapi.json": (ANY_KEY, NO_KEY),
    "/api/queues": ("jobs:read", "jobs:write"),
    "/api/bus": ("bus:use", "bus:use"),
    "/api/detections": ("events:read", "detections:write"),
    "/api/events": ("events:read", "events:write"),
    "/api/cameras": ("events:read", "events:write"),
    "/api/vision": ("events:read", NO_KEY),
    "/api/speech": ("videos:read", NO_KEY),
    "/api/meaning": ("videos:read", NO_KEY),
    "/api/alert-rules": ("events:read", "events:write"),
    "/api/alerts": ("events:read", "events:write"),
    "/api/live": ("live:read", "live:read"),
    "/ws": ("live:read", NO_KEY),
    "/api/messages": ("messages:read", "messages:write"),
    "/api/metrics": ("messages:read", NO_KEY),
    "/api/mails": ("messages:read", "messages:write"),
    "/api/schedules": ("messages:read", "messages:write"),
    "/api/notification-preferences": ("messages:read", "messages:write"),
    "/api/notification-addresses": ("messages:read", "messages:write"),
    "/api/push-browsers": ("messages:read", "messages:write"),
    "/api/settings": ("jobs:read", NO_KEY),
    "/api/people": ("audit:read", NO_KEY),
    "/api/teams": ("videos:read", NO_KEY),
    "/api/team-invitations": (NO_KEY, NO_KEY),
}


def scope_of(method: str, path: str) -> str | None:
    """The scope that a key needs for a request; `ANY_KEY` or `NO_KEY` otherwise. An unlisted path is for no key."""
    parts = path.split("/")
    for length in range(len(parts), 1, -1):
        if (found := _SCOPES.get("/".join(parts[:length]))) is not None:
            return found[0 if method in READING else 1]
    return NO_KEY


def check_scope(scopes: frozenset[str] | None, method: str, path: str) -> None:
    """Refuses a key that lacks the scope. `scopes` is None for people, who are not limited by any."""
    if scopes is None:
        return
    needed = scope_of(method, path)
    if needed is NO_KEY:
        raise NotAllowed("An API key cannot do this; sign in with a token")
    if needed != ANY_KEY and needed not in scopes:
        raise NotAllowed(f"This API key lacks the scope {needed}; create one that has it")
