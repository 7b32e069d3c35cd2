"""How well this system can confine work on untrusted files, and what it lacks."""

import os
from dataclasses import dataclass
from pathlib import Path

from sightline.errors import PermanentFailure
from sightline.jobs.confinement.code_paths import code_paths
from sightline.jobs.confinement.landlock import landlock_version
from sightline.jobs.confinement.namespaces import closed_above, may_mount
from sightline.jobs.confinement.seccomp import has_seccomp
from sightline.linux import has_capabilities

ACCEPTING_SETTING = "SIGHTLINE_MEDIA_ALLOW_UNCONFINED"
_CAP_CHOWN, _CAP_SETGID, _CAP_SETUID = 0, 6, 7


class ConfinementMissing(PermanentFailure):
    """Work on an untrusted file was refused, because this system cannot confine it."""

    def __init__(self, missing: tuple[str, ...]) -> None:
        super().__init__(
            f"work on untrusted files is refused, because this system cannot confine it: {'; '.join(missing)}. "
            f"{ACCEPTING_SETTING}=true accepts that",
            details={"missing": list(missing)},
        )


@dataclass(frozen=True, slots=True)
class Confinement:
    landlock: int
    """Its version; 0 without it."""
    has_seccomp: bool
    is_root: bool
    missing: tuple[str, ...]
    """What this system lacks; empty if work can be confined."""

    @property
    def level(self) -> str:
        """In words, for operators."""
        held = [
            *([f"files by Landlock {self.landlock}"] if self.landlock else []),
            *(["system calls by seccomp"] if self.has_seccomp else []),
            *(["user ids of its own"] if self.is_root and not self.missing else []),
        ]
        lacks = f"; missing: {'; '.join(self.missing)}" if self.missing else ""
        return f"{'partly confined' if self.missing else 'confined'}: {', '.join(held) or 'by limits alone'}{lacks}"


def confinement() -> Confinement:
    """Of the calling process's system. Asks the kernel and changes nothing."""
    landlock, seccomp, is_root = landlock_version(), has_seccomp(), os.geteuid() == 0
    missing = [
        *([] if landlock else ["the kernel has no Landlock (Linux 5.13 or later, enabled by lsm=)"]),
        *([] if seccomp else ["the kernel has no seccomp filters, or the processor is neither x86_64 nor aarch64"]),
        *(_missing_for_root() if is_root else []),
    ]
    return Confinement(landlock, seccomp, is_root, tuple(missing))


def need_confinement(*, may_be_unconfined: bool) -> None:
    if not may_be_unconfined and (missing := confinement().missing):
        raise ConfinementMissing(missing)


def _missing_for_root() -> list[str]:
    """Root's children change to other user ids, which must be able to read the code."""
    if not has_capabilities(_CAP_CHOWN, _CAP_SETGID, _CAP_SETUID):
        return [
            "root may not change user ids here (CAP_SETUID, CAP_SETGID, CAP_CHOWN); start Sightline as another user"
        ]
    paths = [path for path in code_paths() if Path(path).exists()]
    if unreadable := [path for path in paths if Path(path).stat().st_mode & 0o005 != 0o005]:
        return [f"others than root cannot read {unreadable[0]}; start Sightline as another user, or chmod -R o+rX it"]
    if not may_mount() and (closed := [path for path in paths if closed_above(path) is not None]):
        return [f"others than root cannot reach {closed[0]}; start Sightline as another user, or install it elsewhere"]
    return []
