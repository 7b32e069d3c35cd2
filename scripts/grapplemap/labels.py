"""Labels of positions and transitions, from the tags and names that people gave them. Pure."""

import re
from dataclasses import dataclass

from grapplemap.data_file import Entry
from sightline.contracts.technique_events import Category

UNKNOWN = None


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_GUARDS = _words(
    "full_guard closed_guard half_guard quarter_guard three_quarter_guard deep_half butterfly engaged_butterfly "
    "reverse_butterfly rubber_guard x_guard z_guard slx knee_shield lockdown spider_guard inverted_guard footsies 50_50 "
    "octopus dogfight reverse_half boston_handshake double_bag homie combat_base"
)
_ALSO_ELSEWHERE = frozenset(("combat_base",))
"""Guards only where nothing says otherwise: the top person also kneels like that beside a turtle."""
_LOW = frozenset(("bottom_supine", "bottom_seated", "bottom_inverted"))
_PASSES = _words(
    "pass pass_around pass_split pass_through pass_under pass_over pass_double_under passing twister_pass knee_slice "
    "leg_drag leg_smash stacked knee_pin back_step"
)
_PINS = _words(
    "side_control side_ctrl mount north_south knee_on_belly back twister_side judo_side three_quarter_mount crucifix truck "
    "lower_back_control crab_ride s_mount turtle"
)
_SUBMISSIONS = _words(
    "armbar triangle rear_naked_choke guillotine darce omoplata arm_triangle knee_bar toehold heel_hook neck_crank arm_choke "
    "monoplata shoulder_lock spiderweb kimura"
)
_GRIPS = frozenset(("kimura",))
"""Submissions that are also grips: held from a guard, they are a part of it."""
_STANDING = _words(
    "standing takedown single_leg_takedown double_leg_takedown ankle_pick trip throw te_waza ashi_waza koshi_waza inside_trip "
    "duck_under knee_pick"
)
_ESCAPES = frozenset(("stand_up", "bridge", "technical_standup", "hip_heist"))
_SUBMISSION_NAME = re.compile(
    r"\b(arm ?bar|arm ?lock|choke|triangle|omoplata|heel hook|knee ?bar|toe ?hold|rnc|guillotine)\b"
)
_ESCAPE_NAME = re.compile(r"\bescap")

_NAME_OF_TAG = (
    ("Armbar", "armbar spiderweb"),
    ("Triangle", "triangle"),
    ("Omoplata", "omoplata monoplata"),
    ("Guillotine", "guillotine"),
    ("Arm triangle or D'Arce", "darce arm_triangle arm_choke"),
    ("Leg lock", "knee_bar toehold heel_hook"),
    ("Crucifix", "crucifix"),
    ("Kimura", "kimura"),
    ("Back control", "back rear_naked_choke lower_back_control crab_ride truck"),
    ("Mount", "mount three_quarter_mount s_mount"),
    ("North-south", "north_south"),
    ("Knee on belly", "knee_on_belly"),
    ("Twister side control", "twister_side"),
    ("Side control", "side_control side_ctrl judo_side"),
    ("Turtle", "turtle"),
    ("Knee slice pass", "knee_slice"),
    ("Leg drag", "leg_drag"),
    ("Deep half guard", "deep_half"),
    ("Rubber guard", "rubber_guard"),
    ("Half guard", "half_guard quarter_guard lockdown z_guard knee_shield dogfight"),
    ("Butterfly guard", "butterfly engaged_butterfly"),
    ("Closed guard", "closed_guard"),
    ("Open guard", "full_guard x_guard slx spider_guard footsies combat_base"),
)


@dataclass(frozen=True, slots=True)
class Label:
    category: Category | None = UNKNOWN
    name: str | None = None


def label_of_position(entry: Entry) -> Label:
    return Label(_category(entry), _name(entry))


def _category(entry: Entry) -> Category | None:
    tags, name = entry.tags, entry.name.lower()
    is_pin = bool(tags & _PINS)
    is_guard = bool(tags & (_GUARDS - _ALSO_ELSEWHERE if is_pin else _GUARDS))
    is_down = is_guard or is_pin or any(tag.startswith("bottom_") for tag in tags)
    submissions = tags & _SUBMISSIONS
    is_grip = is_guard and submissions <= _GRIPS
    if tags & _ESCAPES or _ESCAPE_NAME.search(name):
        return Category.DEFENSE_ESCAPES
    if (submissions and not is_grip) or _SUBMISSION_NAME.search(name):
        return UNKNOWN if "standing" in tags else Category.SUBMISSION_OFFENSE
    if tags & _STANDING and not is_down:
        return Category.STANDUP_GAME
    if is_pin and not is_guard:
        return Category.POSITIONAL_DOMINANCE
    if tags & _PASSES:
        return Category.GUARD_PASSING
    return Category.GUARD_PLAY if is_guard and not is_pin else UNKNOWN


def extra_category(entry: Entry) -> Category | None:
    """Of a position that no rule above names: one stands, the other sits or lies before them. Not for figures."""
    is_open_guard = "standing" in entry.tags and entry.tags & _LOW and not entry.tags & _PINS
    return Category.GUARD_PLAY if is_open_guard else UNKNOWN


def _name(entry: Entry) -> str | None:
    if "standing" in entry.tags and not entry.tags & (_GUARDS | _PINS):
        return "Standing"
    return next((name for name, tags in _NAME_OF_TAG if entry.tags & _words(tags)), None)


def category_of_transition(
    start: Label, end: Label, properties: frozenset[str], tags: frozenset[str]
) -> Category | None:
    """By where it starts and ends, and who acts."""
    top, bottom = "top" in properties, "bottom" in properties
    if tags & _ESCAPES:
        return Category.DEFENSE_ESCAPES
    if end.category == Category.SUBMISSION_OFFENSE and start.category != Category.DEFENSE_ESCAPES:
        return Category.SUBMISSION_OFFENSE
    match start.category:
        case Category.STANDUP_GAME:
            return Category.STANDUP_GAME
        case Category.GUARD_PLAY | Category.GUARD_PASSING:
            if top == bottom:
                return UNKNOWN
            return Category.GUARD_PASSING if top else Category.GUARD_PLAY
        case Category.POSITIONAL_DOMINANCE:
            if top == bottom:
                return UNKNOWN
            return Category.POSITIONAL_DOMINANCE if top else Category.DEFENSE_ESCAPES
    return UNKNOWN
