"""The installed technique analyzers."""

import json

import typer

from sightline.cli.options import AsJson, StateDir, read_settings
from sightline.cli.output.tables import new_table, print_table
from sightline.techniques import default_analyzer, installed_analyzers


def register(app: typer.Typer) -> None:
    @app.command()
    def analyzers(
        state_dir: StateDir = None,
        as_json: AsJson = False,
    ) -> None:
        """List the installed technique analyzers; packages add theirs with the entry point `sightline.analyzers`."""
        settings = read_settings(state_dir).settings
        usual = default_analyzer(settings.techniques, state_dir=settings.state_dir)
        found = [
            {"name": one.name, "package": one.source, "about": one.about, "is_usual": one.name == usual}
            for one in installed_analyzers().values()
        ]
        if as_json:
            typer.echo(json.dumps(found))
            return
        table = new_table("analyzer", "package", "description", "")
        for one in found:
            table.add_row(
                str(one["name"]), str(one["package"]), str(one["about"]), "default" if one["is_usual"] else ""
            )
        print_table(table)
