"""Types of detected objects, and how dangerous each is by itself. Pure."""

WEAPON = "weapon"
"""In settings it stands for every type of weapon."""
WEAPONS = frozenset({"gun", "handgun", "pistol", "rifle", "shotgun", "knife", "machete", WEAPON})
VEHICLES = frozenset({"car", "truck", "bus", "motorcycle", "bicycle", "van", "train", "boat", "vehicle"})
ANIMALS = frozenset(
    {"dog", "cat", "bird", "horse", "sheep", "cow", "bear", "fox", "deer", "elephant", "zebra", "giraffe", "animal"}
)
BAGS = frozenset({"backpack", "handbag", "suitcase", "package", "bag"})
GROUPS = {"vehicle": VEHICLES, "animal": ANIMALS, "bag": BAGS, WEAPON: WEAPONS}
"""Names that stand for all of their types where people choose types."""


def is_of(kind: str, object_type: str) -> bool:
    """Whether the type is this one, or one of the group that it names."""
    kind, object_type = kind.casefold(), object_type.casefold()
    return kind == object_type or object_type in GROUPS.get(kind, ())


def points_of(object_type: str) -> int:
    """The points that the rules give for the type alone; docs/security.md tables them."""
    if object_type in WEAPONS:
        return 80
    if object_type == "person":
        return 35
    if object_type in VEHICLES:
        return 15
    return 5 if object_type in ANIMALS else 10
