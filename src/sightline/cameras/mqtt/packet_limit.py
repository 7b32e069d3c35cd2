"""A limit for packets of MQTT, which may be 256 MB each and are held in memory by the client. Pure."""

from typing import Literal

MAX_PACKET_BYTES = 16 * 1024**2


class PacketLimit:
    """Follows the packets of one connection: a type, the length in groups of seven bits, and so many bytes."""

    def __init__(self, max_bytes: int = MAX_PACKET_BYTES) -> None:
        self._max_bytes = max_bytes
        self._expects: Literal["type", "length", "content"] = "type"
        self._length = self._shift = 0

    def accepts(self, data: bytes) -> bool:
        """False for what belongs to a packet that is too large, or to none."""
        position = 0
        while position < len(data):
            match self._expects:
                case "type":
                    self._expects, self._length, self._shift = "length", 0, 0
                    position += 1
                case "length":
                    self._length |= (data[position] & 0x7F) << self._shift
                    self._shift += 7
                    if self._length > self._max_bytes or self._shift > 28:
                        return False
                    if not data[position] & 0x80:
                        self._expects = "content" if self._length else "type"
                    position += 1
                case "content":
                    taken = min(self._length, len(data) - position)
                    self._length -= taken
                    position += taken
                    if not self._length:
                        self._expects = "type"
        return True
