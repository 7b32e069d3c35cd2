"""Optional enrichment: short notes about a batch, such as plates, faces and words, that the assessment may use."""

from collections.abc import Awaitable, Callable, Sequence

import structlog

from sightline.security.assessment.findings import Findings

Enrich = Callable[[Findings], Awaitable[Sequence[str]]]
"""Returns notes. One that fails is skipped: an event with fewer notes is better than none."""

NOTED_ATTRIBUTES = ("license_plate", "face", "text", "color", "posture")
MAX_NOTES = 20
LONGEST_NOTE = 200

log = structlog.get_logger(__name__)


async def attribute_notes(findings: Findings) -> Sequence[str]:
    """What the detector itself added to its detections."""
    notes: dict[str, None] = {}
    for found in findings.detections:
        for name in NOTED_ATTRIBUTES:
            if (value := found.attributes.get(name)) not in (None, "", [], {}):
                notes[f"{found.object_type}: {name.replace('_', ' ')} {value}"[:LONGEST_NOTE]] = None
    return list(notes)[:MAX_NOTES]


ENRICHERS: tuple[Enrich, ...] = (attribute_notes,)


async def gather_notes(findings: Findings, enrichers: Sequence[Enrich]) -> list[str]:
    notes: list[str] = []
    for enrich in enrichers:
        try:
            notes += await enrich(findings)
        except Exception as error:  # whatever a plug-in meets, the event is created
            log.warning("security.enrichment_failed", batch_id=findings.batch_id, error=str(error))
    return notes[:MAX_NOTES]
