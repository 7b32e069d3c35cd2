"""Revision of an event by further sightings: what the event says now, and whether that is a new version. Pure."""

from dataclasses import dataclass, replace

from sightline.security.assessment.assessor import MAX_REASONING_LENGTH, Assessment
from sightline.security.assessment.findings import Findings
from sightline.security.assessment.risk import ACK_FROM_RISK_SCORE
from sightline.security.assessment.rules import without_direction
from sightline.security.events.event import Event


@dataclass(frozen=True, slots=True)
class Revision:
    assessment: Assessment
    is_new_version: bool
    """People should notice: the risk, the summary, or what, where and how it was seen has changed."""
    is_change: bool


def with_notes(reasoning: str, event: Event) -> str:
    """The reasoning with what enrichment has found out about the event."""
    missing = [note for note in event.notes if note not in reasoning]
    return " ".join([reasoning, *missing])[:MAX_REASONING_LENGTH]


def revise(event: Event, findings: Findings, by_rules: Assessment, *, is_final: bool) -> Revision:
    """The rules speak again while only they have spoken. What a model has refined they can raise, and nothing else."""
    by_rules = replace(by_rules, reasoning=with_notes(by_rules.reasoning, event))
    if event.assessor == "rules":
        # A critical event was announced as one; the database refuses to lower it too.
        is_lowered = event.risk_score >= ACK_FROM_RISK_SCORE and by_rules.score < event.risk_score
        assessment = replace(by_rules, score=event.risk_score) if is_lowered else by_rules
    elif by_rules.score > event.risk_score:
        assessment = by_rules
    else:
        assessment = Assessment(event.risk_score, event.summary, event.reasoning, event.assessor, event.model)
    best = findings.best_picture
    seen = (
        sorted(findings.counts),
        [zone.name for zone in findings.touched_zones()],
        sorted({one.kind for one in findings.behaviours()}),
    )
    substance = (
        assessment.score != event.risk_score
        or without_direction(assessment.summary) != without_direction(event.summary)
        or seen != (list(event.object_types), list(event.zones), list(event.behaviours))
        or (event.picture_key is None and best is not None)
    )
    rest = (
        (assessment.reasoning, assessment.summary) != (event.reasoning, event.summary)
        or event.ended_at is None
        or findings.ended_at > event.ended_at
        or findings.started_at < event.started_at
        or (best is not None and best.image_key != event.picture_key)
    )
    is_open = event.resolved_at is None
    return Revision(assessment, is_open and (substance or (is_final and rest)), substance or rest)
