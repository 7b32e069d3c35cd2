"""A message of the feed: as it is published, and as it is stored and sent. Pure."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from sightline.errors import InvalidInput

MAX_DATA_BYTES = 64 * 1024
_WORD = re.compile(r"[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)*")
# Types of control frames; a message must not have one of them.
CONTROL_TYPES = frozenset(
    {"hello", "resumed", "gap", "ping", "pong", "error", "acked", "subscribed", "resync_ack"}  # see contracts/live.py
)


@dataclass(frozen=True, slots=True)
class LiveMessage:
    """A message to the followers of `stream`.

    With an owner or a team, only they receive it; with neither, every signed-in user does.
    """

    stream: str
    type: str
    data: Mapping[str, Any]
    requires_ack: bool = False
    owner_id: UUID | None = None
    team_id: UUID | None = None
    topic: str | None = None
    """A second word, beside the type, that subscriptions may name: `camera.front_door`."""

    def encode(self) -> str:
        """Validates the message and returns the data as JSON text."""
        for name, word in (("type", self.type), ("topic", self.topic)):
            if word is not None and not _WORD.fullmatch(word):
                raise InvalidInput(
                    f"{word!r} cannot be the {name} of a live message: lower-case words, dots in between"
                )
        if self.type in CONTROL_TYPES:
            raise InvalidInput(f"a live message cannot have the type {self.type!r}: the protocol itself uses it")
        try:
            text = json.dumps(self.data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
            size = len(text.encode())
        except (TypeError, ValueError) as error:
            raise InvalidInput(f"the data of a live message {self.type!r} is not JSON: {error}") from error
        if size > MAX_DATA_BYTES:
            raise InvalidInput(
                f"the data of a live message {self.type!r} has {size} bytes; the limit is {MAX_DATA_BYTES}"
            )
        return text


@dataclass(frozen=True, slots=True)
class FeedRecord:
    """A message with its place in the stream. `sequence` counts the messages of all callers and stays inside: what a caller
    sees is its number among those for them.
    """

    sequence: int
    type: str
    topic: str | None
    requires_ack: bool
    data: str
    owner_id: UUID | None = None
    team_id: UUID | None = None
    age_s: float = 0.0

    @property
    def is_for_all(self) -> bool:
        return self.owner_id is None and self.team_id is None

    def payload(self, number: int, *, prev: int | None = None, replay: bool = False, redelivery: int = 0) -> bytes:
        """What goes over the wire: document 003's form, and marks where there is more to say.

        `prev` is sent only where the receiver does not follow the messages in between; otherwise it is the number before.
        """
        marks = ""
        if prev is not None and prev != number - 1:
            marks += f',"prev":{prev}'
        if replay:
            marks += ',"replay":true'
        if redelivery:
            marks += f',"redelivery":{redelivery}'
        needs = "true" if self.requires_ack else "false"
        return (
            f'{{"type":"{self.type}","sequence":{number},"requires_ack":{needs}{marks},"data":{self.data}}}'
        ).encode()


class Numbered(NamedTuple):
    """A message with its number for one receiver."""

    number: int
    message: FeedRecord
