"""Languages of text on screen: listing, adding and removing them."""

import asyncio
import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from sightline.cli.models.download_bar import download_bar
from sightline.cli.options import AsJson, StateDir, read_settings
from sightline.cli.output.tables import new_table, print_table
from sightline.config import Settings
from sightline.errors import InvalidInput
from sightline.observability import configure_logging
from sightline.text import (
    AddedLanguage,
    InstalledLanguage,
    KnownLanguage,
    LanguageStore,
    find_language,
    installed_engines,
    models_directory,
    unreadable_languages,
    uses_added_languages,
)

SOURCES = {"environment": "TESSDATA_PREFIX", "added": "added", "installation": "installed with Sightline"}

commands = typer.Typer(
    help="List the languages that text can be read in; add one by name, or remove it.",
    invoke_without_command=True,
)


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="languages")


@commands.callback()
def list_command(
    context: typer.Context,
    available: Annotated[bool, typer.Option("--available", help="Languages that can be added instead.")] = False,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """List the languages that text can be read in; add one by name, or remove it."""
    if (inner := context.invoked_subcommand) is not None:
        if available or as_json or state_dir is not None:
            raise InvalidInput(f"put options after the command: sightline languages {inner} …")
        return
    settings = read_settings(state_dir).settings
    store = _store(settings)
    installed = store.installed()
    addable = [one for one in store.known.values() if one.code not in installed]
    if as_json:
        typer.echo(json.dumps(_listed(settings, installed, addable)))
    elif available:
        _show_available(addable)
    else:
        _show(settings, installed, len(addable))


@commands.command("add")
def add_command(
    names: Annotated[list[str], typer.Argument(metavar="LANGUAGE...", help="Codes or English names, such as por.")],
    file: Annotated[
        Path | None, typer.Option("--from", help="Install this .traineddata file instead of downloading.")
    ] = None,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Download and install languages, verified by their pinned hashes. After a broken download, repeat the command to resume."""
    settings = _quiet_settings(state_dir)
    store = _store(settings)
    if file is not None:
        if len(names) != 1:
            raise InvalidInput("--from installs one file: name one language")
        added = [store.add_file(names[0], file)]
    else:
        # All names are checked before anything is downloaded.
        wanted = [find_language(name, store.known) for name in names]
        added = [asyncio.run(_add(store, language)) for language in wanted]
    if as_json:
        facts = [
            {"code": one.code, "model": str(one.model), "size_bytes": one.size_bytes, "sha256": one.sha256}
            for one in added
        ]
        typer.echo(json.dumps({"added": facts}))
        return
    for one in added:
        typer.echo(f"Installed {one.code}: {one.model} ({_size(one.size_bytes)}, SHA-256 {one.sha256})")
    if unused := [one.code for one in added if one.code not in settings.text.languages]:
        both = ",".join([*settings.text.languages, *unused])
        typer.echo(f"To read new videos in it, set SIGHTLINE_TEXT_LANGUAGES={both} and restart")


@commands.command("remove")
def remove_command(
    code: Annotated[str, typer.Argument(help="The language's code.")], state_dir: StateDir = None
) -> None:
    """Remove a language that was added. Languages installed with Sightline stay."""
    settings = _quiet_settings(state_dir)
    removed = _store(settings).remove(code)
    typer.echo(f"Removed {removed}")
    if code in settings.text.languages and code not in _store(settings).installed():
        typer.echo(f"SIGHTLINE_TEXT_LANGUAGES still names {code}: reading text fails until it is added again", err=True)


async def _add(store: LanguageStore, language: KnownLanguage) -> AddedLanguage:
    with download_bar(f"{language.code} ({language.name})", language.archive_bytes) as progress:
        return await store.add(language, progress)


def _store(settings: Settings) -> LanguageStore:
    return LanguageStore(models_directory(settings.state_dir), settings.text.language_registry)


def _quiet_settings(state_dir: Path | None) -> Settings:
    """The settings, with the log on standard error as the settings want it."""
    settings = read_settings(state_dir).settings
    configure_logging(settings.observability)
    return settings


def _listed(
    settings: Settings, installed: dict[str, InstalledLanguage], addable: list[KnownLanguage]
) -> dict[str, object]:
    return {
        "languages": {code: str(one.model) for code, one in installed.items()},
        "installed": [
            {
                "code": one.code,
                "name": one.name,
                "source": one.source,
                "model": str(one.model),
                "size_bytes": one.size_bytes,
            }
            for one in installed.values()
        ],
        "available": [
            {"code": one.code, "name": one.name, "download_bytes": one.archive_bytes, "size_bytes": one.model_bytes}
            for one in addable
        ],
        "used": list(settings.text.languages),
        "engine": settings.text.engine,
        "engines": list(installed_engines()),
    }


def _show(settings: Settings, installed: dict[str, InstalledLanguage], addable: int) -> None:
    console, engine = Console(), settings.text.engine
    table = new_table("language", "name", "source", "size", "model", right=("size",))
    for one in installed.values():
        table.add_row(one.code, one.name or "–", SOURCES[one.source], _size(one.size_bytes), str(one.model))
    if installed:
        print_table(table, console=console)
    else:
        console.print("No language installed")
    lines = [
        "",
        f"{addable} more can be added: `sightline languages add por`; `sightline languages --available` lists them.",
        f"New videos are read in {', '.join(settings.text.languages)} (SIGHTLINE_TEXT_LANGUAGES).",
    ]
    if missing := unreadable_languages(engine, settings.text.languages, models_directory(settings.state_dir)):
        lines.append(f"Not installed: {', '.join(missing)}. Add with `sightline languages add {' '.join(missing)}`.")
    others = ", ".join(name for name in installed_engines() if name != engine)
    lines.append(
        f"Text is read by {engine} (SIGHTLINE_TEXT_ENGINE)"
        + (f"; also registered: {others}." if others else ".")
        + ("" if uses_added_languages(engine) else " It has languages of its own.")
    )
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _show_available(addable: list[KnownLanguage]) -> None:
    table = new_table("language", "name", "download", "size", right=("download", "size"))
    for one in addable:
        table.add_row(one.code, one.name, _size(one.archive_bytes), _size(one.model_bytes))
    print_table(table)


def _size(size_bytes: int) -> str:
    return f"{size_bytes / 1e6:.1f} MB"
