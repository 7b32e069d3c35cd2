"""Types of detected objects, and how dangerous each is by itself. Pure."""

WEAPON = "weapon"
"""In settings it stands for every type of weapon."""
WEAPONS = frozenset({"gun", "handgun", "pistol", "rifle", "shotgun", "knife", "machete", WEAPON})
VEHICLES = frozenset({"car", "truck", "bus", "motorcycle", "bicycle", "van"})
ANIMALS = frozenset({"dog", "cat", "bird", "horse", "sheep", "cow", "bear", "fox", "deer"})


def points_of(object_type: str) -> int:
    """The points that the rules give for the type alone; docs/security.md tables them."""
    if object_type in WEAPONS:
        return 80
    if object_type == "person":
        return 35
    if object_type in VEHICLES:
        return 15
    return 5 if object_type in ANIMALS else 10
