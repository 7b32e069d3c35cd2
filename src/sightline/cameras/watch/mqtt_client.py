"""A client of MQTT whose messages are acknowledged when they are stored, and limited while they wait."""

import asyncio
from typing import Any, cast

from aiomqtt import Client, Message, ProtocolVersion

MAX_MESSAGES = 200
MAX_WAITING_BYTES = 32 * 1024**2
MAX_MESSAGE_BYTES = 4 * 1024**2


class _Inbox(asyncio.Queue[Message]):
    """The queue that the MQTT client fills. A message that does not fit is not acknowledged: the broker delivers it again.

    Brokers send no more than a few messages that are not acknowledged, so this needs a broker that means harm, or messages
    of which the broker keeps no copy.
    """

    def __init__(self) -> None:
        super().__init__(MAX_MESSAGES)
        self._bytes = 0
        self.has_refused = False
        """Whether a message has to be delivered again, which takes another connection."""

    def put_nowait(self, item: Message) -> None:
        if len(item.payload) > MAX_MESSAGE_BYTES:
            item.payload = b""  # no feed reads so much; it is acknowledged in its turn
        if self.full() or self._bytes + len(item.payload) > MAX_WAITING_BYTES:
            self.has_refused = self.has_refused or item.qos > 0
            raise asyncio.QueueFull
        self._bytes += len(item.payload)
        super().put_nowait(item)

    def get_nowait(self) -> Message:
        item = super().get_nowait()
        self._bytes -= len(item.payload)
        return item


class MqttClient(Client):
    def __init__(self, host: str, port: int, **options: Any) -> None:
        self._inbox = _Inbox()
        super().__init__(
            host,
            port,
            clean_session=False,
            protocol=ProtocolVersion.V311,
            queue_type=cast(Any, lambda maxsize: self._inbox),
            **options,
        )
        # There is no option for it; the library below has this.
        self._client.manual_ack_set(True)

    @property
    def needs_redelivery(self) -> bool:
        """Whether all that came was read, and the broker has to deliver again what did not fit."""
        return self._inbox.has_refused and self._inbox.empty()

    def acknowledge(self, mid: int, qos: int) -> None:
        """Lets the broker forget the message of this number. Changes nothing when the connection has ended."""
        self._client.ack(mid, qos)
