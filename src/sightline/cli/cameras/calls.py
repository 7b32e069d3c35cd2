"""Calls of the API by the commands for cameras."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

import httpx
import typer

from sightline.cli.options import running_address
from sightline.client import ApiClient

Server = Annotated[str | None, typer.Option(help="Address of the platform; default: the one on the state directory.")]
Token = Annotated[str | None, typer.Option(envvar="SIGHTLINE_TOKEN", help="API key or token.")]


def call_api(
    server: str | None, token: str | None, state_dir: Path | None, method: str, path: str, **options: Any
) -> Any:
    async def call() -> Any:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        base = server or running_address(state_dir)
        async with httpx.AsyncClient(base_url=base, timeout=60.0) as http:
            api = ApiClient(http, headers=headers, sign_in_hint="pass --token or set SIGHTLINE_TOKEN")
            return await api.call(method, path, **options)

    return asyncio.run(call())
