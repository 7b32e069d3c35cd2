"""Kinds of values that every request is held to: names without control characters, times that can be computed with."""

from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, AwareDatetime, StringConstraints

FIRST_YEAR, LAST_YEAR = 1900, 2200

# Control characters of ASCII and Latin-1, line separators, and marks that turn the direction of writing: with them a name
# could end a log line early, or be shown as another one.
NO_CONTROL_CHARACTERS = r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]+$"

Name = Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=NO_CONTROL_CHARACTERS)]
FileName = Annotated[str, StringConstraints(min_length=1, max_length=255, pattern=NO_CONTROL_CHARACTERS)]


def _bounded(moment: datetime) -> datetime:
    # At the ends of the calendar a change of time zone overflows, long before a database refuses it.
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise ValueError(f"the year must be from {FIRST_YEAR} to {LAST_YEAR}")
    return moment


Moment = Annotated[AwareDatetime, AfterValidator(_bounded)]
