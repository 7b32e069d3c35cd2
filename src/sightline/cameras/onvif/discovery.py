"""WS-Discovery: a question to everybody in the local network, and the answers of those that are cameras."""

import asyncio
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit
from uuid import uuid4

from sightline.cameras.onvif.xml import BadXml, all_named, parse, text_of

GROUP = ("239.255.255.250", 3702)
WAIT_S = 3.0
MAX_DEVICES = 256
MAX_TEXT = 200

_PROBE = """<?xml version="1.0" encoding="utf-8"?>
<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope" xmlns:w="http://schemas.xmlsoap.org/ws/2004/08/addressing"
 xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery" xmlns:dn="http://www.onvif.org/ver10/network/wsdl"><e:Header>
<w:MessageID>urn:uuid:{message_id}</w:MessageID><w:To e:mustUnderstand="true">urn:schemas-xmlsoap-org:ws:2005:04:discovery</w:To>
<w:Action e:mustUnderstand="true">http://schemas.xmlsoap.org/ws/2005/04/discovery/Probe</w:Action></e:Header>
<e:Body><d:Probe><d:Types>dn:NetworkVideoTransmitter</d:Types></d:Probe></e:Body></e:Envelope>"""


@dataclass(frozen=True, slots=True)
class FoundDevice:
    name: str
    hardware: str
    address: str
    """The IP address that the answer came from or names."""
    xaddr: str
    """Where the device takes requests."""


class _Probe(asyncio.DatagramProtocol):
    """Collects answers; each device once, though it answers every repetition."""

    def __init__(self, message_id: str) -> None:
        self._message_id = message_id
        self.devices: dict[str, FoundDevice] = {}

    def datagram_received(self, data: bytes, addr: tuple[str | int, ...]) -> None:
        if len(self.devices) >= MAX_DEVICES:
            return
        for device in read_matches(data, sender=str(addr[0]), message_id=self._message_id):
            self.devices.setdefault(device.xaddr, device)


async def discover_devices(*, wait_s: float = WAIT_S, target: tuple[str, int] = GROUP) -> list[FoundDevice]:
    """Whoever answers in time, by address. Asks three times, since datagrams get lost."""
    loop = asyncio.get_running_loop()
    message_id = str(uuid4())
    probe = _PROBE.format(message_id=message_id).encode()
    sockets = [_open_socket(interface) for interface in await asyncio.to_thread(_interfaces)]
    transports = []
    protocol = _Probe(message_id)
    try:
        for one in sockets:
            transport, _ = await loop.create_datagram_endpoint(lambda: protocol, sock=one)
            transports.append(transport)
        for _ in range(3):
            for transport in transports:
                transport.sendto(probe, target)
            await asyncio.sleep(wait_s / 3)
    finally:
        for transport in transports:
            transport.close()
    return sorted(protocol.devices.values(), key=lambda device: (device.address, device.xaddr))


def read_matches(data: bytes, *, sender: str, message_id: str) -> Sequence[FoundDevice]:
    """The devices of an answer; none for what is no answer to this question. Pure."""
    try:
        envelope = parse(data)
    except BadXml:
        return []
    if not text_of(envelope, "RelatesTo").endswith(message_id):
        return []
    devices = []
    for match in all_named(envelope, "ProbeMatch"):
        xaddr = _best_xaddr(text_of(match, "XAddrs").split(), sender)
        if xaddr is None:
            continue
        scopes = text_of(match, "Scopes").split()
        host = urlsplit(xaddr).hostname or sender
        devices.append(FoundDevice(_scope(scopes, "name") or host, _scope(scopes, "hardware"), host, xaddr))
    return devices


def _best_xaddr(addresses: Sequence[str], sender: str) -> str | None:
    """The one at the address that answered; cameras also name those of networks that they are not in."""
    valid = []
    for address in addresses:
        try:
            parts = urlsplit(address)
            _ = parts.port
        except ValueError:
            continue
        if parts.scheme in ("http", "https") and parts.hostname and len(address) <= 500 and address.isprintable():
            valid.append((parts.hostname != sender, ":" in parts.hostname, address))
    return min(valid)[2] if valid else None


def _scope(scopes: Sequence[str], name: str) -> str:
    mark = f"onvif://www.onvif.org/{name}/"
    found = next((unquote(scope[len(mark) :]) for scope in scopes if scope.lower().startswith(mark)), "")
    return "".join(char for char in found if char.isprintable())[:MAX_TEXT].replace("_", " ").strip()


def _interfaces() -> list[str]:
    """IPv4 addresses of this machine: a multicast leaves by one interface alone, and cameras are often behind another."""
    import psutil  # slow to import, and used here alone

    found = {
        address.address
        for name, addresses in psutil.net_if_addrs().items()
        for address in addresses
        if address.family == socket.AF_INET and (stats := psutil.net_if_stats().get(name)) is not None and stats.isup
    }
    return sorted(found) or ["0.0.0.0"]


def _open_socket(interface: str) -> socket.socket:
    opened = socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_UDP)
    opened.setblocking(False)
    opened.bind((interface, 0))
    opened.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(interface))
    opened.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 2)
    return opened
