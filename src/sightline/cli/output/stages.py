"""Progress of a command in stages: a bar on a terminal, a line per stage elsewhere."""

import sys
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

from sightline.stage_progress import StageProgress


class StageLines:
    """Called with each progress report, inside its context."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), console=console, transient=True
        )
        self._is_terminal = console.is_terminal
        self._stage: str | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> "StageLines":
        if self._is_terminal:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._is_terminal:
            self._bar.stop()

    def __call__(self, progress: StageProgress) -> None:
        is_new = progress.stage != self._stage
        self._stage = progress.stage
        if not self._is_terminal:
            if is_new:
                print(f"{progress.stage}…", file=sys.stderr, flush=True)
            return
        if is_new or self._task is None:
            self._task = self._bar.add_task(progress.stage, total=progress.total or None)
        self._bar.update(self._task, completed=progress.done, total=progress.total or None)
