"""Which addresses a camera may have: names are resolved once, here, and the connection goes to the address that was checked."""

import asyncio
import socket
from collections.abc import Awaitable, Callable

from sightline.cameras.problems import SourceProblem
from sightline.cameras.source import Reach
from sightline.http import is_private_network, is_public

HostAddresses = Callable[[str, int], Awaitable[list[str]]]


async def system_resolver(host: str, port: int) -> list[str]:
    """No address at all if the host does not resolve."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        return []
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


async def checked_address(host: str, port: int, reach: Reach, *, resolve: HostAddresses = system_resolver) -> str:
    """The IP address to connect to. One address out of reach among the results refuses all: a host with both is an attack."""
    addresses = await resolve(host, port)
    if not addresses:
        raise SourceProblem("unknown_host")
    if not all(is_within(address, reach) for address in addresses):
        raise SourceProblem("address_not_allowed")
    # Cameras rarely listen on IPv6, and names of a local network often have an address of both kinds.
    return next((address for address in addresses if ":" not in address), addresses[0])


def is_within(ip: str, reach: Reach) -> bool:
    """Pure."""
    match reach:
        case "any":
            return True
        case "lan":
            return is_public(ip) or is_private_network(ip)
        case "public":
            return is_public(ip)
