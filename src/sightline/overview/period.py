"""How far back the overview looks, and into how many columns it cuts that time."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

Period = Literal["1h", "24h", "7d"]

PERIODS: dict[Period, tuple[timedelta, int]] = {
    "1h": (timedelta(minutes=1), 60),
    "24h": (timedelta(minutes=30), 48),
    "7d": (timedelta(hours=3), 56),
}
"""The width of a column, and how many there are."""

_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Span:
    """Columns of equal width, side by side; the last one is still being filled."""

    first: datetime
    step: timedelta
    columns: int

    @property
    def last(self) -> datetime:
        """When the last column begins."""
        return self.first + self.step * (self.columns - 1)

    @property
    def times(self) -> list[datetime]:
        return [self.first + self.step * n for n in range(self.columns)]


def span_of(period: Period, now: datetime) -> Span:
    """Columns begin at full minutes, half hours, or every third hour of UTC: repeated requests return the same columns."""
    step, columns = PERIODS[period]
    last = _EPOCH + step * ((now - _EPOCH) // step)
    return Span(last - step * (columns - 1), step, columns)
