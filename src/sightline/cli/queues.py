"""What waits in the queues, and how much lies dead."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live
from rich.table import Table

from sightline.api.answers.queues import QueueAnswer, QueuesAnswer
from sightline.bootstrap import Platform
from sightline.bus.dead_letters import overview
from sightline.cli.connect import with_platform
from sightline.cli.options import AsJson, StateDir

WATCH_EVERY_S = 2.0
_UNITS = (("d", 86400), ("h", 3600), ("m", 60), ("s", 1))


def register(app: typer.Typer) -> None:
    @app.command()
    def queues(
        state_dir: StateDir = None,
        as_json: AsJson = False,
        is_watching: Annotated[bool, typer.Option("--watch", help="Look again until Ctrl-C.")] = False,
    ) -> None:
        """Show every queue: what waits, what is being worked on, what lies dead."""
        if is_watching:
            _watch(state_dir, as_json=as_json)
            return
        found = with_platform(state_dir, look)
        if as_json:
            typer.echo(found.model_dump_json())
        else:
            Console().print(table_of(found.queues))


async def look(platform: Platform) -> QueuesAnswer:
    rows = overview(platform.bus.topology, await platform.bus.counts())
    return QueuesAnswer(queues=[QueueAnswer.of(row) for row in rows])


def _watch(state_dir: Path | None, *, as_json: bool) -> None:
    """For machines a line of JSON each time, for people one table that changes."""

    async def print_lines(platform: Platform) -> None:
        while True:
            typer.echo((await look(platform)).model_dump_json())
            await asyncio.sleep(WATCH_EVERY_S)

    async def redraw(platform: Platform) -> None:
        with Live(table_of((await look(platform)).queues), auto_refresh=False) as live:
            while True:
                await asyncio.sleep(WATCH_EVERY_S)
                live.update(table_of((await look(platform)).queues), refresh=True)

    try:
        with_platform(state_dir, print_lines if as_json else redraw)
    except KeyboardInterrupt:
        return  # the way it is meant to end


def table_of(queues: list[QueueAnswer]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("queue", no_wrap=True)
    for column in ("visible", "in flight", "delayed", "oldest", "dead letters"):
        table.add_column(column, justify="right")
    for queue in queues:
        age = "" if queue.oldest_age_s is None else age_text(queue.oldest_age_s)
        dead = f"[bold red]{queue.dead_letters}[/]" if queue.dead_letters else "0"
        table.add_row(
            queue.queue,
            str(queue.visible),
            str(queue.in_flight),
            str(queue.delayed),
            age,
            dead if queue.dead_letter_queue else "–",
        )
    return table


def age_text(seconds: float) -> str:
    """The two largest units: 3d 4h, 12m 5s, 0s."""
    left = max(0, int(seconds))
    parts: list[str] = []
    for unit, size in _UNITS:
        count, left = divmod(left, size)
        if count or parts:
            parts.append(f"{count}{unit}")
    return " ".join(parts[:2]) or "0s"
