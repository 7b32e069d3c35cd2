"""Names of detected objects: the classes of COCO, and the group that each belongs to. Pure."""

from collections.abc import Mapping, Sequence

COCO = [
    "person",
    "bicycle",
    "car",
    "motorcycle",
    "airplane",
    "bus",
    "train",
    "truck",
    "boat",
    "traffic light",
    "fire hydrant",
    "stop sign",
    "parking meter",
    "bench",
    "bird",
    "cat",
    "dog",
    "horse",
    "sheep",
    "cow",
    "elephant",
    "bear",
    "zebra",
    "giraffe",
    "backpack",
    "umbrella",
    "handbag",
    "tie",
    "suitcase",
    "frisbee",
    "skis",
    "snowboard",
    "sports ball",
    "kite",
    "baseball bat",
    "baseball glove",
    "skateboard",
    "surfboard",
    "tennis racket",
    "bottle",
    "wine glass",
    "cup",
    "fork",
    "knife",
    "spoon",
    "bowl",
    "banana",
    "apple",
    "sandwich",
    "orange",
    "broccoli",
    "carrot",
    "hot dog",
    "pizza",
    "donut",
    "cake",
    "chair",
    "couch",
    "potted plant",
    "bed",
    "dining table",
    "toilet",
    "tv",
    "laptop",
    "mouse",
    "remote",
    "keyboard",
    "cell phone",
    "microwave",
    "oven",
    "toaster",
    "sink",
    "refrigerator",
    "book",
    "clock",
    "vase",
    "scissors",
    "teddy bear",
    "hair drier",
    "toothbrush",
]
"""The 80 classes in the order that YOLO models use."""

_UNUSED_COCO_IDS = (0, 12, 26, 29, 30, 45, 66, 68, 69, 71, 83)


def coco_91() -> list[str]:
    """The numbering of COCO itself, with the numbers that it never used (empty), as SSD and DETR models have it."""
    remaining = iter(COCO)
    return ["" if number in _UNUSED_COCO_IDS else next(remaining) for number in range(91)]


PERSON, VEHICLE, ANIMAL, BAG, OBJECT = "person", "vehicle", "animal", "bag", "object"

_MEMBERS: Mapping[str, Sequence[str]] = {
    PERSON: ("person",),
    VEHICLE: ("bicycle", "car", "motorcycle", "airplane", "bus", "train", "truck", "boat", "van"),
    ANIMAL: (
        *("bird", "cat", "dog", "horse", "sheep", "cow", "elephant", "bear", "zebra", "giraffe", "fox", "deer"),
        *("rabbit", "squirrel", "raccoon", "pig", "goat"),
    ),
    BAG: ("backpack", "handbag", "suitcase"),
}

GROUPS: Mapping[str, str] = {label: group for group, members in _MEMBERS.items() for label in (group, *members)}
"""The general word for each class, and for itself. A class that is missing belongs to none."""

_ALIASES: Mapping[str, str] = {
    "aeroplane": "airplane",
    "bike": "bicycle",
    "diningtable": "dining table",
    "human": "person",
    "man": "person",
    "motorbike": "motorcycle",
    "pedestrian": "person",
    "people": "person",
    "plane": "airplane",
    "pottedplant": "potted plant",
    "sofa": "couch",
    "tvmonitor": "tv",
    "woman": "person",
}


def usual_name(label: str) -> str:
    """The name that Sightline uses for a class: lower case, and one word for one thing."""
    plain = " ".join(label.strip().lower().replace("_", " ").split())
    return _ALIASES.get(plain, plain)


def group_of(label: str) -> str:
    """`object` for a class without a group."""
    return GROUPS.get(label, OBJECT)
