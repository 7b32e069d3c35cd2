"""Progress of long commands, stage by stage."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StageProgress:
    stage: str
    done: int = 0
    total: int = 0
    """0: unknown."""


ReportProgress = Callable[[StageProgress], None]
