"""Status of the platform on a state directory."""

import http.client
import json
import os
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import typer

from sightline.cli.options import AsJson, StateDir, state_directory
from sightline.state_directory import Holder, StateDirectory

EXIT_NOT_RUNNING = 3  # what service managers expect for "not running"
HEALTH_TIMEOUT_S = 15.0  # each part has 3 s for its check; a busy machine needs some more


def register(app: typer.Typer) -> None:
    @app.command()
    def status(state_dir: StateDir = None, as_json: AsJson = False) -> None:
        """Show services and health; exit code 0 healthy, 1 unhealthy, 3 not running."""
        directory = state_directory(state_dir)
        holder = directory.holder()
        if holder is None:
            if as_json:
                typer.echo(json.dumps({"state": "stopped", "state_dir": str(directory.path)}))
            else:
                typer.echo(f"No platform is running on {directory.path}")
            raise typer.Exit(EXIT_NOT_RUNNING)
        health = _fetch_health(holder)
        is_healthy = holder.is_healthy and health.get("status") == "ok"
        if as_json:
            typer.echo(
                json.dumps(
                    {
                        "state": "well" if is_healthy else "not well",
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
            _print_status(directory, holder, health)
        raise typer.Exit(0 if is_healthy else 1)


def _fetch_health(holder: Holder) -> dict[str, Any]:
    """Requested from the platform: the status file may be out of date."""
    if not holder.address:
        return {"status": "unavailable", "error": "starting"}
    # httpx takes as long to import as everything else here.
    connection = http.client.HTTPConnection(urlsplit(holder.address).netloc, timeout=HEALTH_TIMEOUT_S)
    try:
        token = os.environ.get("SIGHTLINE_TOKEN")
        headers = {"authorization": f"Bearer {token}"} if token else {}
        connection.request("GET", "/api/health?deep=true", headers=headers)
        response = connection.getresponse()
        content = response.read()
        if response.status == 401:  # strangers learn only that the platform is there
            connection.request("GET", "/api/health")
            content = connection.getresponse().read()
        found: dict[str, Any] = json.loads(content)
    except (OSError, http.client.HTTPException, ValueError) as error:
        return {"status": "unavailable", "error": str(error) or type(error).__name__}
    finally:
        connection.close()
    return found


def _print_status(directory: StateDirectory, holder: Holder, health: dict[str, Any]) -> None:
    from rich.console import Console

    from sightline.cli.output.tables import is_narrow, new_table, print_table, time_text

    console = Console()
    console.print(f"Sightline at {holder.address or '(starting)'}, pid {holder.pid}, since {holder.started_at}")
    console.print(f"State directory {directory.path}", soft_wrap=True)
    narrow = is_narrow()
    table = new_table("service", "state", "since", "restarts", "last error", right=("restarts",))
    for service in holder.services:
        colour = "green" if service["state"] == "running" else "red"
        table.add_row(
            service["name"],
            f"[{colour}]{service['state']}[/]",
            time_text(datetime.fromisoformat(service["since"]), narrow=narrow),
            str(service["restarts"]),
            service["last_error"] or "",
        )
    print_table(table, console=console)
    if all(service["state"] == "running" for service in holder.services):
        console.print("[green]All services running[/]")
    for part, found in (health.get("parts") or {}).items():
        colour = "green" if found["status"] == "ok" else "red"
        console.print(f"{part}: [{colour}]{found['status']}[/] {found.get('error') or found.get('detail') or ''}")
    if "error" in health:
        console.print(f"[red]API not responding: {health['error']}[/]")
