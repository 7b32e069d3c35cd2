"""Queues: how many messages wait, are being processed, and are dead letters."""

import asyncio
import json
from pathlib import Path
from typing import Annotated

import typer
from rich.live import Live

from sightline.api.answers.bus import BusQueueAnswer
from sightline.api.bus import read_topology
from sightline.bootstrap import Platform
from sightline.cli.connect import with_platform
from sightline.cli.options import AsJson, StateDir
from sightline.cli.output.bus import queues_table
from sightline.cli.output.tables import print_table
from sightline.contracts import LOCAL_OWNER

WATCH_EVERY_S = 2.0


def register(app: typer.Typer) -> None:
    @app.command()
    def queues(
        state_dir: StateDir = None,
        as_json: AsJson = False,
        is_watching: Annotated[bool, typer.Option("--watch", help="Refresh until Ctrl-C.")] = False,
    ) -> None:
        """Show every queue, those of clients with their account: waiting and in-flight messages, and dead letters."""
        if is_watching:
            _watch(state_dir, as_json=as_json)
            return
        found = with_platform(state_dir, list_queues)
        if as_json:
            typer.echo(_as_json(found))
        else:
            print_table(queues_table(found))


async def list_queues(platform: Platform) -> list[BusQueueAnswer]:
    return (await read_topology(platform, LOCAL_OWNER, address=platform.public_url)).queues


def _as_json(queues: list[BusQueueAnswer]) -> str:
    return json.dumps({"queues": [queue.model_dump(mode="json") for queue in queues]}, ensure_ascii=False)


def _watch(state_dir: Path | None, *, as_json: bool) -> None:
    """Prints a line of JSON each time, or redraws one table."""

    async def print_lines(platform: Platform) -> None:
        while True:
            typer.echo(_as_json(await _list_again(platform)))
            await asyncio.sleep(WATCH_EVERY_S)

    async def redraw(platform: Platform) -> None:
        with Live(queues_table(await list_queues(platform)), auto_refresh=False) as live:
            while True:
                await asyncio.sleep(WATCH_EVERY_S)
                live.update(queues_table(await _list_again(platform)), refresh=True)

    try:
        with_platform(state_dir, print_lines if as_json else redraw)
    except KeyboardInterrupt:
        return  # Ctrl-C is how watching ends


async def _list_again(platform: Platform) -> list[BusQueueAnswer]:
    """A command runs without a listener, so it reads itself which queues clients created since."""
    if (registry := platform.open_bus.registry) is not None:
        await registry.refresh()
    return await list_queues(platform)
