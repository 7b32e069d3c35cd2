"""The bar that the command line shows while it downloads; nothing where standard error is no terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def download_bar(title: str, total_bytes: int) -> Iterator[Callable[[int, int], None]]:
    """Gives what takes the bytes so far and the bytes in all."""
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(title, total=total_bytes)
        yield lambda done, total: progress.update(task, completed=done, total=total)
