"""Confinement of processes that work on untrusted files: what they can reach, and what this system can enforce."""

from sightline.jobs.confinement.sandbox import Sandbox, enter_sandbox
from sightline.jobs.confinement.status import (
    ACCEPTING_SETTING,
    Confinement,
    ConfinementMissing,
    confinement,
    need_confinement,
)

__all__ = [
    "ACCEPTING_SETTING",
    "Confinement",
    "ConfinementMissing",
    "Sandbox",
    "confinement",
    "enter_sandbox",
    "need_confinement",
]
