"""What is wrong with this installation, and how to mend it."""

import asyncio
import json
from dataclasses import asdict

import typer

from sightline.cli.options import AsJson, StateDir, read_settings
from sightline.doctor import Diagnosis, examine, worst
from sightline.observability import configure_logging

_MARKS = {"ok": ("ok", None), "warning": ("note", "yellow"), "problem": ("BAD", "red")}


def register(app: typer.Typer) -> None:
    @app.command()
    def doctor(state_dir: StateDir = None, as_json: AsJson = False) -> None:
        """Look for the usual misconfigurations and say how to mend each; exit code 1 if something will not work."""
        settings = read_settings(state_dir).settings
        configure_logging(settings.observability.model_copy(update={"log_level": "error"}))
        findings = asyncio.run(examine(settings))
        if as_json:
            typer.echo(json.dumps([asdict(one) for one in findings], ensure_ascii=False))
        else:
            for finding in findings:
                _print(finding)
        raise typer.Exit(1 if worst(findings) == "problem" else 0)


def _print(finding: Diagnosis) -> None:
    mark, colour = _MARKS[finding.level]
    typer.secho(f"{mark:<5}", fg=colour, nl=False)
    typer.echo(f"{finding.part}: {finding.text}")
    if finding.fix:
        typer.echo(f"     → {finding.fix}")
