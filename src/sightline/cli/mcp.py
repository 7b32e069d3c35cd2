"""The MCP server on standard input and output, as assistants start it."""

import asyncio
import sys
from contextlib import suppress
from typing import Annotated

import typer

from sightline.cli.options import StateDir, running_address
from sightline.client import AsyncSightline
from sightline.mcp import ChangingTools, McpServer, ReadingTools, serve_stdio

MAX_ATTEMPTS = 3
"""An assistant is told soon that the platform is away, rather than left waiting."""


def register(app: typer.Typer) -> None:
    app.command("mcp")(mcp_command)


def mcp_command(
    server: Annotated[
        str | None, typer.Option("--server", help="Address of the platform. Unset: the one on the state directory.")
    ] = None,
    token: Annotated[
        str | None,
        typer.Option("--token", envvar="SIGHTLINE_TOKEN", help="API key or bearer token, where one is needed."),
    ] = None,
    allow_changes: Annotated[
        bool, typer.Option("--allow-changes", help="Let the assistant acknowledge events and upload videos, too.")
    ] = False,
    state_dir: StateDir = None,
) -> None:
    """Serve assistants by the Model Context Protocol on standard input and output."""
    address = server or running_address(state_dir)
    if sys.stdin.isatty():
        typer.echo(
            f"Serving {address} by MCP; an assistant starts this command (docs/mcp.md). Ctrl-C ends it.", err=True
        )
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(address, token, is_changing=allow_changes))


async def _serve(address: str, token: str | None, *, is_changing: bool) -> None:
    async with AsyncSightline(address, token=token, max_attempts=MAX_ATTEMPTS) as client:
        tools = ReadingTools(client).tools() + (ChangingTools(client).tools() if is_changing else [])
        await serve_stdio(McpServer(tools), sys.stdin.buffer, sys.stdout.buffer)
