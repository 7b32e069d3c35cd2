"""The user at this terminal, and the record of what a command did."""

import getpass
import os
import socket

from sightline.access import AuditEvent, storable
from sightline.bootstrap import Platform


def operator_name() -> str:
    """The user at this terminal, for the history of the job and for the audit log."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError, ImportError):
        name = f"uid {os.getuid()}"
    return f"operator {name}@{socket.gethostname()}"


async def record_command(
    platform: Platform, action: str, target: str | None = None, **details: str | int | bool | None
) -> None:
    """Adds to the audit log what a command changed."""
    await platform.audit.record(
        AuditEvent(
            action,
            via="command line",
            actor=storable(operator_name()),
            target=None if target is None else storable(target),
            details=details,
        )
    )
