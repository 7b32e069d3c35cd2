"""How the platform on a state directory is."""

import http.client
import json
from typing import Any
from urllib.parse import urlsplit

import typer

from sightline.cli.options import AsJson, StateDir, state_directory
from sightline.state_directory import Holder, StateDirectory

NOT_RUNNING = 3  # what service managers expect for "not running"
ANSWERS_WITHIN_S = 15.0  # each part has 3 s to say how it is; a machine with much to do needs some for the rest


def register(app: typer.Typer) -> None:
    @app.command()
    def status(state_dir: StateDir = None, as_json: AsJson = False) -> None:
        """Show how the platform is: exit code 0 well, 1 not well, 3 not running."""
        directory = state_directory(state_dir)
        holder = directory.holder()
        if holder is None:
            if as_json:
                typer.echo(json.dumps({"state": "stopped", "state_dir": str(directory.path)}))
            else:
                typer.echo(f"No platform is running on {directory.path}")
            raise typer.Exit(NOT_RUNNING)
        health = _ask_health(holder)
        is_well = holder.is_well and health.get("status") == "ok"
        if as_json:
            typer.echo(
                json.dumps(
                    {
                        "state": "well" if is_well else "not well",
                        "state_dir": str(directory.path),
                        "pid": holder.pid,
                        "address": holder.address,
                        "started_at": holder.started_at,
                        "services": list(holder.services),
                        "health": health,
                    }
                )
            )
        else:
            _print(directory, holder, health)
        raise typer.Exit(0 if is_well else 1)


def _ask_health(holder: Holder) -> dict[str, Any]:
    """Asked of the platform itself: what it wrote down may be older than what is true now."""
    if not holder.address:
        return {"status": "unavailable", "error": "it is just starting"}
    # The library that other commands ask with takes as long to load as all that is done here.
    connection = http.client.HTTPConnection(urlsplit(holder.address).netloc, timeout=ANSWERS_WITHIN_S)
    try:
        connection.request("GET", "/api/health?deep=true")
        found: dict[str, Any] = json.loads(connection.getresponse().read())
    except (OSError, http.client.HTTPException, ValueError) as error:
        return {"status": "unavailable", "error": str(error) or type(error).__name__}
    finally:
        connection.close()
    return found


def _print(directory: StateDirectory, holder: Holder, health: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    console.print(f"Sightline at {holder.address or '(starting)'}, pid {holder.pid}, since {holder.started_at}")
    console.print(f"State directory {directory.path}", soft_wrap=True)
    table = Table(box=None, pad_edge=False)
    for column in ("service", "state", "since", "restarts", "last error"):
        table.add_column(column)
    for service in holder.services:
        colour = "green" if service["state"] == "running" else "red"
        table.add_row(
            service["name"],
            f"[{colour}]{service['state']}[/]",
            service["since"],
            str(service["restarts"]),
            service["last_error"] or "",
        )
    console.print(table)
    for part, found in (health.get("parts") or {}).items():
        colour = "green" if found["status"] == "ok" else "red"
        console.print(f"{part}: [{colour}]{found['status']}[/] {found.get('error') or ''}")
    if "error" in health:
        console.print(f"[red]the API does not answer: {health['error']}[/]")
