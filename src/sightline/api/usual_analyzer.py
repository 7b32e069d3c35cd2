"""The analyzer of a video when nobody names one: what people annotated goes before what a model guesses."""

from uuid import UUID

from sightline.bootstrap import Platform
from sightline.objects import ObjectStore, annotation_keys
from sightline.techniques import ANNOTATIONS, POSE, default_analyzer


async def usual_analyzer(platform: Platform, video_id: UUID) -> str:
    settings = platform.settings
    default = default_analyzer(settings.techniques, state_dir=settings.state_dir)
    is_chosen = settings.techniques.analyzer is not None
    if default == POSE and not is_chosen and await has_annotations(platform.objects, video_id):
        return ANNOTATIONS
    return default


async def has_annotations(objects: ObjectStore, video_id: UUID) -> bool:
    for key in annotation_keys(video_id):
        if await objects.head(key) is not None:
            return True
    return False
