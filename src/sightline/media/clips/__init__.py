"""Clips cut from the original: the record, the store, the job that cuts them, and their expiry."""

from sightline.media.clips.captions import MAX_CUES, CaptionReader, ClipCue
from sightline.media.clips.clip import ClipSpan, ClipStatus, VideoClip, clip_span, part_spans
from sightline.media.clips.clip_generate import ClipGenerateJob
from sightline.media.clips.expiry import ClipExpiry
from sightline.media.clips.store import clips_over_size, end_clips, insert_clip, list_clips, need_clip

__all__ = [
    "MAX_CUES",
    "CaptionReader",
    "ClipCue",
    "ClipExpiry",
    "ClipGenerateJob",
    "ClipSpan",
    "ClipStatus",
    "VideoClip",
    "clip_span",
    "clips_over_size",
    "end_clips",
    "insert_clip",
    "list_clips",
    "need_clip",
    "part_spans",
]
