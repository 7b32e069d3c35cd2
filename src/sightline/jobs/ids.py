"""Job ids: UUIDs that increase with time, so that new rows are added at one end of the index."""

import time
from os import urandom
from uuid import UUID

_last_ms = 0
_counter = 0


def new_job_id() -> UUID:
    """A UUID of version 7; ids made by one process in the same millisecond still increase."""
    global _last_ms, _counter
    now = time.time_ns() // 1_000_000
    if now > _last_ms:
        _last_ms, _counter = now, urandom(1)[0]  # a random start leaves room to count and reveals nothing
    else:
        _counter += 1
        if _counter > 0xFFF:
            _last_ms, _counter = _last_ms + 1, 0
    random_62 = int.from_bytes(urandom(8), "big") & ((1 << 62) - 1)
    return UUID(int=(_last_ms << 80) | (0x7 << 76) | (_counter << 64) | (0b10 << 62) | random_62)
