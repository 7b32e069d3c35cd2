"""Where claims of a busy queue start to search. Pure."""

import time


class ClaimFloor:
    """The sequence number at which the oldest visible message of a queue was last found: claims of a busy queue start there.

    Messages may still appear below it: committed late, returned, or visible again. So a claim that finds fewer messages than
    requested searches everywhere, and so does one claim per second.
    """

    FULL_SEARCH_EVERY_S = 1.0

    def __init__(self) -> None:
        self._seq = 0
        self._last_full_search = float("-inf")

    def begin_at(self) -> int:
        """The sequence number to start at; 0 searches everywhere."""
        now = time.monotonic()
        if self._seq == 0 or now - self._last_full_search >= self.FULL_SEARCH_EVERY_S:
            self._last_full_search = now
            return 0
        return self._seq

    def learn(self, lowest: int) -> None:
        """Records the lowest sequence number of a full claim; 0 for a claim that found fewer than requested."""
        self._seq = lowest
