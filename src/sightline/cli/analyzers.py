"""The analyzers of techniques that jobs can ask for."""

import json

import typer
from rich.console import Console
from rich.table import Table

from sightline.cli.options import AsJson, StateDir, read_settings
from sightline.techniques import default_analyzer, installed_analyzers


def register(app: typer.Typer) -> None:
    @app.command()
    def analyzers(
        state_dir: StateDir = None,
        as_json: AsJson = False,
    ) -> None:
        """List the installed analyzers of techniques; packages add theirs by the entry point `sightline.analyzers`."""
        usual = default_analyzer(read_settings(state_dir).settings.techniques)
        found = [
            {"name": one.name, "package": one.source, "about": one.about, "is_usual": one.name == usual}
            for one in installed_analyzers().values()
        ]
        if as_json:
            typer.echo(json.dumps(found))
            return
        table = Table(box=None, pad_edge=False)
        for column in ("analyzer", "package", "what it is", ""):
            table.add_column(column, overflow="fold")
        for one in found:
            table.add_row(str(one["name"]), str(one["package"]), str(one["about"]), "usual" if one["is_usual"] else "")
        Console().print(table)
