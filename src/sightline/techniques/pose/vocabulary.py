"""What the classifier of poses may say: phases, categories and names of positions, in the order of its outputs. Pure."""

from sightline.contracts.technique_events import Category

STANDING, GUARD, TOP = "standing", "guard", "top"
PHASES = (STANDING, GUARD, TOP)
"""Both on their feet; one between or around the legs of the other; past the legs, behind the back, or in a submission."""

CATEGORIES = (
    Category.STANDUP_GAME,
    Category.GUARD_PLAY,
    Category.GUARD_PASSING,
    Category.POSITIONAL_DOMINANCE,
    Category.SUBMISSION_OFFENSE,
)
"""Without DEFENSE_ESCAPES, which is no pose: it follows from the sequence of phases."""

PHASE_OF = {
    Category.STANDUP_GAME: STANDING,
    Category.GUARD_PLAY: GUARD,
    Category.GUARD_PASSING: GUARD,
    Category.POSITIONAL_DOMINANCE: TOP,
    Category.SUBMISSION_OFFENSE: TOP,
}

NAMES = (
    "Standing",
    "Closed guard",
    "Half guard",
    "Butterfly guard",
    "Rubber guard",
    "Deep half guard",
    "Open guard",
    "Knee slice pass",
    "Leg drag",
    "Side control",
    "Mount",
    "Back control",
    "Turtle",
    "North-south",
    "Knee on belly",
    "Twister side control",
    "Crucifix",
    "Armbar",
    "Triangle",
    "Omoplata",
    "Kimura",
    "Guillotine",
    "Arm triangle or D'Arce",
    "Leg lock",
)

_GUARD_NAMES = NAMES[1:9]
_CONTROL_NAMES = NAMES[9:17]
_SUBMISSION_NAMES = NAMES[17:]


def names_of(phase: str, *, is_submission: bool = False) -> tuple[str, ...]:
    """The names that a position of a phase may have."""
    match phase:
        case "standing":
            return NAMES[:1]
        case "guard":
            return _GUARD_NAMES
    return _SUBMISSION_NAMES if is_submission else _CONTROL_NAMES
