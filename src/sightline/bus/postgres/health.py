"""Whether the PostgreSQL bus can do its work: what is said in one transaction is heard by this process."""

import asyncio
import secrets

from sightline.db import Database, Listener
from sightline.errors import BackendUnavailable

CHANNEL = "sightline_bus_health"


async def check_round_trip(database: Database, listener: Listener) -> None:
    """Says a word no one else says and waits to hear it; the caller bounds the time."""
    if not listener.is_connected:
        raise BackendUnavailable("bus", "not listening to the database")
    word = secrets.token_hex(8)
    arrived = asyncio.Event()

    def heard(payload: str) -> None:
        if payload == word:
            arrived.set()

    with listener.subscribe(CHANNEL, heard):
        while True:
            async with database.transaction() as tx:
                await tx.execute("SELECT pg_notify($1, $2)", CHANNEL, word)
            try:
                # Said again if unheard: the first word may come before the server knows that we listen.
                await asyncio.wait_for(arrived.wait(), 0.5)
            except TimeoutError:
                continue
            return
