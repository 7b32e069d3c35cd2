"""Correlation: the ids that connect the log lines, jobs and messages of one request."""

import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import copy_context

import structlog
from structlog.contextvars import STRUCTLOG_KEY_PREFIX

CORRELATION_HEADER = "x-correlation-id"

_ACCEPTED = re.compile(r"[A-Za-z0-9._:/+=@-]{1,128}")


def correlation_id() -> str | None:
    """The current correlation id, if there is one."""
    found = structlog.contextvars.get_contextvars().get("correlation_id")
    return None if found is None else str(found)


def accept_correlation_id(offered: str | None) -> str:
    """The id that a caller sent, if it is valid in logs and headers; otherwise a new one."""
    if offered and _ACCEPTED.fullmatch(offered):
        return offered
    return str(uuid.uuid4())


def fresh_work_context(**ids: object) -> None:
    """From here on, log lines of this task have these ids and no others."""
    # Both clearing and binding, in one pass over what the task has: thousands of jobs per second pay for it.
    for variable in copy_context():
        if variable.name.startswith(STRUCTLOG_KEY_PREFIX):
            value = ids.pop(variable.name.removeprefix(STRUCTLOG_KEY_PREFIX), None)
            variable.set(... if value is None else value)
    if ids:
        structlog.contextvars.bind_contextvars(**{name: value for name, value in ids.items() if value is not None})


@contextmanager
def work_context(**ids: str | None) -> Iterator[None]:
    """Inside the block, every log line has these ids."""
    with structlog.contextvars.bound_contextvars(**{name: value for name, value in ids.items() if value is not None}):
        yield
