"""Schedule expressions as EventBridge writes them: rate(), cron() with six fields, at(). Pure."""

import re
from calendar import SATURDAY, SUNDAY, monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cronsim import CronSim, CronSimError

from sightline.errors import InvalidInput

YEARS = (1970, 2199)

_FORM = re.compile(r"(rate|cron|at)\((.*)\)", re.DOTALL)
_RATE = re.compile(r"([1-9]\d{0,8}) (minute|minutes|hour|hours|day|days)")
_AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
_NEAREST = re.compile(r"([1-9]|[12]\d|3[01])W")
_UNITS = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1), "day": timedelta(days=1)}
_REACHES = (timedelta(hours=1), timedelta(days=1), timedelta(days=31), timedelta(days=366))


class Ticks(Protocol):
    """When a schedule is due."""

    def next_after(self, moment: datetime) -> datetime | None:
        """The first tick after the moment; None if there are no more."""

    def latest(self, *, after: datetime, until: datetime) -> datetime | None:
        """The last tick in the span, or None."""


@dataclass(frozen=True, slots=True)
class RateExpression:
    every: timedelta
    anchor: datetime

    def next_after(self, moment: datetime) -> datetime | None:
        passed = (moment - self.anchor) // self.every if moment >= self.anchor else -1
        return self.anchor + (max(passed, 0) + 1) * self.every

    def latest(self, *, after: datetime, until: datetime) -> datetime | None:
        ticks = (until - self.anchor) // self.every
        tick = self.anchor + ticks * self.every
        return tick if ticks >= 1 and tick > after else None


@dataclass(frozen=True, slots=True)
class AtExpression:
    moment: datetime

    def next_after(self, moment: datetime) -> datetime | None:
        return self.moment if self.moment > moment else None

    def latest(self, *, after: datetime, until: datetime) -> datetime | None:
        return self.moment if after < self.moment <= until else None


@dataclass(frozen=True, slots=True)
class CronExpression:
    fields: str
    """Five, as cronsim reads them."""
    years: frozenset[int] | None
    zone: ZoneInfo
    nearest_to: int | None = None
    """Day of the month whose nearest weekday is meant; None where `fields` name the days."""

    def next_after(self, moment: datetime) -> datetime | None:
        return next(self._ticks(moment), None)

    def latest(self, *, after: datetime, until: datetime) -> datetime | None:
        # Searched near the end first: after a long downtime a frequent schedule has very many ticks.
        for reach in (*_REACHES, until - after):
            found = None
            for tick in self._ticks(max(after, until - reach)):
                if tick > until:
                    break
                found = tick
            if found is not None:
                return found
        return None

    def _ticks(self, after: datetime) -> Iterator[datetime]:
        last_year = YEARS[1] if self.years is None else max(self.years)
        start = after
        if self.years is not None and start.astimezone(self.zone).year < min(self.years):
            start = datetime(min(self.years), 1, 1, tzinfo=self.zone) - timedelta(seconds=1)
        for tick in self._local_ticks(start.astimezone(self.zone), last_year):
            if tick.year > last_year:
                return
            if self.years is None or tick.year in self.years:
                yield tick.astimezone(UTC)

    def _local_ticks(self, start: datetime, last_year: int) -> Iterator[datetime]:
        try:
            if self.nearest_to is None:
                yield from CronSim(self.fields, start)
                return
            for day in _nearest_weekdays(self.nearest_to, start.date(), last_year):
                before = datetime.combine(day, time(), self.zone) - timedelta(seconds=1)
                for tick in CronSim(self.fields, max(start, before)):
                    if tick.date() != day:
                        break
                    yield tick
        except CronSimError:
            return


