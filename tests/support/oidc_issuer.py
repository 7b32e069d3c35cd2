"""An OpenID Connect issuer on loopback with real keys: it checks requests as issuers do, and lies only where a test says."""

import base64
import hashlib
import json
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from support.ntfy_server import Asked, HttpDouble

CLIENT_ID, CLIENT_SECRET = "sightline", "a secret of the client"
Reply = tuple[int, dict[str, str], bytes]


@dataclass
class Grant:
    """A code that was given out, with what the request for it said."""

    subject: str
    asked: dict[str, str]


def rsa_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@dataclass
class OidcIssuerServer(HttpDouble):
    people: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Claims beside the subject, by subject."""
    algorithm: str = "RS256"
    keys: dict[str, Any] = field(
        default_factory=lambda: {"one": rsa_key(), "two": ec.generate_private_key(ec.SECP256R1())}
    )
    signs_with: str = "one"
    secret: str | None = CLIENT_SECRET
    redirect_uris: list[str] = field(default_factory=list)
    puts_claims_into_token: bool = True
    claims_to_change: Callable[[dict[str, Any]], None] = lambda claims: None
    token_to_change: Callable[[str], str] = lambda token: token
    metadata: dict[str, Any] = field(default_factory=dict)
    grants: dict[str, Grant] = field(default_factory=dict)
    access_tokens: dict[str, str] = field(default_factory=dict)
    signed_out: list[dict[str, str]] = field(default_factory=list)
    userinfo_of: str | None = None

    def answer(self, asked: Asked) -> Reply:
        parts = urlsplit(asked.path)
        query = dict(parse_qsl(parts.query))
        match asked.method, parts.path:
            case "GET", "/.well-known/openid-configuration":
                return _json(200, self.discovery())
            case "GET", "/jwks":
                return _json(200, {"keys": [self._published(kid) for kid in self.keys]})
            case "GET", "/authorize":
                return self._login_page(query)
            case "GET", "/login":
                return self._logged_in(query)
            case "POST", "/token":
                return self._token(asked, dict(parse_qsl(asked.body.decode())))
            case "GET", "/userinfo":
                return self._userinfo(asked.headers.get("authorization", "").removeprefix("Bearer "))
            case "GET", "/logout":
                self.signed_out.append(query)
                return 303, {"location": query["post_logout_redirect_uri"]}, b""
        return _json(404, {"error": "not_found"})

    def discovery(self) -> dict[str, Any]:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/jwks",
            "userinfo_endpoint": f"{self.url}/userinfo",
            "end_session_endpoint": f"{self.url}/logout",
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
        } | self.metadata

    def approve(self, address: str, subject: str) -> str:
        """What a person does who signs in at this address: the address that the browser is sent back to."""
        return self._logged_in(dict(parse_qsl(urlsplit(address).query)) | {"subject": subject})[1]["location"]

    def _login_page(self, query: dict[str, str]) -> Reply:
        if problem := self._problem(query):
            return _json(400, {"error": problem})
        hidden = "".join(f'<input type="hidden" name="{name}" value="{value}">' for name, value in query.items())
        label = '<label>User name <input name="subject"></label><button>Continue</button>'
        page = f'<!doctype html><title>Issuer</title><form action="/login">{hidden}{label}</form>'
        return 200, {"content-type": "text/html"}, page.encode()

    def _problem(self, query: dict[str, str]) -> str | None:
        checks = {
            "unauthorized_client": query.get("client_id") == CLIENT_ID,
            "redirect_uri_mismatch": query.get("redirect_uri") in self.redirect_uris,
            "unsupported_response_type": query.get("response_type") == "code",
            "invalid_scope": "openid" in query.get("scope", "").split(),
            "pkce_required": query.get("code_challenge_method") == "S256"
            and len(query.get("code_challenge", "")) == 43,
            "nonce_required": bool(query.get("nonce")) and bool(query.get("state")),
        }
        return next((problem for problem, holds in checks.items() if not holds), None)

    def _logged_in(self, query: dict[str, str]) -> Reply:
        if problem := self._problem(query):
            return _json(400, {"error": problem})
        answer = {"state": query["state"], "iss": self.url}
        if query["subject"] == "nobody":
            answer["error"] = "access_denied"
        else:
            answer["code"] = secrets.token_urlsafe(16)
            self.grants[answer["code"]] = Grant(query["subject"], query)
        return 303, {"location": f"{query['redirect_uri']}?{urlencode(answer)}"}, b""

    def _token(self, asked: Asked, form: dict[str, str]) -> Reply:
        if self.secret is not None:
            pair = base64.b64encode(urlencode({CLIENT_ID: self.secret}).replace("=", ":").encode()).decode()
            if asked.headers.get("authorization") != f"Basic {pair}" and form.get("client_secret") != self.secret:
                return _json(401, {"error": "invalid_client"})
        grant = self.grants.pop(form.get("code", ""), None)
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        is_right = (
            grant is not None
            and form.get("grant_type") == "authorization_code"
            and form.get("client_id") == CLIENT_ID
            and form.get("redirect_uri") == grant.asked["redirect_uri"]
            and challenge == grant.asked["code_challenge"]
        )
        if grant is None or not is_right:
            return _json(400, {"error": "invalid_grant"})
        access_token = secrets.token_urlsafe(16)
        self.access_tokens[access_token] = grant.subject
        id_token = self._id_token(grant, access_token)
        answer = {"access_token": access_token, "token_type": "Bearer", "expires_in": 300, "id_token": id_token}
        return _json(200, answer)

    def _id_token(self, grant: Grant, access_token: str) -> str:
        now = int(time.time())
        half = hashlib.sha256(access_token.encode()).digest()[:16]
        claims: dict[str, Any] = {
            "iss": self.url,
            "sub": grant.subject,
            "aud": CLIENT_ID,
            "iat": now,
            "exp": now + 300,
            "nonce": grant.asked["nonce"],
            "at_hash": base64.urlsafe_b64encode(half).rstrip(b"=").decode(),
        }
        if self.puts_claims_into_token:
            claims |= self.people.get(grant.subject, {})
        self.claims_to_change(claims)
        token = jwt.encode(claims, self.keys[self.signs_with], self.algorithm, headers={"kid": self.signs_with})
        return self.token_to_change(token)

    def _userinfo(self, access_token: str) -> Reply:
        subject = self.userinfo_of or self.access_tokens.get(access_token)
        if subject is None:
            return _json(401, {"error": "invalid_token"})
        return _json(200, {"sub": subject} | self.people.get(subject, {}))

    def _published(self, kid: str) -> dict[str, Any]:
        key = self.keys[kid]
        algorithm = "RS256" if isinstance(key, rsa.RSAPrivateKey) else "ES256"
        found: dict[str, Any] = jwt.get_algorithm_by_name(algorithm).to_jwk(key.public_key(), as_dict=True)
        return found | {"kid": kid, "alg": algorithm, "use": "sig"}


def _json(status: int, content: object) -> Reply:
    return status, {"content-type": "application/json"}, json.dumps(content).encode()


@asynccontextmanager
async def serving_issuer(**settings: Any) -> AsyncIterator[OidcIssuerServer]:
    server = OidcIssuerServer(**settings)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()
