"""Numbers of events on the live feed, as the caller counts them."""

from collections.abc import Sequence
from dataclasses import replace

from sightline.db import Transaction
from sightline.live import numbers_of, place_of
from sightline.security.events import Event

STREAM = "events"


async def in_callers_numbers(tx: Transaction, events: Sequence[Event]) -> list[Event]:
    """The events with the numbers that the transaction's caller sees on the feed; none once the feed no longer keeps them."""
    places = [event.sequence for event in events if event.sequence is not None]
    numbers = await numbers_of(tx, STREAM, places)
    return [
        replace(event, sequence=None if event.sequence is None else numbers.get(event.sequence)) for event in events
    ]


async def place_after(tx: Transaction, number: int | None) -> int | None:
    """Where in the stream the caller's events after a number begin."""
    return None if number is None else await place_of(tx, STREAM, number)
