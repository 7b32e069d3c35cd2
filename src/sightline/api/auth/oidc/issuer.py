"""The issuer over HTTP: discovery, keys, exchange of a code, userinfo. Its addresses are checked as those of webhooks are."""

import asyncio
import base64
import json
import socket
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import quote_plus, urlencode, urlsplit

import structlog

from sightline.api.auth.jwks import JwksKeys
from sightline.api.auth.oidc.discovery import DISCOVERY_PATH, PART, IssuerEndpoints, issuer_failure, read_endpoints
from sightline.api.auth.oidc.id_token import TokenRefused
from sightline.config import AuthSettings
from sightline.errors import BackendUnavailable
from sightline.http import HttpClient, is_public

TIMEOUT_S = 10.0
MAX_BODY_BYTES = 512 * 1024
DISCOVERY_KEPT_S = 3600.0
RETRY_EVERY_S = 2.0

Resolve = Callable[[str, int], Awaitable[list[str]]]

log = structlog.get_logger(__name__)


async def system_addresses(host: str, port: int) -> list[str]:
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        return []
    return [str(entry[4][0]) for entry in found]


class OidcIssuer:
    """The last discovery document and keys are kept while the issuer is away."""

    def __init__(
        self,
        settings: AuthSettings,
        *,
        resolve: Resolve = system_addresses,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        assert settings.oidc_issuer is not None
        assert settings.oidc_client_id is not None
        self.issuer = settings.oidc_issuer
        self.client_id = settings.oidc_client_id
        secret = settings.oidc_client_secret
        self._client_secret = None if secret is None else secret.get_secret_value()
        self._allow_private = settings.oidc_allow_private
        self._resolve = resolve
        self._clock = clock
        self._http = HttpClient(PART, timeout_s=TIMEOUT_S, max_body_bytes=MAX_BODY_BYTES)
        self._found: IssuerEndpoints | None = None
        self._asked_at = float("-inf")
        self._failure = "it was not reached yet"
        self._lock = asyncio.Lock()
        self._keys: JwksKeys | None = None

    async def endpoints(self) -> IssuerEndpoints:
        async with self._lock:
            kept_s = RETRY_EVERY_S if self._found is None else DISCOVERY_KEPT_S
            if self._clock() - self._asked_at > kept_s:
                await self._discover()
        if self._found is None:
            raise issuer_failure(f"cannot read the discovery document of {self.issuer}: {self._failure}")
        return self._found

    async def key(self, key_id: str | None) -> Any:
        """The public key of this id, fetched again if it is unknown, but not more often than every half minute."""
        address = (await self.endpoints()).keys
        if self._keys is None or self._keys.url != address:
            self._keys = JwksKeys(address, read=self._read_json, clock=self._clock)
        return await self._keys.get(key_id)

    async def exchange(self, code: str, *, verifier: str, redirect_uri: str) -> tuple[str, str | None]:
        """The ID token and the access token for a code, which the issuer accepts once."""
        endpoints = await self.endpoints()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": verifier,
            "client_id": self.client_id,
        }
        headers = {"content-type": "application/x-www-form-urlencoded", "accept": "application/json"}
        if self._client_secret is not None:
            if "client_secret_basic" in endpoints.client_authentication:
                pair = f"{quote_plus(self.client_id)}:{quote_plus(self._client_secret)}"
                headers["authorization"] = "Basic " + base64.b64encode(pair.encode()).decode()
            else:
                form["client_secret"] = self._client_secret
        status, found = await self._request("POST", endpoints.token, headers, urlencode(form).encode())
        if 400 <= status < 500:
            reason = found.get("error") if isinstance(found, Mapping) else None
            raise TokenRefused(f"the issuer refused the code: {reason or status}")
        id_token = found.get("id_token") if isinstance(found, Mapping) else None
        if status != 200 or not isinstance(found, Mapping) or not isinstance(id_token, str):
            raise issuer_failure(f"the token endpoint answered {status} without an ID token")
        access_token = found.get("access_token")
        return id_token, access_token if isinstance(access_token, str) else None

    async def userinfo(self, access_token: str) -> object:
        """None if the issuer has no such endpoint."""
        address = (await self.endpoints()).userinfo
        if address is None:
            return None
        headers = {"authorization": f"Bearer {access_token}", "accept": "application/json"}
        status, found = await self._request("GET", address, headers)
        if status != 200:
            raise issuer_failure(f"the userinfo endpoint answered {status}")
        return found

    def close(self) -> None:
        self._http.close()

    async def _discover(self) -> None:
        try:
            document = await self._read_json(self.issuer.rstrip("/") + DISCOVERY_PATH)
            self._found = read_endpoints(document, self.issuer, allow_http=self._allow_private)
        except BackendUnavailable as error:
            self._failure = error.message
            log.warning("identity.discovery_not_renewed", issuer=self.issuer, error=error.message)
        self._asked_at = self._clock()

    async def _read_json(self, url: str) -> object:
        status, found = await self._request("GET", url, {"accept": "application/json"})
        if status != 200:
            raise issuer_failure(f"{url} answered {status}")
        return found

    async def _request(
        self, method: str, url: str, headers: Mapping[str, str], content: bytes = b""
    ) -> tuple[int, object]:
        parts = urlsplit(url)
        host = parts.hostname or ""
        found = await self._resolve(host, parts.port or (443 if parts.scheme == "https" else 80))
        if not found:
            raise issuer_failure(f"the issuer's host {host} has no address")
        if not self._allow_private and not all(is_public(one) for one in found):
            raise issuer_failure(
                f"the issuer's host {host} has an address of a private network; "
                "set SIGHTLINE_AUTH_OIDC_ALLOW_PRIVATE=true if that is meant"
            )
        response = await self._http.request(method, url, headers=headers, content=content, connect_to=found[0])
        try:
            return response.status, json.loads(response.body)
        except (ValueError, RecursionError):
            return response.status, None
