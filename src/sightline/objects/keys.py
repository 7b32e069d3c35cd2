"""Object keys: every pattern under which the platform stores something (documents 001 and 004). Pure."""

import re
from datetime import UTC, date, datetime
from uuid import UUID

ORIGINALS_PREFIX = "videos/original/"
PROXIES_PREFIX = "videos/proxy/"
CLIPS_PREFIX = "videos/clips/"
POSTERS_PREFIX = "thumbs/"
FRAMES_PREFIX = "frames/"
RESULTS_PREFIX = "results/"
ANNOTATIONS_PREFIX = "annotations/"
DETECTION_IMAGES_PREFIX = "security/"
RECORDINGS_PREFIX = "recordings/"
EVENT_CLIPS_PREFIX = "event_clips/"
CAMERAS_PREFIX = "cameras/"
LOGS_PREFIX = "logs/"
TUS_PREFIX = "tus/"
TRACKS_PREFIX = "tracks/"
POSES_PREFIX = "poses/"
PERSON_EXPORTS_PREFIX = "person_exports/"

_OF_ONE_VIDEO = (
    ORIGINALS_PREFIX,
    PROXIES_PREFIX,
    CLIPS_PREFIX,
    POSTERS_PREFIX,
    FRAMES_PREFIX,
    RESULTS_PREFIX,
    ANNOTATIONS_PREFIX,
    TRACKS_PREFIX,
    POSES_PREFIX,
    TUS_PREFIX,
)
_KINDS = {
    ORIGINALS_PREFIX: "originals",
    PROXIES_PREFIX: "streams",
    POSTERS_PREFIX: "streams",
    FRAMES_PREFIX: "frames",
    CLIPS_PREFIX: "clips",
    EVENT_CLIPS_PREFIX: "clips",
    DETECTION_IMAGES_PREFIX: "pictures",
    CAMERAS_PREFIX: "pictures",
    TRACKS_PREFIX: "pictures",
    RECORDINGS_PREFIX: "recordings",
}
OBJECT_KINDS = (*dict.fromkeys(_KINDS.values()), "other")
_NOT_UPLOADED = (
    *_OF_ONE_VIDEO[1:],
    DETECTION_IMAGES_PREFIX,
    CAMERAS_PREFIX,
    RECORDINGS_PREFIX,
    EVENT_CLIPS_PREFIX,
    LOGS_PREFIX,
    PERSON_EXPORTS_PREFIX,
)
_ORIGINAL = re.compile(rf"{ORIGINALS_PREFIX}([0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}})/master\.mp4")
_OF_VIDEO = re.compile(
    rf"(?:{'|'.join(_OF_ONE_VIDEO)})([0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}})/.+", re.DOTALL
)
_FRAME = re.compile(rf"{FRAMES_PREFIX}[^/]+/(\d+)\.jpg")


def video_prefixes(video_id: UUID) -> tuple[str, ...]:
    """Everything that is stored for a video lies below one of these."""
    return tuple(f"{prefix}{video_id}/" for prefix in _OF_ONE_VIDEO)


def video_id_of_key(key: str) -> UUID | None:
    """The video that the object belongs to; None if it belongs to none."""
    found = _OF_VIDEO.fullmatch(key)
    return None if found is None else UUID(found[1])


def kind_of_key(key: str) -> str:
    """What the object is, in a word for people who look where their space went."""
    return next((kind for prefix, kind in _KINDS.items() if key.startswith(prefix)), "other")


def is_upload_key(key: str) -> bool:
    """Whether a client may have uploaded the object; everything else is written by the platform."""
    return not key.startswith(_NOT_UPLOADED)


# Videos and what is made of them


def original_key(video_id: UUID) -> str:
    """Ends with `master.mp4` for every container: the content decides how the file is read, not its name."""
    return f"{ORIGINALS_PREFIX}{video_id}/master.mp4"


def video_id_of_original(key: str) -> UUID | None:
    """The video whose original has this key; None for any other key."""
    found = _ORIGINAL.fullmatch(key)
    return None if found is None else UUID(found[1])


def tus_prefix(upload_id: UUID) -> str:
    """Holds bytes of an upload by tus that are not in a part yet; of one that becomes a video, under the video's id."""
    return f"{TUS_PREFIX}{upload_id}/"


def tus_piece_key(upload_id: UUID, piece_id: UUID) -> str:
    return f"{tus_prefix(upload_id)}{piece_id}"


