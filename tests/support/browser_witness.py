"""What the browser shows when a test hangs, asked for over its debugging port: the test's own event loop may be what hangs."""

import base64
import json
import urllib.request
from pathlib import Path

from websockets.sync.client import connect

_PATIENCE_S = 60


def save_screenshots(debugging_port: int, directory: Path) -> None:
    """A picture and the address of every open page."""
    with urllib.request.urlopen(f"http://127.0.0.1:{debugging_port}/json/list", timeout=_PATIENCE_S) as answer:
        pages = [target for target in json.load(answer) if target["type"] == "page"]
    for number, target in enumerate(pages):
        with connect(target["webSocketDebuggerUrl"], max_size=None, open_timeout=_PATIENCE_S) as socket:
            socket.send(json.dumps({"id": 1, "method": "Page.captureScreenshot"}))
            picture = json.loads(socket.recv(_PATIENCE_S))["result"]["data"]
        (directory / f"page-{number}.png").write_bytes(base64.b64decode(picture))
        (directory / f"page-{number}.txt").write_text(target["url"])
