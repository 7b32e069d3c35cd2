"""Content types by the extension of a key: a fixed table, because those of operating systems differ."""

DEFAULT = "application/octet-stream"

_BY_EXTENSION = {
    "aac": "audio/aac",
    "avi": "video/x-msvideo",
    "bin": DEFAULT,
    "css": "text/css",
    "csv": "text/csv",
    "flac": "audio/flac",
    "gif": "image/gif",
    "html": "text/html",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "js": "text/javascript",
    "json": "application/json",
    "jsonl": "application/jsonl",
    "m3u8": "application/vnd.apple.mpegurl",
    "m4a": "audio/mp4",
    "m4s": "video/iso.segment",
    "m4v": "video/mp4",
    "mkv": "video/x-matroska",
    "mov": "video/quicktime",
    "mp3": "audio/mpeg",
    "mp4": "video/mp4",
    "mpd": "application/dash+xml",
    "mpeg": "video/mpeg",
    "mpg": "video/mpeg",
    "ogg": "audio/ogg",
    "ogv": "video/ogg",
    "pdf": "application/pdf",
    "png": "image/png",
    "srt": "application/x-subrip",
    "svg": "image/svg+xml",
    "ts": "video/mp2t",
    "txt": "text/plain",
    "vtt": "text/vtt",
    "wav": "audio/wav",
    "webm": "video/webm",
    "webp": "image/webp",
    "xml": "application/xml",
    "zip": "application/zip",
}


def content_type_of(key: str) -> str:
    _, dot, extension = key.rpartition("/")[2].rpartition(".")
    return _BY_EXTENSION.get(extension.lower(), DEFAULT) if dot else DEFAULT
