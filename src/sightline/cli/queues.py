"""Queues: how many messages wait, are being processed, and are dead letters."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer
from rich.live import Live
from rich.table import Table

from sightline.api.answers.queues import QueueAnswer, QueuesAnswer
from sightline.bootstrap import Platform
from sightline.bus import queue_overview
from sightline.cli.connect import with_platform
from sightline.cli.options import AsJson, StateDir
from sightline.cli.output.durations import duration_text
from sightline.cli.output.tables import new_table, print_table

WATCH_EVERY_S = 2.0


def register(app: typer.Typer) -> None:
    @app.command()
    def queues(
        state_dir: StateDir = None,
        as_json: AsJson = False,
        is_watching: Annotated[bool, typer.Option("--watch", help="Refresh until Ctrl-C.")] = False,
    ) -> None:
        """Show every queue: waiting and in-flight messages, and dead letters."""
        if is_watching:
            _watch(state_dir, as_json=as_json)
            return
        found = with_platform(state_dir, count_messages)
        if as_json:
            typer.echo(found.model_dump_json())
        else:
            print_table(queues_table(found.queues))


async def count_messages(platform: Platform) -> QueuesAnswer:
    rows = queue_overview(platform.bus.topology, await platform.bus.counts())
    return QueuesAnswer(queues=[QueueAnswer.of(row) for row in rows])


def _watch(state_dir: Path | None, *, as_json: bool) -> None:
    """Prints a line of JSON each time, or redraws one table."""

    async def print_lines(platform: Platform) -> None:
        while True:
            typer.echo((await count_messages(platform)).model_dump_json())
            await asyncio.sleep(WATCH_EVERY_S)

    async def redraw(platform: Platform) -> None:
        with Live(queues_table((await count_messages(platform)).queues), auto_refresh=False) as live:
            while True:
                await asyncio.sleep(WATCH_EVERY_S)
                live.update(queues_table((await count_messages(platform)).queues), refresh=True)

    try:
        with_platform(state_dir, print_lines if as_json else redraw)
    except KeyboardInterrupt:
        return  # Ctrl-C is how watching ends


def queues_table(queues: list[QueueAnswer]) -> Table:
    numbers = ("visible", "in flight", "delayed", "oldest", "dead letters")
    table = new_table("queue", *numbers, right=numbers)
    for queue in queues:
        age = "" if queue.oldest_age_s is None else duration_text(queue.oldest_age_s)
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
