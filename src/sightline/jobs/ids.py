"""Job ids: UUIDs that increase with time, so that new rows are added at one end of the index."""

import time
from os import urandom
from uuid import UUID

_MAX_62 = (1 << 62) - 1

_last_ms = 0
_counter = 0


def new_job_id() -> UUID:
    """A UUID of version 7; ids made by one process in the same millisecond still increase."""
    return new_job_ids(1)[0]


def new_job_ids(count: int) -> list[UUID]:
    """As `new_job_id`, in rising order. Time and randomness are asked for once."""
    global _last_ms, _counter
    now = time.time_ns() // 1_000_000
    random = urandom(8 * count)
    ids = []
    for start in range(0, 8 * count, 8):
        if now > _last_ms:
            _last_ms, _counter = now, random[start]  # a random start leaves room to count and reveals nothing
        else:
            _counter += 1
            if _counter > 0xFFF:
                _last_ms, _counter = _last_ms + 1, 0
        random_62 = int.from_bytes(random[start : start + 8], "big") & _MAX_62
        ids.append(UUID(int=(_last_ms << 80) | (0x7 << 76) | (_counter << 64) | (0b10 << 62) | random_62))
    return ids
