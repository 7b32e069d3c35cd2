"""Webhook addresses: http or https, and only public IP addresses unless settings allow private ones."""

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from sightline.errors import BackendUnavailable, InvalidInput, PermanentFailure

MAX_URL_LENGTH = 2048

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""Returns the IP addresses of a host."""

# Not public, though `ipaddress` does not call them private: carrier-grade NAT, and IPv4 addresses inside IPv6 ones.
_NOT_PUBLIC = tuple(
    ipaddress.ip_network(one)
    for one in (
        "100.64.0.0/10",
        "192.0.0.0/24",
        "198.18.0.0/15",
        "64:ff9b::/96",
        "64:ff9b:1::/48",
        "2002::/16",
        "2001::/32",
    )
)


class AddressRefused(PermanentFailure):
    """The webhook's address is not allowed."""


@dataclass(frozen=True, slots=True)
class WebhookTarget:
    """A webhook's URL, and the one IP address to connect to."""

    parts: SplitResult
    ip: str

    @property
    def url(self) -> str:
        return self.parts._replace(fragment="").geturl()


def check_webhook_url(text: str) -> SplitResult:
    """The parts of a valid webhook URL. Pure."""
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError as error:
        raise InvalidInput(f"the webhook's address is invalid: {error}") from None
    if (
        len(text) > MAX_URL_LENGTH
        or not text.isascii()
        or any(char.isspace() or not char.isprintable() for char in text)
    ):
        raise InvalidInput("the webhook's address is invalid: it is too long or has characters that no address has")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InvalidInput("a webhook's address must begin with http:// or https:// and name a host")
    if parts.username is not None or parts.password is not None:
        raise InvalidInput("a webhook's address must not have a user or password")
    return parts


def is_public(ip: str) -> bool:
    """Whether an IP address is public. Pure."""
    address = ipaddress.ip_address(ip.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    if address.is_multicast or not address.is_global:
        return False
    return not any(address in network for network in _NOT_PUBLIC if network.version == address.version)


async def system_addresses(host: str, port: int) -> list[str]:
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise BackendUnavailable("webhook", f"the webhook's host {host} has no address: {error}") from error
    return [str(entry[4][0]) for entry in found]


async def pin(url: str, *, allow_private: bool, resolve: Resolve = system_addresses) -> WebhookTarget:
    """Resolves the host once. One private address among the results rejects all: a host with both is an attack."""
    parts = check_webhook_url(url)
    host = parts.hostname or ""
    addresses = await resolve(host, parts.port or (443 if parts.scheme == "https" else 80))
    if not addresses:
        raise BackendUnavailable("webhook", f"the webhook's host {host} has no address")
    if not allow_private and (private := [one for one in addresses if not is_public(one)]):
        raise AddressRefused(f"the webhook's host {host} leads to {private[0]}, which is not a public address")
    return WebhookTarget(parts, addresses[0])
