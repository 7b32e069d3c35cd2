"""The effective settings, and where each came from."""

import json
from typing import Annotated, Any

import typer
from pydantic import SecretStr
from rich.console import Console
from rich.table import Table

from sightline.cli.options import AsJson, StateDir, read_settings
from sightline.config import Setting


def register(app: typer.Typer) -> None:
    @app.command()
    def config(
        state_dir: StateDir = None,
        as_json: AsJson = False,
        describe: Annotated[bool, typer.Option("--describe", help="Say what each setting means.")] = False,
    ) -> None:
        """Print the effective settings with where each came from; secrets stay hidden."""
        found = read_settings(state_dir).explain()
        if as_json:
            typer.echo(json.dumps({s.name: {"value": _shown(s), "source": s.source} for s in found}, default=str))
            return
        table = Table(box=None, pad_edge=False)
        for column in ("setting", "value", "from", *(("meaning",) if describe else ())):
            table.add_column(column, overflow="fold")
        for setting in found:
            source = "[dim]default[/]" if setting.source == "default" else setting.source
            table.add_row(setting.name, _text(setting), source, *((setting.description,) if describe else ()))
        Console().print(table)


def _shown(setting: Setting) -> Any:
    value = setting.value
    return str(value) if isinstance(value, SecretStr) else value


def _text(setting: Setting) -> str:
    value = _shown(setting)
    if value is None:
        return ""
    return ", ".join(value) if isinstance(value, tuple) else str(value)
