"""Hostile and broken files."""

import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from support.coded_clip import make_clip

TOKEN = "leads-here"


class _Watched(ThreadingHTTPServer):
    daemon_threads = True
    requested: list[str]


class _Handler(BaseHTTPRequestHandler):
    server: _Watched

    def do_GET(self) -> None:
        if TOKEN in self.path:  # others on this machine may look for a server of theirs at this port
            self.server.requested.append(self.path)
        self.send_error(404)

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def watched_server() -> Iterator[tuple[str, list[str]]]:
    """A server that must not be called: its URL, and the paths that were requested."""
    server = _Watched(("127.0.0.1", 0), _Handler)
    server.requested = []
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/{TOKEN}", server.requested
    finally:
        server.shutdown()
        server.server_close()


def dash_manifest(base: str) -> bytes:
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT2S" minBufferTime="PT1S"
 profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period><AdaptationSet mimeType="video/mp4">
<Representation id="1" bandwidth="1000" codecs="avc1.64001f" width="160" height="96">
<BaseURL>{base}</BaseURL><SegmentBase indexRange="0-100"/></Representation></AdaptationSet></Period></MPD>
""".encode()


def concat_script(target: str) -> bytes:
    return f"ffconcat version 1.0\nfile '{target}'\nduration 1\n".encode()


def hls_playlist(target: str) -> bytes:
    return f"#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2.0,\n{target}\n#EXT-X-ENDLIST\n".encode()


def session_description(port: int) -> bytes:
    return f"v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=video {port} RTP/AVP 96\r\n".encode()


def with_foreign_data(path: Path, target: str) -> None:
    """An MP4 file whose samples are said to lie in another file (an external data reference), and are not in its own."""
    make_clip(path, frames=10)
    content = path.read_bytes()
    start, size = content.index(b"mdat") + 4, struct.unpack(">I", content[content.index(b"mdat") - 4 :][:4])[0] - 8
    content = content[:start] + bytes(size) + content[start + size :]
    entry_body = struct.pack(">I", 0) + _alias(target)
    entry = struct.pack(">I4s", 8 + len(entry_body), b"alis") + entry_body
    path.write_bytes(_replaced(content, [b"moov", b"trak", b"mdia", b"minf", b"dinf", b"dref"], entry))


def _alias(target: str) -> bytes:
    """A record of the classic Macintosh that names a file by its absolute path."""
    name = Path(target).name.encode()
    fixed = (
        bytes(10)
        + bytes([1])
        + b"x".ljust(27, b"\0")
        + bytes(12)
        + bytes([len(name)])
        + name.ljust(63, b"\0")
        + bytes(16)
    )
    absolute = target.encode()
    levels = struct.pack(">hh", -1, -1) + bytes(16)
    record = struct.pack(">HH", 2, len(absolute)) + absolute + bytes(len(absolute) % 2)
    return fixed + levels + record + struct.pack(">hH", -1, 0)


def _replaced(content: bytes, way: list[bytes], entry: bytes) -> bytes:
    """The boxes with the one entry of the innermost replaced, and all sizes mended."""
    made = b""
    position = 0
    while position < len(content):
        size, name = struct.unpack(">I4s", content[position : position + 8])
        body = content[position + 8 : position + size]
        if name == way[0]:
            body = _replaced(body, way[1:], entry) if len(way) > 1 else body[:8] + entry
        made += struct.pack(">I4s", len(body) + 8, name) + body
        position += size
    return made


def huge_picture(path: Path) -> None:
    """36 megapixels in a few kilobytes."""
    options = {"preset": "ultrafast", "crf": "40"}
    make_clip(path, frames=1, fps=1, width=9000, height=4000, plain=20, options=options)


def halved(path: Path, **form: Any) -> None:
    make_clip(path, **form)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
