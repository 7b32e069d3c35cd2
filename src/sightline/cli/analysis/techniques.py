"""Techniques: learning from corrections, and the classifier in use."""

import asyncio
import json
from dataclasses import asdict
from typing import Annotated

import typer

from sightline.bootstrap import Platform
from sightline.cli.connect import with_platform
from sightline.cli.options import AsJson, StateDir, read_settings
from sightline.errors import ConfigurationError
from sightline.techniques.marks import read_corrections
from sightline.techniques.pose import (
    HOW_TO_INSTALL,
    forget_learned,
    installed_poses,
    learned_path,
    open_pose_process,
    packaged_card,
    write_learned,
)
from sightline.techniques.pose.learning import LearnReport, learn, lessons_of

commands = typer.Typer(help="Learn from corrections of techniques, or show the classifier.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(commands, name="techniques")


@commands.command("learn")
def learn_command(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Measure, and change nothing.")] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Go back to the classifier of the package.")] = False,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Learn from the corrections of this installation, and say whether it helped on corrections that were held out.

    What was learned is used by the next analysis, and only if it helped.
    """
    if forget:
        is_there = forget_learned(read_settings(state_dir).settings.state_dir)
        typer.echo("What was learned is forgotten." if is_there else "Nothing was learned here.")
        return

    async def work(platform: Platform) -> LearnReport:
        report = await _learn(platform)
        if report.layer is not None and report.has_helped and not dry_run:
            await asyncio.to_thread(write_learned, learned_path(platform.settings.state_dir), report.layer)
        return report

    report = with_platform(state_dir, work)
    if as_json:
        facts = {key: value for key, value in asdict(report).items() if key != "layer"}
        typer.echo(json.dumps(facts | {"dry_run": dry_run}))
        return
    typer.echo(report.summary)


@commands.command("model")
def model_command() -> None:
    """Print the card of the classifier as JSON: data, split, accuracy, confusion, calibration and limits."""
    typer.echo(json.dumps(packaged_card().content, indent=1, ensure_ascii=False))


async def _learn(platform: Platform) -> LearnReport:
    settings = platform.settings
    # Without what was learned before: lessons are about the classifier of the package.
    installed = installed_poses(settings.state_dir, with_learned=False)
    if installed is None:
        raise ConfigurationError(HOW_TO_INSTALL)
    unconfined = settings.media.allow_unconfined
    async with open_pose_process(installed.files, settings.vision, may_be_unconfined=unconfined) as process:
        async with platform.database.transaction() as tx:
            corrections = [one async for one in read_corrections(tx)]
        lessons, unusable = await lessons_of(corrections, platform.objects, process)
    return await asyncio.to_thread(learn, lessons, classifier_sha256=installed.card.sha256, unusable=unusable)
