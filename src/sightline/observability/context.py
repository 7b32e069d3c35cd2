"""The ids that tie log lines, jobs and messages of one piece of work together."""

import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

CORRELATION_HEADER = "x-correlation-id"

_ACCEPTED = re.compile(r"[A-Za-z0-9._:/+=@-]{1,128}")


def correlation_id() -> str | None:
    """The id of the work at hand, if there is one."""
    found = structlog.contextvars.get_contextvars().get("correlation_id")
    return None if found is None else str(found)


def accept_correlation_id(offered: str | None) -> str:
    """What a caller offered, if it is fit to stand in logs and headers; otherwise a new one."""
    if offered and _ACCEPTED.fullmatch(offered):
        return offered
    return str(uuid.uuid4())


def fresh_work_context(**ids: object) -> None:
    """From here on, log lines of this task carry these ids and no others."""
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(**{name: value for name, value in ids.items() if value is not None})


@contextmanager
def work_context(**ids: str | None) -> Iterator[None]:
    """Inside, every log line carries these ids."""
    with structlog.contextvars.bound_contextvars(**{name: value for name, value in ids.items() if value is not None}):
        yield
