"""Where a webhook may lead: the web, and only to addresses that are open to everybody, unless settings say otherwise."""

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from sightline.errors import BackendUnavailable, InvalidInput, PermanentFailure

MAX_URL_LENGTH = 2048

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""The addresses of a host."""

# Beyond what `ipaddress` calls private: carrier-grade NAT, and ways to wrap an IPv4 address into an IPv6 one.
_CLOSED = tuple(
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
    """The webhook leads where no webhook may lead."""


@dataclass(frozen=True, slots=True)
class WebhookTarget:
    """A webhook's address, and the one IP address that it is called at."""

    parts: SplitResult
    ip: str

    @property
    def url(self) -> str:
        return self.parts._replace(fragment="").geturl()


def check_webhook_url(text: str) -> SplitResult:
    """The parts of an address that can be one of a webhook. Pure."""
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError as error:
        raise InvalidInput(f"the webhook's address is none: {error}") from None
    if (
        len(text) > MAX_URL_LENGTH
        or not text.isascii()
        or any(char.isspace() or not char.isprintable() for char in text)
    ):
        raise InvalidInput("the webhook's address is none: it is too long or holds what no address holds")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InvalidInput("a webhook's address begins with http:// or https:// and names a host")
    if parts.username is not None or parts.password is not None:
        raise InvalidInput("a webhook's address holds no user and no password")
    return parts


def is_open(ip: str) -> bool:
    """Whether an address is one of the public internet. Pure."""
    address = ipaddress.ip_address(ip.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    if address.is_multicast or not address.is_global:
        return False
    return not any(address in network for network in _CLOSED if network.version == address.version)


async def system_addresses(host: str, port: int) -> list[str]:
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise BackendUnavailable("webhook", f"the webhook's host {host} has no address: {error}") from error
    return [str(entry[4][0]) for entry in found]


async def pin(url: str, *, allow_private: bool, resolve: Resolve = system_addresses) -> WebhookTarget:
    """Resolves the host once. One closed address among them refuses the whole: a name that leads to both is a trick."""
    parts = check_webhook_url(url)
    host = parts.hostname or ""
    addresses = await resolve(host, parts.port or (443 if parts.scheme == "https" else 80))
    if not addresses:
        raise BackendUnavailable("webhook", f"the webhook's host {host} has no address")
    if not allow_private and (closed := [one for one in addresses if not is_open(one)]):
        raise AddressRefused(f"the webhook's host {host} leads to {closed[0]}, which is not open to the public")
    return WebhookTarget(parts, addresses[0])
