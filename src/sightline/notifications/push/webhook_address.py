"""Webhook addresses: http or https, and only public IP addresses unless settings allow private ones."""

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

import structlog

from sightline.errors import BackendUnavailable, InvalidInput, PermanentFailure
from sightline.http import is_public

MAX_URL_LENGTH = 2048

log = structlog.get_logger(__name__)

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""Returns the IP addresses of a host."""


class AddressRefused(BackendUnavailable):
    """The webhook's host has no address that may be called.

    A host that does not resolve and one that resolves to a private address look the same to the person who named it:
    otherwise webhooks would tell which names exist inside. So both are retried, as a name that does not resolve must be.
    """

    def __init__(self, host: str) -> None:
        message = f"the webhook's host {host} has no public address. Use one that others can reach."
        super().__init__("webhook", message, public=message)


class PrivateAddress(PermanentFailure):
    """The webhook's address is itself a private IP address, which tells its author nothing new and is not tried again."""

    def __init__(self, host: str) -> None:
        super().__init__(f"the webhook's host is {host}, which is not a public address. Use one that others can reach.")


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


async def system_addresses(host: str, port: int) -> list[str]:
    """No address at all if the host does not resolve."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        log.info("webhook.host_unresolved", host=host, error=str(error))
        return []
    return [str(entry[4][0]) for entry in found]


async def pin(url: str, *, allow_private: bool, resolve: Resolve = system_addresses) -> WebhookTarget:
    """Resolves the host once. One private address among the results rejects all: a host with both is an attack."""
    parts = check_webhook_url(url)
    host = parts.hostname or ""
    if not allow_private and _is_private_ip(host):
        raise PrivateAddress(host)
    addresses = await resolve(host, parts.port or (443 if parts.scheme == "https" else 80))
    private = [] if allow_private else [address for address in addresses if not is_public(address)]
    if private:
        log.warning("webhook.address_refused", host=host, address=private[0])
    if private or not addresses:
        raise AddressRefused(host)
    return WebhookTarget(parts, addresses[0])


def _is_private_ip(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return not is_public(host)
