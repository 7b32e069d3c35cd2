"""The effective settings and their sources."""

import json
from typing import Annotated, Any

import typer
from pydantic import SecretStr

from sightline.cli.options import AsJson, StateDir, read_settings
from sightline.cli.output.tables import new_table, print_table
from sightline.config import Setting


def register(app: typer.Typer) -> None:
    @app.command()
    def config(
        state_dir: StateDir = None,
        as_json: AsJson = False,
        describe: Annotated[bool, typer.Option("--describe", help="Include descriptions.")] = False,
    ) -> None:
        """Print the effective settings and their sources; secrets are masked."""
        found = read_settings(state_dir).explain()
        if as_json:
            typer.echo(json.dumps({s.name: {"value": _shown(s), "source": s.source} for s in found}, default=str))
            return
        table = new_table("setting", "value", "source", *(("description",) if describe else ()))
        for setting in found:
            source = "[dim]default[/]" if setting.source == "default" else setting.source
            table.add_row(setting.name, _text(setting), source, *((setting.description,) if describe else ()))
        print_table(table)


def _shown(setting: Setting) -> Any:
    value = setting.value
    return str(value) if isinstance(value, SecretStr) else value


def _text(setting: Setting) -> str:
    value = _shown(setting)
    if value is None:
        return ""
    return ", ".join(value) if isinstance(value, tuple) else str(value)
