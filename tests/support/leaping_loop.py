"""An event loop for tests whose clock leaps over every pause."""

import asyncio


class LeapingLoop(asyncio.SelectorEventLoop):
    """Its clock leaps to the next timer when there is nothing else to do, so that hours pass at once and exactly."""

    def __init__(self) -> None:
        super().__init__()
        self._now = 0.0

    def time(self) -> float:
        return self._now

    def _run_once(self) -> None:
        if not self._ready and self._scheduled:  # type: ignore[attr-defined] # the base class has them, its types do not
            self._now = max(self._now, self._scheduled[0].when())  # type: ignore[attr-defined]
        super()._run_once()  # type: ignore[misc]
