"""What an issuer says of itself in its discovery document. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from sightline.errors import BackendUnavailable

DISCOVERY_PATH = "/.well-known/openid-configuration"
PART = "identity"


def issuer_failure(message: str) -> BackendUnavailable:
    return BackendUnavailable(
        PART, message, public="The identity provider does not respond as it should. Try again later."
    )


@dataclass(frozen=True, slots=True)
class IssuerEndpoints:
    issuer: str
    authorization: str
    token: str
    keys: str
    userinfo: str | None
    end_session: str | None
    client_authentication: tuple[str, ...]
    names_itself: bool
    """Whether its answers to the browser name it (RFC 9207); then one that does not is refused."""


def read_endpoints(document: object, issuer: str, *, allow_http: bool) -> IssuerEndpoints:
    """Raises `BackendUnavailable` for a document of another issuer, or one that misses what a sign-in needs."""
    if not isinstance(document, Mapping):
        raise issuer_failure(f"the discovery document of {issuer} is no JSON object")
    if document.get("issuer") != issuer:
        raise issuer_failure(
            f"the discovery document says that its issuer is {document.get('issuer')!r}, not {issuer!r}. "
            "Set SIGHTLINE_AUTH_OIDC_ISSUER to exactly that"
        )
    methods = document.get("token_endpoint_auth_methods_supported")
    return IssuerEndpoints(
        issuer=issuer,
        authorization=_needed(document, "authorization_endpoint", allow_http=allow_http),
        token=_needed(document, "token_endpoint", allow_http=allow_http),
        keys=_needed(document, "jwks_uri", allow_http=allow_http),
        userinfo=_address(document, "userinfo_endpoint", allow_http=allow_http),
        end_session=_address(document, "end_session_endpoint", allow_http=allow_http),
        client_authentication=tuple(methods) if isinstance(methods, list) else ("client_secret_basic",),
        names_itself=document.get("authorization_response_iss_parameter_supported") is True,
    )


def _needed(document: Mapping[str, Any], name: str, *, allow_http: bool) -> str:
    found = _address(document, name, allow_http=allow_http)
    if found is None:
        raise issuer_failure(f"the discovery document has no usable {name}")
    return found


def _address(document: Mapping[str, Any], name: str, *, allow_http: bool) -> str | None:
    found = document.get(name)
    if not isinstance(found, str) or not found.isascii() or not found.isprintable() or " " in found:
        return None
    try:
        parts = urlsplit(found)
    except ValueError:
        return None
    is_allowed = parts.scheme == "https" or (allow_http and parts.scheme == "http")
    return found if is_allowed and parts.hostname else None
