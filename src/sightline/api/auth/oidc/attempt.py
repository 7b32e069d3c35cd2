"""A sign-in that is under way: its secrets, which wait sealed in a cookie of the browser that began it. Pure."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

PURPOSE = "oidc sign-in"
LIFETIME_S = 600
MAX_RETURN_LENGTH = 500
_SECRET_BYTES = 32
_NAMED = 12


@dataclass(frozen=True, slots=True)
class SignInAttempt:
    state: str
    nonce: str
    verifier: str
    """Of PKCE: the issuer exchanges the code only for the client that knows it."""
    return_to: str
    started_at: float

    @classmethod
    def begin(cls, return_to: str, now: float) -> "SignInAttempt":
        state, nonce, verifier = (secrets.token_urlsafe(_SECRET_BYTES) for _ in range(3))
        return cls(state, nonce, verifier, safe_return(return_to), now)

    @classmethod
    def from_content(cls, content: Mapping[str, Any], state: str, now: float) -> "SignInAttempt | None":
        """None if the content is something else, of another sign-in, or too old."""
        if content.get("for") != PURPOSE or not hmac.compare_digest(str(content.get("state")).encode(), state.encode()):
            return None
        started_at = float(content["started_at"])
        if not 0 <= now - started_at <= LIFETIME_S:
            return None
        return cls(state, content["nonce"], content["verifier"], safe_return(content["return_to"]), started_at)

    def content(self) -> dict[str, Any]:
        return {
            "for": PURPOSE,
            "state": self.state,
            "nonce": self.nonce,
            "verifier": self.verifier,
            "return_to": self.return_to,
            "started_at": self.started_at,
        }

    @property
    def state_hash(self) -> bytes:
        return hashlib.sha256(self.state.encode()).digest()

    @property
    def challenge(self) -> str:
        digest = hashlib.sha256(self.verifier.encode()).digest()
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def cookie_name(state: str, *, is_secure: bool) -> str | None:
    """Of the attempt with this state: two windows may sign in at the same time. None: a text that is no state of ours."""
    if (
        len(state) < _NAMED
        or len(state) > 100
        or not all(one.isascii() and (one.isalnum() or one in "-_") for one in state)
    ):
        return None
    return ("__Host-" if is_secure else "") + f"sightline_sign_in_{state[:_NAMED]}"


def safe_return(path: str) -> str:
    """A path of this page; anything that a browser could take for another host becomes the start page."""
    if len(path) > MAX_RETURN_LENGTH or not path.isascii() or not path.isprintable() or "\\" in path or " " in path:
        return "/"
    if not path.startswith("/") or path.startswith(("//", "/api/")):
        return "/"
    try:
        parts = urlsplit(path)
    except ValueError:
        return "/"
    return "/" if parts.scheme or parts.netloc else path


def with_query(address: str, **values: str) -> str:
    """The address with these parameters added; those that it has stay, and a fragment stays at the end."""
    parts = urlsplit(address)
    query = "&".join(one for one in (parts.query, urlencode(values)) if one)
    return parts._replace(query=query).geturl()
