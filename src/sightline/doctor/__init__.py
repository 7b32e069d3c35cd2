"""The usual misconfigurations, and how to mend each: what `sightline doctor` looks at."""

import asyncio

from sightline.config import Settings
from sightline.doctor.database import examine_database
from sightline.doctor.diagnosis import Diagnosis, Examination, Level, worst
from sightline.doctor.machine import examine_machine
from sightline.doctor.models import examine_models
from sightline.doctor.services import (
    examine_account,
    examine_address,
    examine_mail,
    examine_objects,
    examine_secrets,
    examine_sign_in,
)

__all__ = ["EXAMINATIONS", "Diagnosis", "Level", "examine", "worst"]

EXAMINATIONS: tuple[Examination, ...] = (
    examine_machine,
    examine_database,
    examine_objects,
    examine_account,
    examine_secrets,
    examine_mail,
    examine_sign_in,
    examine_address,
    examine_models,
)


async def examine(settings: Settings) -> list[Diagnosis]:
    """All findings, in the order in which they are best read. Nothing is changed, stored or sent."""
    found = await asyncio.gather(*(one(settings) for one in EXAMINATIONS))
    return [finding for some in found for finding in some]
