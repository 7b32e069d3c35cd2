"""The processes of a fleet: one per role, and the workers by what their jobs need. Pure.

Jobs are grouped by the machine they want: decoding and encoding fill cores, reading and detecting need memory for models,
and the short ones must never wait behind either.
"""

from dataclasses import dataclass
from typing import Literal

from sightline.errors import ConfigurationError

ScaledBy = Literal["requests", "queues", "jobs", "nothing"]

WORKERS = {
    "media": ("transcode", "sample", "clip_generate", "recording_clip"),
    "text": ("ocr", "segment_index", "transcribe", "embed"),
    "analysis": ("analyze", "detect", "detect_recording"),
    "security": ("assess_risk", "refine_risk", "enrich_event", "retention", "person_export", "person_erasure"),
}


@dataclass(frozen=True, slots=True)
class FleetService:
    name: str
    command: tuple[str, ...]
    """Arguments of `sightline`."""
    cpu: int
    """In 1,024ths of a core."""
    memory_mb: int
    scratch_gb: int
    minimum: int
    maximum: int
    scaled_by: ScaledBy
    job_types: tuple[str, ...] = ()

    @property
    def role(self) -> str:
        return self.command[0]

    @property
    def serves_http(self) -> bool:
        return self.role == "api"


def fleet_services() -> tuple[FleetService, ...]:
    return (
        FleetService("api", ("api",), 1024, 2048, 21, 2, 20, "requests"),
        FleetService("consume", ("consume",), 512, 1024, 21, 1, 10, "queues"),
        # One of them works, the others wait for its locks: a second one is there for when a zone fails.
        FleetService("schedule", ("schedule",), 512, 1024, 21, 2, 2, "nothing"),
        *(_workers(name, types) for name, types in WORKERS.items()),
    )


def camera_service() -> FleetService:
    """Watches cameras. It has to run where it reaches them, so no fleet has it unless it is added."""
    return FleetService("cameras", ("cameras",), 2048, 4096, 21, 1, 1, "nothing")


def _workers(name: str, types: tuple[str, ...]) -> FleetService:
    cpu, memory_mb, scratch_gb, minimum = {
        "media": (4096, 8192, 100, 0),
        "text": (2048, 8192, 50, 0),
        "analysis": (2048, 4096, 50, 0),
        "security": (512, 1024, 21, 1),
    }[name]
    command = ("work", "--types", ",".join(types))
    return FleetService(f"work-{name}", command, cpu, memory_mb, scratch_gb, minimum, 40, "jobs", types)


def check_job_types(services: tuple[FleetService, ...], known: tuple[str, ...]) -> None:
    """Every type of job has exactly one kind of worker; otherwise its jobs would wait for ever."""
    covered = [one for service in services for one in service.job_types]
    missing, doubled = set(known) - set(covered), {one for one in covered if covered.count(one) > 1}
    if missing or doubled or set(covered) - set(known):
        raise ConfigurationError(
            f"the workers of the fleet do not cover each job type once: missing {sorted(missing)}, "
            f"twice {sorted(doubled)}, unknown {sorted(set(covered) - set(known))}"
        )