def parse_schedule(expression: str, zone: str, *, anchor: datetime) -> Ticks:
    """The ticks, or `InvalidInput` with the reason. `anchor` is what rate() counts from."""
    try:
        clock = ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InvalidInput(f"unknown time zone {zone!r}; use a name such as Europe/Berlin") from None
    form = _FORM.fullmatch(expression.strip())
    if form is None:
        raise _bad(expression, "use rate(), cron() or at()")
    match form[1]:
        case "rate":
            return RateExpression(_rate(expression, form[2].strip()), anchor)
        case "at":
            return AtExpression(_at(expression, form[2].strip(), clock))
    return _cron(expression, form[2].split(), clock)


def _rate(expression: str, text: str) -> timedelta:
    found = _RATE.fullmatch(text)
    if found is None or (found[1] == "1") == found[2].endswith("s"):
        raise _bad(
            expression, "rate(1 hour), rate(24 hours): a number and minute, hour or day, in its plural from two on"
        )
    try:
        return int(found[1]) * _UNITS[found[2].removesuffix("s")]
    except OverflowError:
        raise _bad(expression, "the interval is too long") from None


def _at(expression: str, text: str, zone: ZoneInfo) -> datetime:
    try:
        if not _AT.fullmatch(text):
            raise ValueError(text)
        return datetime.fromisoformat(text).replace(tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError):
        raise _bad(expression, "at(yyyy-mm-ddThh:mm:ss), without an offset") from None


def _cron(expression: str, fields: list[str], zone: ZoneInfo) -> CronExpression:
    if len(fields) != 6:
        raise _bad(expression, "cron has six fields: minutes, hours, day of month, month, day of week, year")
    minutes, hours, day, month, weekday, year = fields
    if (day == "?") == (weekday == "?"):
        raise _bad(expression, "one of day of month and day of week is ?, and only one")
    try:
        years = None if year == "*" else _years(year)
        nearest_to = int(found[1]) if (found := _NEAREST.fullmatch(day)) else None
        days = "*" if nearest_to is not None else day.replace("?", "*")
        five = " ".join((minutes, hours, days, month, _weekdays(weekday)))
        made = CronExpression(five, years, zone, nearest_to)
        CronSim(five, datetime(2024, 1, 1, tzinfo=zone))
    except (CronSimError, ValueError) as error:
        raise _bad(expression, str(error)) from None
    return made


def _years(text: str) -> frozenset[int]:
    found: set[int] = set()
    for part in text.split(","):
        span, _, step = part.partition("/")
        first, _, last = (f"{YEARS[0]}-{YEARS[1]}" if span == "*" else span).partition("-")
        end = int(last or (YEARS[1] if step else first))
        if not YEARS[0] <= int(first) <= end <= YEARS[1] or (step and int(step) < 1):
            raise ValueError(f"years are from {YEARS[0]} to {YEARS[1]}")
        found.update(range(int(first), end + 1, int(step or 1)))
    return frozenset(found)


def _nearest_weekdays(day: int, start: date, last_year: int) -> Iterator[date]:
    """The weekday nearest to a day of each month, in the same month; months without that day have none."""
    year, month = start.year, start.month
    while year <= last_year:
        last = monthrange(year, month)[1]
        if day <= last:
            found = date(year, month, day)
            if found.weekday() == SATURDAY:
                found += timedelta(days=-1 if day > 1 else 2)
            elif found.weekday() == SUNDAY:
                found += timedelta(days=1 if day < last else -2)
            if found >= start:
                yield found
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)


def _weekdays(text: str) -> str:
    """AWS counts from Sunday as 1, cron from Sunday as 0; names are the same."""
    if text == "?":
        return "*"
    if text == "L":
        return "6"

    def shifted(found: re.Match[str]) -> str:
        number = int(found[0])
        if not 1 <= number <= 7:
            raise ValueError("days of the week are 1 (Sunday) to 7")
        return str(number - 1)

    parts = []
    for part in text.split(","):
        days, mark, rest = next((part.partition(mark) for mark in "#/" if mark in part), (part, "", ""))
        parts.append(re.sub(r"\d+", shifted, days) + mark + rest)
    return ",".join(parts)


def _bad(expression: str, why: str) -> InvalidInput:
    return InvalidInput(f"{expression[:200]!r} is not a schedule: {why}")