def person_export_key(request_id: UUID) -> str:
    return f"{PERSON_EXPORTS_PREFIX}{request_id}.zip"


def request_id_of_export(key: str) -> UUID | None:
    """The request whose file has this key; None for any other key."""
    try:
        return UUID(key.removeprefix(PERSON_EXPORTS_PREFIX).removesuffix(".zip"))
    except ValueError:
        return None


def proxy_prefix(video_id: UUID) -> str:
    """Holds the playlist of the stream and its segments."""
    return f"{PROXIES_PREFIX}{video_id}/"


def playlist_key(video_id: UUID) -> str:
    return f"{proxy_prefix(video_id)}index.m3u8"


def poster_key(video_id: UUID) -> str:
    return f"{POSTERS_PREFIX}{video_id}/poster.jpg"


def sprite_sheet_key(video_id: UUID) -> str:
    """Small pictures across the video, all in one."""
    return f"{POSTERS_PREFIX}{video_id}/sprite.jpg"


def frames_prefix(video_id: UUID) -> str:
    return f"{FRAMES_PREFIX}{video_id}/"


def frame_key(video_id: UUID, at_ms: int) -> str:
    return f"{frames_prefix(video_id)}{at_ms}.jpg"


def frame_ms(key: str) -> int | None:
    """The time of a key frame in its video; None if the key is not that of a frame."""
    found = _FRAME.fullmatch(key)
    return None if found is None else int(found[1])


def clip_key(video_id: UUID, clip_id: str) -> str:
    return f"{CLIPS_PREFIX}{video_id}/{clip_id}.mp4"


def tracks_prefix(video_id: UUID) -> str:
    """Holds a picture of each object that was followed in the video."""
    return f"{TRACKS_PREFIX}{video_id}/"


def track_thumbnail_key(video_id: UUID, track_id: UUID) -> str:
    return f"{tracks_prefix(video_id)}{track_id}.jpg"


# Technique analysis


def pose_part_key(video_id: UUID, number: int) -> str:
    """The people that were found in a part of a video; parts count from 0."""
    return f"{POSES_PREFIX}{video_id}/{number:05}.npz"


def result_prefix(video_id: UUID) -> str:
    """Results of a video lie below this, also those whose key the request chooses."""
    return f"{RESULTS_PREFIX}{video_id}/"


def result_key(video_id: UUID, job_id: UUID) -> str:
    return f"{result_prefix(video_id)}{job_id}.json"


def annotation_keys(video_id: UUID) -> tuple[str, str]:
    """Annotated clips as JSON or as CSV; readers use the first that exists."""
    return f"{ANNOTATIONS_PREFIX}{video_id}/clips.json", f"{ANNOTATIONS_PREFIX}{video_id}/clips.csv"


# Security and operations


def detection_image_key(camera_id: str, day: date, image_id: UUID, extension: str) -> str:
    return f"{DETECTION_IMAGES_PREFIX}{camera_id}/{day:%Y-%m-%d}/{image_id}.{extension}"


def recordings_prefix(camera_key: UUID) -> str:
    """Everything that was recorded of a camera lies below it."""
    return f"{RECORDINGS_PREFIX}{camera_key}/"


def recording_key(camera_key: UUID, started_at: datetime, recording_id: UUID) -> str:
    at = started_at.astimezone(UTC)
    return f"{recordings_prefix(camera_key)}{at:%Y-%m-%d}/{at:%H%M%S}_{recording_id}.mp4"


def event_clip_key(event_id: int) -> str:
    return f"{EVENT_CLIPS_PREFIX}{event_id}.mp4"


def event_clip_poster_key(event_id: int) -> str:
    return f"{EVENT_CLIPS_PREFIX}{event_id}.jpg"


def camera_prefix(camera_key: UUID) -> str:
    """Everything that is stored of a camera itself lies below this."""
    return f"{CAMERAS_PREFIX}{camera_key}/"


def camera_motion_key(camera_key: UUID) -> str:
    """What the motion gate of a camera has learned."""
    return f"{camera_prefix(camera_key)}motion.npz"


def camera_picture_key(camera_key: UUID) -> str:
    """The newest picture."""
    return f"{camera_prefix(camera_key)}latest.jpg"


def event_clip_preview_key(event_id: int) -> str:
    """Its key frames in a row, small and fast."""
    return f"{EVENT_CLIPS_PREFIX}{event_id}_preview.mp4"


def job_log_key(job_id: UUID) -> str:
    return f"{LOGS_PREFIX}pipeline/{job_id}.json"
