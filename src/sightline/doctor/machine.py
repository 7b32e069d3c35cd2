"""This machine: state directory, disk, limits of the system, and how work on untrusted files is confined."""

import asyncio
import os
import resource
import shutil
from pathlib import Path

from sightline.byte_sizes import bytes_text
from sightline.config import Settings
from sightline.doctor.diagnosis import Diagnosis, ok, problem, warning
from sightline.jobs import ACCEPTING_SETTING, confinement

ROOM_BYTES = 5 * 1024**3
"""Less free space than this is soon too little for videos."""
FILES_BESIDE_CONNECTIONS = 256


async def examine_machine(settings: Settings) -> list[Diagnosis]:
    return await asyncio.to_thread(_examine, settings)


def _examine(settings: Settings) -> list[Diagnosis]:
    return [*_state_directory(settings.state_dir.absolute()), _open_files(settings), _sandbox(settings)]


def _state_directory(path: Path) -> list[Diagnosis]:
    part = "state directory"
    if not path.exists():
        parent = next(one for one in path.parents if one.exists())
        if not os.access(parent, os.W_OK | os.X_OK):
            return [
                problem(part, f"{path} cannot be created", fix=f"make {parent} writable, or set SIGHTLINE_STATE_DIR")
            ]
        return [ok(part, f"{path} is created at the first start"), _room(parent)]
    if not os.access(path, os.W_OK | os.X_OK):
        owner = path.stat().st_uid
        return [
            problem(part, f"{path} belongs to user {owner} and is not writable", fix="start Sightline as that user")
        ]
    found = [ok(part, str(path)), _room(path)]
    if path.stat().st_mode & 0o077:
        found.append(warning(part, f"others can look into {path}", fix=f"chmod 700 {path}"))
    return found


def _room(path: Path) -> Diagnosis:
    free = shutil.disk_usage(path).free
    if free < ROOM_BYTES:
        return warning(
            "disk",
            f"{bytes_text(free)} free on the disk of {path}",
            fix="free some space, or let `sightline retention` remove what is old (docs/operations.md)",
        )
    return ok("disk", f"{bytes_text(free)} free")


def _open_files(settings: Settings) -> Diagnosis:
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = settings.api.max_connections + FILES_BESIDE_CONNECTIONS
    if limit < needed:
        return warning(
            "open files",
            f"the limit of {limit} allows fewer connections than SIGHTLINE_API_MAX_CONNECTIONS ({settings.api.max_connections})",
            fix=f"ulimit -n {needed}, or LimitNOFILE={needed} in the unit of systemd",
        )
    return ok("open files", f"limit {limit}")


def _sandbox(settings: Settings) -> Diagnosis:
    found = confinement()
    if not found.missing:
        return ok("media sandbox", found.level)
    fix = f"{'; '.join(found.missing)}. {ACCEPTING_SETTING}=true processes videos without it"
    if settings.media.allow_unconfined:
        return warning("media sandbox", "videos are processed without a whole sandbox", fix=fix)
    return problem("media sandbox", "videos are refused, because work on them cannot be confined here", fix=fix)
