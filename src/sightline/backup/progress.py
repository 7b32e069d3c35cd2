"""Progress of a backup or a restore."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BackupProgress:
    stage: str
    done: int = 0
    total: int = 0
    """0: unknown."""


ReportProgress = Callable[[BackupProgress], None]
