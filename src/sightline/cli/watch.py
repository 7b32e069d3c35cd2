"""Watching a live stream in the terminal."""

import asyncio
import json
import sys
from contextlib import suppress
from typing import Annotated, Any

import typer

from sightline.cli.options import AsJson, StateDir, running_address
from sightline.client import FeedGap, FeedMessage, LiveClient

_COLOURS = {"critical": "red", "high": "yellow", "medium": "cyan"}


def register(app: typer.Typer) -> None:
    app.command()(watch)


def watch(
    stream: Annotated[str, typer.Argument(help="`events` or `videos`.")] = "events",
    server: Annotated[
        str | None, typer.Option("--server", help="Address of the platform. Unset: the one on the state directory.")
    ] = None,
    token: Annotated[
        str | None, typer.Option("--token", envvar="SIGHTLINE_TOKEN", help="Bearer token, where one is needed.")
    ] = None,
    client_id: Annotated[
        str | None,
        typer.Option(
            "--client-id", help="Name of this device; messages that need confirmation are confirmed under it."
        ),
    ] = None,
    patterns: Annotated[
        list[str] | None, typer.Option("--only", help="Types or topics, such as event or camera.front_door.")
    ] = None,
    limit: Annotated[int | None, typer.Option("--count", min=1, help="Exit after this many messages.")] = None,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Print live events until Ctrl-C; reconnects by itself."""
    address = server or running_address(state_dir)
    with suppress(KeyboardInterrupt):
        asyncio.run(_watch(address, stream, token, client_id, tuple(patterns or ()), limit, as_json=as_json))


async def _watch(
    address: str,
    stream: str,
    token: str | None,
    client_id: str | None,
    patterns: tuple[str, ...],
    limit: int | None,
    *,
    as_json: bool,
) -> None:
    seen = 0
    async with LiveClient(address, stream, token=token, client_id=client_id, patterns=patterns) as feed:
        async for item in feed:
            typer.echo(json.dumps(_plain(item)) if as_json else line(item, is_terminal=sys.stdout.isatty()))
            seen += isinstance(item, FeedMessage)
            if limit is not None and seen >= limit:
                return


def line(item: FeedMessage | FeedGap, *, is_terminal: bool = False) -> str:
    """The item as one line of text."""
    if isinstance(item, FeedGap):
        return f"-- messages were missed ({item.reason}); reload from {item.resync}"
    data = item.data
    about = data.get("summary") or data.get("status") or data.get("state") or ""
    parts = [f"{item.sequence:>6}", item.type]
    if "risk_score" in data:
        parts.append(f"{data.get('risk_level')} {data['risk_score']}")
    parts += [str(value) for value in (data.get("camera_id") or data.get("videoId"), about) if value]
    text = "  ".join(parts)
    colour = _COLOURS.get(str(data.get("risk_level")))
    return typer.style(text, fg=colour) if is_terminal and colour else text


def _plain(item: FeedMessage | FeedGap) -> dict[str, Any]:
    if isinstance(item, FeedGap):
        return {"type": "gap", "reason": item.reason, "resync": item.resync}
    return {"type": item.type, "sequence": item.sequence, "data": dict(item.data), "replay": item.is_replay}
