"""Checks of an ID token: signature, issuer, audience, party, time, nonce and access token (OpenID Connect Core, 3.1.3.7). Pure."""

import base64
import hashlib
import hmac
from collections.abc import Mapping
from typing import Any

import jwt

from sightline.api.auth.jwks import ASYMMETRIC, LEEWAY_S
from sightline.errors import NotAuthenticated


class TokenRefused(NotAuthenticated):
    """The issuer's answer does not prove who signed in."""


def read_header(token: str) -> tuple[str, str | None]:
    """The algorithm and the key id that a token names."""
    try:
        header = jwt.get_unverified_header(token)
    except jwt.PyJWTError as error:
        raise TokenRefused(f"the ID token cannot be read: {error}") from error
    algorithm, key_id = header.get("alg"), header.get("kid")
    if algorithm not in ASYMMETRIC:
        raise TokenRefused(f"the ID token is signed with {algorithm!r}, which is not accepted")
    return algorithm, key_id if isinstance(key_id, str) else None


def check_id_token(
    token: str,
    key: Any,
    algorithm: str,
    *,
    issuer: str,
    client_id: str,
    nonce: str,
    access_token: str | None,
) -> dict[str, Any]:
    """The claims of a token that was issued to this client for this sign-in; otherwise `TokenRefused`."""
    try:
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=[algorithm],
            audience=client_id,
            issuer=issuer,
            leeway=LEEWAY_S,
            options={"require": ["exp", "iat", "sub", "iss", "aud"]},
        )
    except (jwt.PyJWTError, TypeError, ValueError, OverflowError, RecursionError) as error:
        # TypeError: the algorithm does not fit the key, as when a token names RS256 and the key of an ES256 pair.
        raise TokenRefused(f"the ID token is refused: {error}") from error
    _check_party(claims, client_id)
    given = claims.get("nonce")
    if not isinstance(given, str) or not hmac.compare_digest(given.encode(), nonce.encode()):
        raise TokenRefused("the ID token belongs to another sign-in: its nonce differs")
    if (expected := claims.get("at_hash")) is not None and (
        access_token is None or expected != _half_hash(access_token, algorithm)
    ):
        raise TokenRefused("the access token is not the one that came with the ID token: at_hash differs")
    return claims


def check_userinfo(found: object, subject: str) -> Mapping[str, Any]:
    """Claims of the userinfo endpoint, which count only if they are of the same person."""
    if not isinstance(found, Mapping) or found.get("sub") != subject:
        raise TokenRefused("the userinfo endpoint answered for another subject")
    return found


def _check_party(claims: Mapping[str, Any], client_id: str) -> None:
    audience, party = claims["aud"], claims.get("azp")
    if isinstance(audience, list) and len(audience) > 1 and party is None:
        raise TokenRefused("the ID token has several audiences and names no authorized party (azp)")
    if party is not None and party != client_id:
        raise TokenRefused("the ID token was issued to another client (azp)")


def _half_hash(access_token: str, algorithm: str) -> str:
    size = "512" if algorithm == "EdDSA" else algorithm[2:]
    digest = hashlib.new(f"sha{size}", access_token.encode()).digest()
    return base64.urlsafe_b64encode(digest[: len(digest) // 2]).rstrip(b"=").decode()
