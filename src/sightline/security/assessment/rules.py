"""The assessor without a model: a handful of rules whose points are summed, each named in the reasoning. Pure.

docs/security.md tables the points; a change here is a change there.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sightline.security.assessment.assessor import MAX_REASONING_LENGTH, MAX_SUMMARY_LENGTH, Assessment
from sightline.security.assessment.findings import Findings
from sightline.security.assessment.risk import MAX_SCORE, MIN_SCORE
from sightline.security.object_types import VEHICLES, WEAPON, WEAPONS, points_of

NIGHT_FROM_HOUR, NIGHT_UNTIL_HOUR = 22, 5
LOITERING_S = 60
UNSURE_BELOW = 0.5
MAX_OTHER_CAMERAS = 5
MAX_NAMED_BEHAVIOURS = 3
BEHAVIOUR_POINTS = {"line_crossed": 10, "loitering": 10, "left_behind": 15}
WEAPON_FLOOR = 80
"""A weapon is critical."""


@dataclass(frozen=True, slots=True)
class RulePoints:
    points: int
    because: str
    floor: int = MIN_SCORE
    """The score is at least this, whatever other rules subtract or a model says."""


Rule = Callable[[Findings], Iterator[RulePoints]]


def main_type(findings: Findings) -> str:
    """What the event is about: the kind with the most points, the most frequent of those."""
    counts = findings.counts
    return max(counts, key=lambda kind: (points_of(kind), counts[kind], kind), default="nothing")


def what_was_seen(findings: Findings) -> Iterator[RulePoints]:
    kind = main_type(findings)
    is_certain_weapon = any(
        found.object_type in WEAPONS and found.confidence >= UNSURE_BELOW for found in findings.detections
    )
    yield RulePoints(points_of(kind), f"{kind} seen", WEAPON_FLOOR if is_certain_weapon else MIN_SCORE)


def several_people(findings: Findings) -> Iterator[RulePoints]:
    people = findings.at_once("person")
    if people >= 4:
        yield RulePoints(15, f"{people} people at once")
    elif people >= 2:
        yield RulePoints(10, f"{people} people at once")


def at_night(findings: Findings) -> Iterator[RulePoints]:
    hour = findings.camera.local(findings.started_at).hour
    is_night = hour >= NIGHT_FROM_HOUR or hour < NIGHT_UNTIL_HOUR
    if is_night and (main_type(findings) == "person" or main_type(findings) in VEHICLES | WEAPONS):
        yield RulePoints(20, f"at night ({hour:02d} h)")


def in_zones(findings: Findings) -> Iterator[RulePoints]:
    touched = findings.touched_zones()
    kinds = {zone.kind for zone in touched}
    names = {kind: ", ".join(zone.name for zone in touched if zone.kind == kind) for kind in kinds}
    if "restricted" in kinds:
        yield RulePoints(25, f"in the restricted zone {names['restricted']}")
    elif "entry" in kinds:
        yield RulePoints(10, f"at the entry {names['entry']}")
    elif kinds == {"public"}:
        yield RulePoints(-10, f"only in the public zone {names['public']}")


def staying(findings: Findings) -> Iterator[RulePoints]:
    seconds = findings.longest_stay_s("person")
    is_named = any(one.kind == "loitering" for one in findings.behaviours())
    if seconds >= LOITERING_S and main_type(findings) == "person" and not is_named:
        yield RulePoints(10, f"stayed for {seconds:.0f} s")


def what_tracks_did(findings: Findings) -> Iterator[RulePoints]:
    """Each kind counts once. Entering a zone has no points of its own: the zone's kind has."""
    counted: set[str] = set()
    for one in findings.behaviours():
        yield RulePoints(0 if one.kind in counted else BEHAVIOUR_POINTS.get(one.kind, 0), one.words)
        counted.add(one.kind)


def out_of_the_ordinary(findings: Findings) -> Iterator[RulePoints]:
    baseline = findings.baseline_of(main_type(findings))
    if baseline is None:
        return
    days = f"on {baseline.days_seen} of {baseline.days_watched} days"
    if baseline.is_usual:
        yield RulePoints(-15, f"usual here at this hour ({days})")
    elif baseline.is_rare:
        yield RulePoints(15, f"rare here at this hour ({days})")
    elif baseline.is_known:
        yield RulePoints(0, f"{baseline.words} ({days})")


def moving_about(findings: Findings) -> Iterator[RulePoints]:
    """One other camera is worth a word, two are worth points."""
    kind = main_type(findings)
    others = [one for one in findings.elsewhere if one.object_type == kind]
    if others and points_of(kind) > points_of("other"):
        seen = ", ".join(one.words(findings.started_at) for one in others[:MAX_OTHER_CAMERAS])
        yield RulePoints(10 if len({one.camera_id for one in others}) >= 2 else 0, f"{kind} also seen at {seen}")


def unsure(findings: Findings) -> Iterator[RulePoints]:
    if findings.best_confidence < UNSURE_BELOW:
        yield RulePoints(-15, f"no detection above {findings.best_confidence:.2f}")


RULES: tuple[Rule, ...] = (
    what_was_seen,
    several_people,
    at_night,
    in_zones,
    staying,
    what_tracks_did,
    out_of_the_ordinary,
    moving_about,
    unsure,
)


def assess_by_rules(findings: Findings) -> Assessment:
    fired = [one for rule in RULES for one in rule(findings)]
    total = sum(one.points for one in fired)
    floor = max(one.floor for one in fired)
    score = min(max(total, floor), MAX_SCORE)
    because = "; ".join(f"{one.because} ({one.points:+d})" for one in fired)
    reasoning = f"Rules: {because}. Sum {total}, score {score}."
    if points_of(main_type(findings)) == points_of(WEAPON):
        floor = score  # no model lowers the score of a weapon, however unsure the detector is
    return Assessment(score, summarize(findings), reasoning[:MAX_REASONING_LENGTH], "rules", floor=floor)


def summarize(findings: Findings) -> str:
    """`2 person, 1 car at Front Door, Porch, 02:14: crossed the line Gate; rare here at this hour`.

    Counts are of one moment, never more than was there.
    """
    kinds = sorted(findings.counts, key=lambda kind: (-points_of(kind), kind))
    seen = ", ".join(f"{findings.at_once(kind)} {kind}" for kind in kinds[:5]) or "nothing"
    clock = findings.camera.local(findings.started_at).strftime("%H:%M")
    where = "".join(f", {zone.name}" for zone in findings.touched_zones()[:3])
    did = [one.words for one in findings.behaviours()[:MAX_NAMED_BEHAVIOURS]]
    if (direction := findings.direction_of(main_type(findings))) is not None:
        did.append(f"moving {direction}")
    more = "".join([f": {', '.join(did)}" if did else "", _how_usual(findings)])
    return f"{seen} at {findings.camera.name}{where}, {clock}{more}"[:MAX_SUMMARY_LENGTH]


def without_direction(summary: str) -> str:
    """A summary as it was before the object turned: that alone is nothing to tell people."""
    return re.sub(r"[:,] moving [^,;]+", "", summary)


def _how_usual(findings: Findings) -> str:
    baseline = findings.baseline_of(main_type(findings))
    if baseline is None or not (baseline.is_usual or baseline.is_rare):
        return ""
    return "; usual here at this hour" if baseline.is_usual else f"; {baseline.words}"
