"""Exports of text on screen and speech: SRT, WebVTT, plain text, JSON and CSV, written in pieces."""

from sightline.text.exports.export import (
    EXPORT_FORMATS,
    MEDIA_TYPES,
    ExportFormat,
    ExportKind,
    ExportOptions,
    caption_text,
    export_file_name,
    export_text,
)
from sightline.text.exports.pages import Pages, pages_of_segments, read_page
from sightline.text.exports.subtitles import webvtt

__all__ = [
    "EXPORT_FORMATS",
    "MEDIA_TYPES",
    "ExportFormat",
    "ExportKind",
    "ExportOptions",
    "Pages",
    "caption_text",
    "export_file_name",
    "export_text",
    "pages_of_segments",
    "read_page",
    "webvtt",
]
