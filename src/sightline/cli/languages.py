"""The installed languages for reading text."""

import json

import typer
from rich.console import Console

from sightline.cli.options import AsJson, StateDir, read_settings
from sightline.cli.output.tables import new_table, print_table
from sightline.text import install_hint, installed_engines, installed_languages

DEFAULT_ENGINE = "tesseract"


def register(app: typer.Typer) -> None:
    @app.command()
    def languages(as_json: AsJson = False, state_dir: StateDir = None) -> None:
        """List the languages that Tesseract can read, and how to add one."""
        engine = read_settings(state_dir).settings.text.engine
        found = installed_languages()
        if as_json:
            output = {
                "languages": {name: str(model) for name, model in found.items()},
                "engine": engine,
                "engines": list(installed_engines()),
            }
            typer.echo(json.dumps(output))
            return
        _show({name: str(model) for name, model in found.items()}, engine)


def _show(found: dict[str, str], engine: str) -> None:
    console = Console()
    table = new_table("language", "model")
    for name, model in found.items():
        table.add_row(name, model)
    if found:
        print_table(table, console=console)
    else:
        console.print("No language installed")
    console.print(f"\nTo add one, German for example: {install_hint('deu')}.", markup=False, soft_wrap=True)
    others = ", ".join(name for name in installed_engines() if name != engine)
    console.print(
        f"Text is read by {engine} (SIGHTLINE_TEXT_ENGINE)"
        + (f"; also registered: {others}." if others else ".")
        + ("" if engine == DEFAULT_ENGINE else " It has languages of its own."),
        markup=False,
        soft_wrap=True,
    )
