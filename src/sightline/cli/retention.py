"""Retention: applying the rules now, or listing what they would remove."""

import json
from dataclasses import asdict
from typing import Annotated

import typer

from sightline.bootstrap import Platform
from sightline.byte_sizes import bytes_text
from sightline.cli.connect import with_platform
from sightline.cli.options import AsJson, StateDir
from sightline.cli.output.tables import new_table, print_table
from sightline.retention import RetentionRule, RuleOutcome, retention_rules


def register(app: typer.Typer) -> None:
    app.command()(retention)


def retention(
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Change nothing; print what would be removed now.")
    ] = False,
    as_json: AsJson = False,
    state_dir: StateDir = None,
) -> None:
    """Apply the retention rules now; --dry-run prints what they would remove.

    A running platform does so by itself every hour.
    """

    async def work(platform: Platform) -> tuple[list[RetentionRule], list[RuleOutcome]]:
        outcomes = await (platform.retention.preview() if dry_run else platform.retention.sweep())
        settings = platform.settings
        return retention_rules(settings.retention, clip_keep_days=settings.media.clip_keep_days), outcomes

    rules, outcomes = with_platform(state_dir, work)
    if as_json:
        typer.echo(json.dumps({"dry_run": dry_run, "rules": [asdict(one) for one in outcomes]}))
        return
    count = "would be removed" if dry_run else "removed"
    table = new_table("rule", "days", "max size", count, "size", right=("days", "max size", count, "size"))
    for rule, outcome in zip(rules, outcomes, strict=True):
        if rule.is_in_force:
            table.add_row(
                rule.name.replace("_", " "),
                "–" if rule.days is None else f"{rule.days:g}",
                "–" if rule.max_bytes is None else bytes_text(rule.max_bytes),
                str(outcome.count),
                "–" if outcome.bytes is None else bytes_text(outcome.bytes),
            )
    print_table(table)
    if dry_run:
        for outcome in outcomes:
            for item in outcome.items:
                typer.echo(f"{outcome.rule}: {item}")
